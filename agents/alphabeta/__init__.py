"""Alpha-beta for every game: the agent `alphabeta`, its native search and the Python twin.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
