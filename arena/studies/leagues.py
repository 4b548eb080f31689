"""The leagues of a study: their settings, their plans, and how they are played.

The other modules of this room use the settings and the runner of `arena.competition` only through this one.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from arena.competition import league as competition
from arena.competition.config import KEYS, Config, hint, read, shown, unknown_key
from arena.competition.config_values import text as checked_text
from arena.competition.league import Notice, Progress, Summary
from arena.competition.plan import Options, Plan
from arena.competition.queue import PairingQueue
from arena.competition.values import read_share
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings, UnknownAgent
from arena.execution.executor import Ok
from arena.execution.workers import Workers, cores
from arena.formats import schedule
from arena.formats.swiss import swiss_rounds
from arena.process.presence import began, is_alive
from arena.referee.task import Rehearsal
from games import live
from games.base import join_parameters
from results.league import League
from results.store.store import Store
from results.text import plain

__all__ = [
    "SETTING_KEYS", "GameSettings", "LeagueEvent", "LeagueSettings", "LeagueStarted", "Notice", "Plan", "Progress",
    "Summary", "checked_text", "count_games", "game_settings", "hint", "make_plan", "play", "read_settings", "rehearse",
    "shown", "unknown_key",
]  # fmt: skip

LeagueSettings: TypeAlias = Config

#: Keys of league files that a part may have. The study names its leagues, and the caller chooses the workers.
SETTING_KEYS: Final = tuple(key for key in KEYS if key not in ("name", "workers"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueStarted:
    """A league is about to be played; `done` of its `total` games are stored already."""

    league: League
    done: int
    total: int


LeagueEvent: TypeAlias = LeagueStarted | Progress | Notice
OnLeagueEvent: TypeAlias = Callable[[LeagueEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """How the games of a stored league are played; `game` includes its parameters."""

    name: str
    game: str
    seconds: float
    opening_turns: int


def read_settings(values: Mapping[str, object], folder: Path) -> LeagueSettings:
    """The settings of a part; relative paths start at `folder`. `ValueError` describes the mistake."""
    settings = read(values, folder)
    if len(settings.entrants) < 2:
        raise ValueError("a league needs at least two entrants")
    return settings


def count_games(settings: LeagueSettings) -> int:
    """The number of games of the league, without the extra games of a knockout."""
    entrants, format_ = len(settings.entrants), settings.format or "round-robin"
    default = swiss_rounds(entrants) if format_ == "swiss" else 1
    return schedule.count_games(format_, entrants, settings.rounds or default)


def make_plan(settings: LeagueSettings, overrides: Mapping[str, object], *, label: str) -> Plan:
    """The plan of a league. `overrides` replace settings; entrants are suspended only if the settings say so."""
    lines = settings.entrants
    names = {index: line.name for index, line in enumerate(lines) if line.name is not None}
    entrants = resolve_all([line.text for line in lines], home=home(), names=names)
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings(f"{label}: a study cannot have human players; use `arena play`")
    options: dict[str, Any] = {"format": "round-robin", **settings.options(), **overrides}
    rounds = options.pop("rounds", None)
    if "suspend_after" in options:
        options["suspend_after"] = read_share(options["suspend_after"])
    return Options(**options).plan("league", entrants, games=rounds)


def game_settings(league: League) -> GameSettings:
    """The settings that are stored with a league, as far as a report shows them."""
    stored: Mapping[str, Any] = league.settings
    return GameSettings(
        name=stored["game"], game=join_parameters(stored["game"], stored["parameters"]), seconds=stored["time"],
        opening_turns=stored["opening turns"],
    )  # fmt: skip


def rehearse(store: Store, name: str, plan: Plan, *, on_event: OnLeagueEvent) -> None:
    """Start every agent of a new league once, so that mistakes are found before the first game."""
    if store.league(name) is not None:
        return
    with Workers(plan.game, plan.rules, needs=plan.needs, workers=1) as executor:
        for outcome in executor.run(Rehearsal(entrant, plan.game) for entrant in plan.entrants):
            entrant, problem = cast(Rehearsal, outcome.task).entrant, outcome.result if isinstance(outcome, Ok) else ""
            if problem and (entrant.is_bundled or entrant.grants.trusted):
                raise UnknownAgent(f"{entrant.agent}: {problem}")
            if problem:
                on_event(Notice(f"warning: {plain(entrant.name)} does not start and will lose its games: {problem}"))


def play(store: Store, name: str, plan: Plan, *, workers: int | None, on_event: OnLeagueEvent) -> Summary:
    """Create or continue the league of this name and play the games that are missing."""
    count = workers or max(1, min(len(cores()), len(plan.entrants)))
    with Workers(plan.game, plan.rules, needs=plan.needs, workers=count) as executor:
        if executor.level == "none":
            on_event(Notice("agents are trusted: they run unconfined and can do what you can do"))
        if executor.level == "reduced":
            on_event(Notice("this Linux kernel confines agents less well than newer ones; see `arena doctor`"))
        league = competition.join(store, name, plan)
        rules = {"kernel": "its native kernel", "python": "its rules in Python"}[live(plan.game.name)]
        on_event(Notice(f"{league.name}: {plan.game.name} runs on {rules}"))
        store.claim(league.name, pid=os.getpid(), began=began(os.getpid()), is_alive=is_alive)
        queue = PairingQueue(store, league)
        on_event(LeagueStarted(league=league, done=queue.done, total=queue.total))
        return competition.run(store, league, plan, executor, home=home(), tell=on_event)
