"""Agents for Mushroom: greedy, alpha-beta and UCT.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
