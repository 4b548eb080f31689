"""What a study found: every two entrants that met, the tables of the measures, the scores of the training runs."""

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from arena.studies.leagues import GameSettings, game_settings
from arena.studies.measure import MeasureTable
from arena.studies.study import LeaguePart, MeasurePart, Study
from arena.studies.training_part import TrainingPart
from arena.version import version
from games import live
from games.base import split_parameters
from results.league import League
from results.record import GameRecord
from results.standings.elo import NORMAL_95
from results.standings.match import Match
from results.standings.score import Score, content
from results.standings.table import Table, table
from results.store.store import Store

__all__ = [
    "AverageMargin", "LeaguePartResult", "LearningPoint", "MeasurePartResult", "Meeting", "PartResult", "PooledPoint",
    "StudyResult", "TrainingPartResult", "average_margin", "distinct_games", "league_result",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """The score of a training run against an anchor: points per game, with half of the 95 % interval.

    `point` is the CPU time that the study asks for, `minutes` that of the first generation after it, and
    `self_play_games` what the run had played by then. `player` are the options that the trained agent played with.
    """

    variant: str
    seed: int
    point: float
    minutes: float
    self_play_games: int
    anchor: str
    player: str
    games: int
    score: float
    error: float
    as_first: float | None
    as_second: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledPoint:
    """The score of a variant against an anchor, over all seeds; minutes and games of self-play are averages.

    The error counts the games, not the luck of a seed: `by_seed` has the score of each seed. `difference` is the score
    minus that of the first variant, with its error; None for the first variant itself.
    """

    variant: str
    minutes: float
    self_play_games: int
    anchor: str
    games: int
    score: float
    error: float
    as_first: float | None
    as_second: float | None
    by_seed: tuple[float, ...]
    difference: float | None
    difference_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPartResult:
    """The result of a training part: the scores of its runs. `learner` is what learned."""

    part: TrainingPart
    learner: str
    points: tuple[LearningPoint, ...]

    @property
    def pooled(self) -> list[PooledPoint]:
        """The points of each variant over all seeds, in the order of the variants."""
        groups: dict[tuple[str, float, str], list[LearningPoint]] = {}
        for point in self.points:
            groups.setdefault((point.variant, point.point, point.anchor), []).append(point)
        first = self.part.variants[0].name
        return [
            _pooled(points, None if variant == first else groups[first, at, anchor])
            for (variant, at, anchor), points in groups.items()
        ]


PartResult: TypeAlias = LeaguePartResult | MeasurePartResult | TrainingPartResult


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
    def trainings(self) -> list[TrainingPartResult]:
        """The results of the training parts."""
        return [result for result in self.parts if isinstance(result, TrainingPartResult)]

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
        trained = [split_parameters(result.part.game)[0] for result in self.trainings]
        names = dict.fromkeys([*(result.settings.name for result in self.leagues), *trained])
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


def _pooled(points: Sequence[LearningPoint], base: Sequence[LearningPoint] | None) -> PooledPoint:
    score, error = _weighted(points)
    other = None if base is None else _weighted(base)
    return PooledPoint(
        variant=points[0].variant, anchor=points[0].anchor, score=score, error=error,
        minutes=math.fsum(point.minutes for point in points) / len(points),
        self_play_games=round(sum(point.self_play_games for point in points) / len(points)),
        games=sum(point.games for point in points), by_seed=tuple(point.score for point in points),
        as_first=_mean([point.as_first for point in points]), as_second=_mean([point.as_second for point in points]),
        difference=None if other is None else score - other[0],
        difference_error=None if other is None else math.hypot(error, other[1]),
    )  # fmt: skip


def _weighted(points: Sequence[LearningPoint]) -> tuple[float, float]:
    """The score over all games of these points, and its error."""
    games = sum(point.games for point in points)
    score = math.fsum(point.score * point.games for point in points) / games
    return score, math.hypot(*(point.error * point.games for point in points)) / games


def _mean(scores: Sequence[float | None]) -> float | None:
    """The mean of scores over the same number of games."""
    known = [score for score in scores if score is not None]
    return math.fsum(known) / len(known) if known else None


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
