"""What the functions that play games return: values with tables, texts and data frames for scripts and notebooks."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

from arena.competition.events import Summary
from results import api
from results.api import Games, Results, Standings
from results.league import League
from results.record import GameRecord
from results.standings.match import Match
from results.standings.sprt import Sequential
from results.store.store import Store
from results.text import share_of

if TYPE_CHECKING:
    import pandas

__all__ = ["BenchmarkResult", "LeagueResult", "MatchResult"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueResult:
    """A league as it is stored now. `awards` is the number of pairings that were decided without a game."""

    db: Path
    summary: Summary
    standings: Standings
    awards: int

    @classmethod
    def read(cls, store: Store, summary: Summary, standings: Standings) -> Self:
        """The result of a run that has just ended."""
        return cls(db=store.path, summary=summary, standings=standings, awards=len(store.awards(summary.league)))

    @property
    def name(self) -> str:
        """The name of the league."""
        return self.summary.league

    def games(self, *, agent: str | None = None, faults: bool = False) -> Games:
        """The games of the league, or those of one agent, or those that ended by a fault."""
        return api.load(self.db).games(self.name, agent=agent, faults=faults)

    def to_pandas(self) -> "pandas.DataFrame":
        """The standings, one row for each entrant."""
        return self.standings.to_pandas()

    def _repr_html_(self) -> str:
        return self.standings._repr_html_()

    def __str__(self) -> str:
        return f"{self.name}: {share_of(self.summary.done, self.summary.total, 'game')}\n\n{self.standings.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkResult:
    """A benchmark as it is stored now: one match, or one for each level."""

    db: Path
    summary: Summary
    matches: tuple[Match, ...]
    standings: Standings

    @classmethod
    def read(cls, store: Store, league: League, summary: Summary) -> Self:
        """The result of a run that has just ended."""
        records = list(store.counted(league.name))
        one, *others = (entrant.name for entrant in league.entrants)
        matches = tuple(_match(records, one, two) for two in others)
        standings = Results(store).standings(league.name)
        return cls(db=store.path, summary=summary, matches=matches, standings=standings)

    @property
    def match(self) -> Match:
        """The match; the first one if there are several."""
        return self.matches[0]

    def games(self) -> Games:
        """All games of the benchmark."""
        return api.load(self.db).games(self.summary.league)

    def to_pandas(self) -> "pandas.DataFrame":
        """One row for each match."""
        import pandas

        return pandas.concat([match.to_pandas() for match in self.matches], ignore_index=True)

    def _repr_html_(self) -> str:
        return "".join(match._repr_html_() for match in self.matches)

    def __str__(self) -> str:
        return "\n\n".join(str(match) for match in self.matches)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match with a sequential test: the score, and how the test ended."""

    db: Path
    summary: Summary
    match: Match
    course: Sequential

    @property
    def verdict(self) -> str:
        """How the test ended, in one line."""
        return self.course.outcome()

    def games(self) -> Games:
        """All games of the match."""
        return api.load(self.db).games(self.summary.league)

    def to_pandas(self) -> "pandas.DataFrame":
        """One row."""
        return self.match.to_pandas()

    def _repr_html_(self) -> str:
        return f"{self.match._repr_html_()}<p>{escape(self.verdict)}</p>"

    def __str__(self) -> str:
        return f"{self.match}\n{self.verdict}"


def _match(records: Sequence[GameRecord], one: str, two: str) -> Match:
    return Match.of([record for record in records if two in (record.first.name, record.second.name)], one=one, two=two)
