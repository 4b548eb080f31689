"""Agents that learn from their own games: learners, and the pipeline that trains them.

Data flows position → encoding → net → search → move → sample → memory → loss → new net. `learner` is the seam between
the pipeline and what it trains; `run` is the loop; `python -m agents.self_learning` starts its processes. Nothing here
imports `arena`; torch and onnxruntime are imported where they are used, so that a trained agent plays without them.
"""
