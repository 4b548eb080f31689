"""An agent for Gomoku that searches for threats.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
