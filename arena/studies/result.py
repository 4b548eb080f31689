"""What a study found: every two entrants that met, the score of the first player, the tables of the measures."""

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from arena.studies.leagues import GameSettings, game_settings
from arena.studies.measure import MeasureTable
from arena.studies.study import LeaguePart, MeasurePart, Study
from arena.version import version
from games import live
from results.league import League
from results.record import GameRecord
from results.standings.elo import NORMAL_95
from results.standings.match import Match
from results.standings.score import Score, content
from results.standings.table import Table, table
from results.store.store import Store

__all__ = [
    "AverageMargin", "LeaguePartResult", "MeasurePartResult", "Meeting", "PartResult", "StudyResult", "average_margin",
    "distinct_games", "league_result",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class AverageMargin:
    """The average lead of an entrant at the end of its games, and half of the 95 % interval."""

    unit: str
    mean: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """All games of two entrants; `margin` is None unless something was counted at the end of every game."""

    match: Match
    margin: AverageMargin | None
    faults_one: int
    faults_two: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePartResult:
    """The result of a league.

    `first` is the score of all players that moved first. `first_distinct` counts equal games once, whoever played them:
    if an agent without randomness plays itself, the second game of a pair repeats the first one.
    """

    part: LeaguePart
    league: League
    settings: GameSettings
    table: Table
    meetings: tuple[Meeting, ...]
    first: Score
    first_distinct: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePartResult:
    """The result of a measure."""

    part: MeasurePart
    table: MeasureTable


PartResult: TypeAlias = LeaguePartResult | MeasurePartResult


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult:
    """A study with the results of its parts.

    `name` is the name of its report files, `command` how the run was started, `finished` a UTC time. `unplayed` lists
    the pairings that could not be played because of failures of the arena itself.
    """

    study: Study
    name: str
    parts: Sequence[PartResult]
    command: str
    finished: str
    unplayed: tuple[str, ...] = ()

    @property
    def leagues(self) -> list[LeaguePartResult]:
        """The results of the leagues."""
        return [result for result in self.parts if isinstance(result, LeaguePartResult)]

    @property
    def measures(self) -> list[MeasurePartResult]:
        """The results of the measures."""
        return [result for result in self.parts if isinstance(result, MeasurePartResult)]

    @property
    def date(self) -> str:
        """The day it was finished."""
        return self.finished.partition("T")[0]

    @property
    def form(self) -> str:
        """The form of the study that was run."""
        return "short form" if self.study.is_short else "full form"

    @property
    def versions(self) -> str:
        """The versions of arena and Python, and which rules each game was played with."""
        rules = {"kernel": "native rules", "python": "rules in Python"}
        names = dict.fromkeys(result.settings.name for result in self.leagues)
        games = "".join(f", {name} with {rules[live(name)]}" for name in names)
        return f"arena {version()}, Python {platform.python_version()} on {platform.machine()}{games}"


def league_result(part: LeaguePart, store: Store, name: str) -> LeaguePartResult:
    """The result of the stored league of this name."""
    league = store.known(name)
    records = list(store.counted(name))
    meetings = [
        _meeting(games, one, two)
        for one, two in combinations([entrant.name for entrant in league.entrants], 2)
        if (games := [record for record in records if {one, two} == {record.first.name, record.second.name}])
    ]
    return LeaguePartResult(
        part=part, league=league, settings=game_settings(league), table=table(store, league), meetings=tuple(meetings),
        first=_score_of_first(records), first_distinct=_score_of_first(distinct_games(records)),
    )  # fmt: skip


def distinct_games(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games without repetitions, whoever played them."""
    names = 2  # the content of a game starts with the names of both players
    return list({content(record)[names:]: record for record in records}.values())


def _score_of_first(records: Sequence[GameRecord]) -> Score:
    scores = [record.score_first for record in records]
    return Score(wins=scores.count(1.0), draws=scores.count(0.5), losses=scores.count(0.0))


def _meeting(records: Sequence[GameRecord], one: str, two: str) -> Meeting:
    faulty = [
        (record.first if record.fault.player == "first" else record.second).name
        for record in records
        if record.fault is not None
    ]
    return Meeting(
        match=Match.of(records, one=one, two=two), margin=average_margin(records, entrant=one),
        faults_one=faulty.count(one), faults_two=faulty.count(two),
    )  # fmt: skip


def average_margin(records: Sequence[GameRecord], *, entrant: str) -> AverageMargin | None:
    """The average lead of an entrant; None unless all games ended without a fault and were counted in one unit."""
    margins = [record.margin for record in records if record.fault is None]
    units = {margin.unit for margin in margins if margin is not None}
    if not records or len(margins) < len(records) or None in margins or len(units) != 1:
        return None
    leads = [
        (margin.first - margin.second) * (1 if record.first.name == entrant else -1)
        for record, margin in zip(records, margins, strict=True)
        if margin is not None
    ]
    mean = math.fsum(leads) / len(leads)
    variance = math.fsum((lead - mean) ** 2 for lead in leads) / max(len(leads) - 1, 1)
    return AverageMargin(units.pop(), mean, NORMAL_95 * math.sqrt(variance / len(leads)))
