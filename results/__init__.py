"""Stored games and what follows from them: the results file, standings, ratings, notations, pages.

`results.load("arena.db")` opens a results file in a notebook or a script. Its module is imported when it is first used:
a process that only plays games needs none of it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from results.api import Faults, Games, PlayedGame, Results, Standings, load

__all__ = ["Faults", "Games", "PlayedGame", "Results", "Standings", "load"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from results import api

    return getattr(api, name)
