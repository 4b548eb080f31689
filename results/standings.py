"""Who is ahead, as a function of the games that were played. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from results.pairs import PairCount

__all__ = ["PairCount", "Row", "crosstable", "standings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the standings.

    `direct` counts the points against those with equally many points; `score_first` and `score_second` are the
    average points of a game with that seat, None before the first one.
    """

    rank: int
    agent: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    faults: int
    score_first: float | None
    score_second: float | None
    direct: float
    sonneborn_berger: float
    wins_second: int


@dataclass(slots=True)
class _Seat:
    """What an entrant did with one of the two seats."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        return self.points / self.games if self.games else None


def standings(entrants: Sequence[str], pairs: Sequence[PairCount]) -> list[Row]:
    """The entrants, best first: by points, direct encounter among the tied, Sonneborn-Berger, wins, wins as second.

    Who is equal in all of these shares a rank and is listed in the order of `entrants`.
    """
    firsts, seconds = _seats(entrants, pairs)
    points = {agent: firsts[agent].points + seconds[agent].points for agent in entrants}
    against = crosstable(entrants, pairs)
    lines = []
    for agent in entrants:
        first, second = firsts[agent], seconds[agent]
        tied = [other for other in entrants if other != agent and points[other] == points[agent]]
        lines.append(
            Row(
                rank=0,
                agent=agent,
                points=points[agent],
                games=first.games + second.games,
                wins=first.wins + second.wins,
                draws=first.draws + second.draws,
                losses=first.losses + second.losses,
                faults=first.faults + second.faults,
                score_first=first.score,
                score_second=second.score,
                direct=fsum(against[agent].get(other, 0.0) for other in tied),
                sonneborn_berger=fsum(scored * points[other] for other, scored in against[agent].items()),
                wins_second=second.wins,
            )
        )
    return _ranked(lines)


def crosstable(entrants: Sequence[str], pairs: Sequence[PairCount]) -> dict[str, dict[str, float]]:
    """Points of each entrant (outer key) against each opponent it has met (inner key), both seats together."""
    table: dict[str, dict[str, float]] = {agent: {} for agent in entrants}
    for pair in pairs:
        if pair.games:
            row, column = table[pair.first], table[pair.second]
            row[pair.second] = row.get(pair.second, 0.0) + pair.points_first
            column[pair.first] = column.get(pair.first, 0.0) + pair.points_second
    return table


def _seats(entrants: Sequence[str], pairs: Sequence[PairCount]) -> tuple[Mapping[str, _Seat], Mapping[str, _Seat]]:
    firsts = {agent: _Seat() for agent in entrants}
    seconds = {agent: _Seat() for agent in entrants}
    for pair in pairs:
        first, second = firsts[pair.first], seconds[pair.second]
        for seat, wins, losses, faults in (
            (first, pair.wins, pair.losses, pair.faults_first),
            (second, pair.losses, pair.wins, pair.faults_second),
        ):
            seat.games += pair.games
            seat.wins += wins
            seat.draws += pair.draws
            seat.losses += losses
            seat.faults += faults
    return firsts, seconds


def _ranked(lines: Sequence[Row]) -> list[Row]:
    groups: dict[tuple[float, ...], list[Row]] = defaultdict(list)
    for row in lines:
        groups[row.points, row.direct, row.sonneborn_berger, row.wins, row.wins_second].append(row)
    ranked: list[Row] = []
    for key in sorted(groups, reverse=True):
        rank = len(ranked) + 1
        ranked += [replace(row, rank=rank) for row in groups[key]]
    return ranked
