"""Fair, fast and safe game-AI competitions: the Python API.

>>> import arena
>>> sorted(set(arena.__all__) & {"league", "play"})
['league', 'play']

`play`, `benchmark`, `match` and `league` run games; `check` and `submit` try and keep an agent; `train` lets one learn;
`open` and `standings` read a results file. Agents are named as on the command line, or given as classes. Modules are
imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from agents.base import BaseAgent
    from arena.competition.check import Report, check
    from arena.competition.events import Event, Finished, GameStarted, GameStored, LeagueStarted, Notice, TurnPlayed
    from arena.competition.outcome import BenchmarkResult, LeagueResult, MatchResult
    from arena.competition.run import benchmark, league, match, play
    from arena.competition.settings import Settings
    from arena.competition.submission import submit
    from arena.entrants.submissions import Submission
    from arena.training.api import train
    from arena.training.runs import TrainingRun
    from games.errors import ArenaError
    from results.api import Games, PlayedGame, Results, Standings, standings
    from results.api import load as open  # noqa: A004 - reads well as arena.open
    from results.standings.match import Match

__all__ = [
    "ArenaError", "BaseAgent", "BenchmarkResult", "Event", "Finished", "GameStarted", "GameStored", "Games",
    "LeagueResult", "LeagueStarted", "Match", "MatchResult", "Notice", "PlayedGame", "Report", "Results", "Settings",
    "Standings", "Submission", "TrainingRun", "TurnPlayed", "benchmark", "check", "league", "match", "open", "play",
    "standings", "submit", "train",
]  # fmt: skip

#: Where each name comes from.
_HOMES: Final = {
    "agents.base": ("BaseAgent",),
    "arena.competition.check": ("Report", "check"),
    "arena.competition.events": (
        "Event",
        "Finished",
        "GameStarted",
        "GameStored",
        "LeagueStarted",
        "Notice",
        "TurnPlayed",
    ),
    "arena.competition.outcome": ("BenchmarkResult", "LeagueResult", "MatchResult"),
    "arena.competition.run": ("benchmark", "league", "match", "play"),
    "arena.competition.settings": ("Settings",),
    "arena.competition.submission": ("submit",),
    "arena.entrants.submissions": ("Submission",),
    "arena.training.api": ("train",),
    "arena.training.runs": ("TrainingRun",),
    "games.errors": ("ArenaError",),
    "results.api": ("Games", "PlayedGame", "Results", "Standings", "load", "standings"),
    "results.standings.match": ("Match",),
}


def __getattr__(name: str) -> Any:
    wanted = "load" if name == "open" else name
    for module, names in _HOMES.items():
        if wanted in names and name in __all__:
            found = globals()[name] = getattr(importlib.import_module(module), wanted)
            return found
    raise AttributeError(f"module 'arena' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
