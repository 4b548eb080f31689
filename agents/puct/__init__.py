"""PUCT: a tree search that follows priors and values, for all games; readable in Python, fast in C++.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
