"""Agents for Othello: teaching agents with one idea each, and a strong one.

Imports `agents.core` and the modules of `agents` that it uses, no other agent.
"""
