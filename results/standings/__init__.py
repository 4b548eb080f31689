"""Standings, ratings and matches, computed from stored games.

Only `table` reads a results file; all other modules are pure. May import the room `store`.
"""
