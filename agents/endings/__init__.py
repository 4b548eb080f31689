"""Exact tables of microchess endings: how they are built, stored and read.

Imports nothing of `agents` but `agents.core` and `agents.tracebacks`.
"""
