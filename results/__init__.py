"""Stored games and what follows from them: the results file, standings, ratings, notations, pages.

`results.load("arena.db")` opens a results file in a notebook or a script.
"""

from results.api import Faults, Games, PlayedGame, Results, Standings, load

__all__ = ["Faults", "Games", "PlayedGame", "Results", "Standings", "load"]
