"""Teaching agents that look ahead, one per file, and the public paths of `alphabeta` and `uct`.

Imports the modules of `agents`, `agents.alphabeta` and `agents.uct`; never an agent for one game.
"""
