"""UCT for every game: the agent `uct`, its native search, the Python twin and the tree that `mcts` uses too.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
