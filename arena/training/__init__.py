"""Training runs of self-learning agents: started, watched, changed, measured on a ladder, reported and exported.

The learning itself is `python -m agents.self_learning`, a process that this room starts (`learning_process`) and never
imports; what it has learned is read from the notes in its folder (`runs`). Gates and ladders are ordinary matches of
`arena.competition`. May import every room of arena except `cli`, `engine` and `studies`.
"""
