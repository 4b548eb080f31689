"""Fair, fast and safe game-AI competitions: the Python API.

>>> import arena
>>> sorted(set(arena.__all__) & {"league", "play"})
['league', 'play']

`play`, `benchmark`, `match`, `league` and `ladder` run games; `check` and `submit` try and keep an agent; `train` lets
one learn; `open` and `standings` read a results file. Agents are named as on the command line, or given as classes; see
`arena.competition.matches`. Every mistake is an `ArenaError` with a text of one line: `BadSettings`, `UnknownAgent`,
`UnknownGame`, `CheckFailed`, `StoreError` and what is below it; `Void` if we failed to play a game. Modules are
imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from agents.base import BaseAgent
    from arena.competition.check import CheckFailed, Report, check
    from arena.competition.events import (
        Event,
        Finished,
        GameStarted,
        GameStored,
        LeagueStarted,
        Notice,
        Summary,
        TurnPlayed,
    )
    from arena.competition.ladder import LadderResult, ladder
    from arena.competition.matches import benchmark, match, play
    from arena.competition.outcome import BenchmarkResult, LeagueResult, MatchResult
    from arena.competition.run import league
    from arena.competition.settings import Settings
    from arena.competition.submission import Submitted, submit
    from arena.entrants.submissions import Submission
    from arena.errors import BadSettings, UnknownAgent, Void
    from arena.training.api import train
    from arena.training.runs import TrainingRun
    from games.errors import ArenaError, UnknownGame
    from results.api import Games, PlayedGame, Results, Standings, standings
    from results.api import load as open  # noqa: A004 - reads well as arena.open
    from results.errors import Locked, NoLeague, NoResults, StoreError
    from results.standings.match import Match
    from results.standings.sprt import Sprt

__all__ = [
    "ArenaError", "BadSettings", "BaseAgent", "BenchmarkResult", "CheckFailed", "Event", "Finished", "GameStarted",
    "GameStored", "Games", "LadderResult", "LeagueResult", "LeagueStarted", "Locked", "Match", "MatchResult",
    "NoLeague", "NoResults", "Notice", "PlayedGame", "Report", "Results", "Settings", "Sprt", "Standings", "StoreError",
    "Submission", "Submitted", "Summary", "TrainingRun", "TurnPlayed", "UnknownAgent", "UnknownGame", "Void",
    "benchmark", "check", "ladder", "league", "match", "open", "play", "standings", "submit", "train",
]  # fmt: skip

#: Where each name comes from.
_HOMES: Final = {
    "agents.base": ("BaseAgent",),
    "arena.competition.check": ("CheckFailed", "Report", "check"),
    "arena.competition.events": (
        "Event", "Finished", "GameStarted", "GameStored", "LeagueStarted", "Notice", "Summary", "TurnPlayed",
    ),
    "arena.competition.ladder": ("LadderResult", "ladder"),
    "arena.competition.matches": ("benchmark", "match", "play"),
    "arena.competition.outcome": ("BenchmarkResult", "LeagueResult", "MatchResult"),
    "arena.competition.run": ("league",),
    "arena.competition.settings": ("Settings",),
    "arena.competition.submission": ("Submitted", "submit"),
    "arena.entrants.submissions": ("Submission",),
    "arena.errors": ("BadSettings", "UnknownAgent", "Void"),
    "arena.training.api": ("train",),
    "arena.training.runs": ("TrainingRun",),
    "games.errors": ("ArenaError", "UnknownGame"),
    "results.api": ("Games", "PlayedGame", "Results", "Standings", "load", "standings"),
    "results.errors": ("Locked", "NoLeague", "NoResults", "StoreError"),
    "results.standings.match": ("Match",),
    "results.standings.sprt": ("Sprt",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    wanted = "load" if name == "open" else name
    for module, names in _HOMES.items():
        if wanted in names and name in __all__:
            found = globals()[name] = getattr(importlib.import_module(module), wanted)
            return found
    raise AttributeError(f"module 'arena' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
