"""What the parts of a study have found: every meeting of two, and how first did."""

import math
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, TypeAlias

from arena.competition.plan import Options, Plan
from arena.entrants.amounts import read_share
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.studies.file import LeaguePart, MeasurePart, Study
from arena.studies.measure import Measured
from arena.version import version
from games import live
from games.base import join_parameters
from results.league import League
from results.record import GameRecord
from results.standings.elo import NORMAL_95
from results.standings.match import Match
from results.standings.score import Score, content
from results.standings.table import Table, table
from results.store.store import Store

__all__ = [
    "Finding", "LeagueFinding", "Margin", "MeasureFinding", "Meeting", "Report", "different", "finding_of", "margin",
    "plan_of",
]  # fmt: skip

#: What endings say of their margin, first's number before second's, in Go with komi: discs 36-28, area 45-36+7.
_MARGIN: Final = re.compile(r"([a-z]+) (\d+)-(\d+)([+-][\d.]+)?")


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much one side was ahead at the end on average, in what the game counts; half of the 95 % interval."""

    unit: str
    mean: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """All games of two entrants; margins only where the game counts something to its end."""

    match: Match
    margin: Margin | None
    faults_one: int
    faults_two: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFinding:
    """What came of a league.

    `first` is the score of all who moved first. `first_distinct` leaves out repeated games, whoever played them: of two
    equals without chance the second game of a pair is the first one again.
    """

    part: LeaguePart
    league: League
    table: Table
    meetings: tuple[Meeting, ...]
    first: Score
    first_distinct: Score

    @property
    def game(self) -> str:
        """The game with its parameters, as the command line names it."""
        settings: Mapping[str, Any] = self.league.settings
        return join_parameters(settings["game"], settings["parameters"])


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureFinding:
    """What came of a measure."""

    part: MeasurePart
    measured: Measured


Finding: TypeAlias = LeagueFinding | MeasureFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A study with all that was found, the command that did it, and when."""

    study: Study
    findings: Sequence[Finding]
    command: str
    made: str

    @property
    def leagues(self) -> list[LeagueFinding]:
        """What was played."""
        return [found for found in self.findings if isinstance(found, LeagueFinding)]

    @property
    def measures(self) -> list[MeasureFinding]:
        """What was measured."""
        return [found for found in self.findings if isinstance(found, MeasureFinding)]

    @property
    def form(self) -> str:
        """Which of its forms the study had."""
        return "short form" if self.study.is_short else "full form"

    @property
    def versions(self) -> str:
        """What played."""
        games = dict.fromkeys(str(found.league.settings["game"]) for found in self.leagues)
        rules = {"kernel": "native rules", "python": "rules in Python"}
        names = "".join(f", {name} by its {rules[live(name)]}" for name in games)
        return f"arena {version()}, Python {platform.python_version()} on {platform.machine()}{names}"


def plan_of(part: LeaguePart, given: Mapping[str, object]) -> Plan:
    """The league that a part asks for; what is given goes before it. Nobody is suspended unless the part says so."""
    lines = part.config.entrants
    named = {index: line.name for index, line in enumerate(lines) if line.name is not None}
    entrants = resolve_all([line.text for line in lines], home=home(), names=named)
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings(f"{part.label}: people play with `arena play`, not in studies")
    options: dict[str, Any] = {"format": "round-robin", **part.config.options(), **given}
    rounds = options.pop("rounds", None)
    if "suspend_after" in options:
        options["suspend_after"] = read_share(options["suspend_after"])
    return Options(**options).plan("league", entrants, games=rounds)


def finding_of(part: LeaguePart, store: Store, name: str) -> LeagueFinding:
    """What is stored of the league of this name."""
    league = store.known(name)
    records = list(store.counted(name))
    found = [
        _meeting(games, one, two)
        for one, two in combinations([entrant.name for entrant in league.entrants], 2)
        if (games := [record for record in records if {one, two} == {record.first.name, record.second.name}])
    ]
    return LeagueFinding(
        part=part, league=league, table=table(store, league), meetings=tuple(found),
        first=_first(records), first_distinct=_first(different(records)),
    )  # fmt: skip


def different(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games without repetitions, whoever played them."""
    who = 2  # the names of both come first
    return list({content(record)[who:]: record for record in records}.values())


def _first(records: Sequence[GameRecord]) -> Score:
    ends = [record.score_first for record in records]
    return Score(wins=ends.count(1.0), draws=ends.count(0.5), losses=ends.count(0.0))


def _meeting(records: Sequence[GameRecord], one: str, two: str) -> Meeting:
    faulty = [
        (record.first if record.fault.player == "first" else record.second).name
        for record in records
        if record.fault is not None
    ]
    return Meeting(
        match=Match.of(records, one=one, two=two), margin=margin(records, agent=one),
        faults_one=faulty.count(one), faults_two=faulty.count(two),
    )  # fmt: skip


def margin(records: Sequence[GameRecord], *, agent: str) -> Margin | None:
    """The average margin of an entrant; None if there is a game that ended without one."""
    ends = [_MARGIN.fullmatch(record.detail) for record in records if record.fault is None]
    units = {end[1] if end is not None else "" for end in ends}
    if len(ends) < len(records) or len(units) != 1 or "" in units:
        return None
    ahead = [
        (int(end[2]) - int(end[3]) - float(end[4] or 0)) * (1 if record.first.name == agent else -1)
        for record, end in zip(records, ends, strict=True)
        if end is not None
    ]
    mean = math.fsum(ahead) / len(ahead)
    variance = math.fsum((number - mean) ** 2 for number in ahead) / max(len(ahead) - 1, 1)
    return Margin(units.pop(), mean, NORMAL_95 * math.sqrt(variance / len(ahead)))
