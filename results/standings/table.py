"""The table of a league: the ranking by points with all tie-breaks, and the ratings.

`standings` is pure arithmetic on counts of results; `table` reads the counts from the store.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, zip_longest
from math import ceil, fsum
from types import MappingProxyType
from typing import Final, TypeAlias

from results.cpu_load import Load
from results.league import League
from results.pairing import RATED, Meeting, PairCount, RecentGame
from results.standings import bracket
from results.standings.ratings import Ratings, rate, rating_notes
from results.standings.recent_form import RECENT_GAMES, cpu_shares, trends
from results.store.store import Store

__all__ = ["PairCount", "Row", "Table", "crosstable", "decided_by", "meetings", "rows", "standings", "table"]

_Key: TypeAlias = tuple[float, ...]
#: Trends are of at most so many games in all, so that a table takes less than a second.
_MOST_RECENT: Final = 5_000
_NO_AWARDS: Final[Mapping[str, float]] = MappingProxyType({})
_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the standings.

    `points` include `awarded`, the points without a game. `score_first` and `score_second` are the average points per
    game in that seat, None without games.
    `direct` is the points against tied entrants; it is 0 unless all of them met each other equally often.
    `sonneborn_berger` is the sum of the points of all beaten opponents, and half the points of drawn opponents.
    `koya` is the points against entrants that have at least half of their possible points.
    `buchholz` is the sum of the points of all opponents. In a Swiss league a bye counts as a win against an opponent
    with as many points as the entrant itself.
    `status` is "withdrawn", "suspended" or empty, and `why` is the reason. `stage` is the knockout round reached.
    `elo`, `elo_error` and `los` are None until ratings are computed; `los` is the likelihood that the entrant is
    better than the next one in the table. In a ladder, `trend` is by how many Elo its last 20 games were better than
    its rating, and `cpu_share` its share of the CPU time of the last games of all.
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
    koya: float
    buchholz: float
    awarded: float
    status: str
    why: str = ""
    stage: int | None = None
    elo: float | None = None
    elo_error: float | None = None
    los: float | None = None
    trend: float | None = None
    cpu_share: float | None = None


@dataclass(frozen=True, slots=True)
class _Meetings:
    """Points against each opponent, and the number of games of each two, both computed once for all rows."""

    points: Mapping[str, Mapping[str, float]]
    games: Counter[tuple[str, str]]


@dataclass(slots=True)
class _Seat:
    """The results of an entrant in one of the two seats."""

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


def standings(
    entrants: Sequence[str], pairs: Sequence[PairCount], *, format: str = "round-robin",  # noqa: A002 - as everywhere
    awards: Mapping[str, float] = _NO_AWARDS, absent: Mapping[str, str] = _NOBODY,
    stages: Mapping[str, int] | None = None,
) -> list[Row]:  # fmt: skip
    """The rows of the entrants, best first.

    The order is points, direct encounter among tied entrants, Sonneborn-Berger, wins, wins as second, Koya. In a Swiss
    league it is points, Buchholz, direct encounter, Sonneborn-Berger, wins, wins as second. In a knockout it is the
    stage, then direct encounter and seed among entrants of the same stage. In a gauntlet, points per game come first.
    Entrants that are equal in all of these share a rank, in the order of `entrants`. In a ladder and an adaptive league
    ratings decide: the rows have no rank yet.
    `awards` are points without a game. `absent` is the status of entrants that no longer play; such an entrant comes
    last if it has neither a game nor an award.
    """
    met = _Meetings(crosstable(entrants, pairs), _met(pairs))
    rows = [
        replace(row, status=absent.get(row.agent, ""), stage=None if stages is None else stages.get(row.agent, 0))
        for row in _rows(entrants, pairs, awards, met, with_dummies=format == "swiss")
    ]
    idle = [row for row in rows if row.status and not row.games and not row.awarded]
    playing = [row for row in rows if not row.status or row.games or row.awarded]
    reached = stages or {}

    def before(row: Row) -> _Key:
        """What is compared before the direct encounter."""
        if format == "knockout":
            return (reached.get(row.agent, 0),)
        if format == "gauntlet":  # one entrant plays far more games than the others
            return (row.points / max(row.games + row.awarded, 1),)
        return (row.points, row.buchholz) if format == "swiss" else (row.points,)

    def order(row: Row) -> _Key:
        # A level tie of a knockout goes to the better seed.
        seed = -entrants.index(row.agent) if format == "knockout" and row.direct else 0
        last = () if format == "swiss" else (row.koya,)
        return (*before(row), row.direct, seed, row.points, row.sonneborn_berger, row.wins, row.wins_second, *last)

    if format in RATED:  # thousands may have equal points, and ratings decide
        return [*playing, *idle]
    ranked = _ranked(_with_direct(playing, met, before), order)
    return ranked + [replace(row, rank=len(ranked) + 1) for row in idle]


def crosstable(entrants: Sequence[str], pairs: Sequence[PairCount]) -> dict[str, dict[str, float]]:
    """Points of each entrant (outer key) against each opponent that it met (inner key), both seats together."""
    table: dict[str, dict[str, float]] = {agent: {} for agent in entrants}
    for pair in pairs:
        if pair.games:
            row, column = table[pair.first], table[pair.second]
            row[pair.second] = row.get(pair.second, 0.0) + pair.points_first
            column[pair.first] = column.get(pair.first, 0.0) + pair.points_second
    return table


def _rows(
    entrants: Sequence[str],
    pairs: Sequence[PairCount],
    awards: Mapping[str, float],
    meetings: _Meetings,
    *,
    with_dummies: bool,
) -> Iterable[Row]:
    """The rows without rank and direct encounter."""
    firsts, seconds = _seats(entrants, pairs)
    points = {agent: firsts[agent].points + seconds[agent].points + awards.get(agent, 0.0) for agent in entrants}
    against, met = meetings.points, meetings.games
    strong = {
        agent
        for agent in entrants
        if 2 * points[agent] >= firsts[agent].games + seconds[agent].games + ceil(awards.get(agent, 0.0))
    }
    for agent in entrants:
        first, second, scored = firsts[agent], seconds[agent], against[agent]
        awarded = awards.get(agent, 0.0)
        # The dummy opponent of FIDE, which has as many points as the entrant itself.
        dummies, gained = (ceil(awarded), awarded) if with_dummies else (0, 0.0)
        yield Row(
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
            direct=0.0,
            sonneborn_berger=fsum(scored[other] * points[other] for other in scored) + gained * points[agent],
            wins_second=second.wins,
            koya=fsum(scored[other] for other in scored if other in strong),
            buchholz=fsum(met[agent, other] * points[other] for other in scored) + dummies * points[agent],
            awarded=awarded,
            status="",
        )


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


def _met(pairs: Sequence[PairCount]) -> Counter[tuple[str, str]]:
    """The number of games between two entrants, under both orders of their names."""
    met: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        met[pair.first, pair.second] += pair.games
        met[pair.second, pair.first] += pair.games
    return met


def _groups(rows: Iterable[Row], key: Callable[[Row], _Key]) -> dict[_Key, list[Row]]:
    groups: dict[_Key, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _with_direct(rows: Sequence[Row], meetings: _Meetings, before: Callable[[Row], _Key]) -> list[Row]:
    """The rows with their direct encounter, where all tied entrants met each other equally often."""
    against, met = meetings.points, meetings.games
    direct: dict[str, float] = {}
    for group in _groups(rows, before).values():
        names = [row.agent for row in group]
        games = met[names[0], names[-1]]  # 0 for one alone
        # The first pair that differs ends it: at the start, thousands have the same points.
        if games and all(met[pair] == games for pair in combinations(names, 2)):
            direct |= {one: fsum(against[one][two] for two in names if two != one) for one in names}
    return [replace(row, direct=direct.get(row.agent, 0.0)) for row in rows]


def _ranked(rows: Sequence[Row], order: Callable[[Row], _Key]) -> list[Row]:
    ranked: list[Row] = []
    for _, group in sorted(_groups(rows, order).items(), reverse=True):
        rank = len(ranked) + 1
        ranked += [replace(row, rank=rank) for row in group]
    return ranked


def decided_by(upper: Row, lower: Row, *, format: str) -> str:  # noqa: A002 - as everywhere
    """The tie-break that ranks one entrant above another with the same points; empty if there is none."""
    if format in ("knockout", "gauntlet") or upper.points != lower.points or upper.rank == lower.rank:
        return ""
    breaks: dict[str, Callable[[Row], float]] = {
        "direct encounter": lambda row: row.direct,
        "Sonneborn-Berger": lambda row: row.sonneborn_berger,
        "wins": lambda row: row.wins,
        "wins as second": lambda row: row.wins_second,
        "Koya": lambda row: row.koya,
    }
    if format == "swiss":
        breaks = {"Buchholz": lambda row: row.buchholz, **breaks}
    return next((name for name, value in breaks.items() if value(upper) != value(lower)), "")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows, best first, with the counts and ratings they were computed from."""

    rows: list[Row]
    pairs: list[PairCount]
    ratings: Ratings
    load: Load = field(default_factory=Load)

    @property
    def notes(self) -> list[str]:
        """What the rows do not show: whose lead is certain, and whether the games had enough CPU."""
        return [*rating_notes(self.ratings, [row.agent for row in self.rows]), *self.load.notes]


def table(store: Store, league: League) -> Table:
    """The table of a league as it is stored now."""
    pairs = store.pairs(league.name)
    ratings = rate([entrant.name for entrant in league.entrants], pairs)
    plain = rows(store, league, pairs)
    if league.format in RATED:
        plain = _by_rating(plain, ratings, store.recent(league.name, most=min(RECENT_GAMES * len(plain), _MOST_RECENT)))
    rated = [_rated(row, after, ratings) for row, after in zip_longest(plain, plain[1:])]
    return Table(rated, pairs, ratings, store.load(league.name))


def _by_rating(rows: Sequence[Row], ratings: Ratings, recent: Sequence[RecentGame]) -> list[Row]:
    """The rows, best first: those that still play, those that have left, and those without a game."""
    form, shares = trends(recent, ratings), cpu_shares(recent)
    elo = {row.agent: rating.elo for row in rows if (rating := ratings.of(row.agent)) is not None}
    order = sorted(rows, key=lambda row: (row.agent not in elo, bool(row.status), -elo.get(row.agent, 0.0)))
    return [
        replace(row, rank=rank, trend=form.get(row.agent), cpu_share=shares.get(row.agent))
        for rank, row in enumerate(order, 1)
    ]


def _rated(row: Row, after: Row | None, ratings: Ratings) -> Row:
    rating = ratings.of(row.agent)
    if rating is None:
        return row
    ahead = None if after is None else ratings.difference(row.agent, after.agent)
    return replace(row, elo=rating.elo, elo_error=rating.error, los=None if ahead is None else ahead.los)


def rows(store: Store, league: League, pairs: list[PairCount]) -> list[Row]:
    """The rows without ratings, which take longer to compute."""
    awards: Counter[str] = Counter()
    for award in store.awards(league.name):
        awards[award.entrant] += award.points  # type: ignore[assignment]
    ranked = standings(
        [entrant.name for entrant in league.entrants], pairs, format=league.format, awards=awards,
        absent=league.absent, stages=_stages(store, league) if league.format == "knockout" else None,
    )  # fmt: skip
    left = league.departures
    return [replace(row, why=left[row.agent].detail) if row.agent in left else row for row in ranked]


def _stages(store: Store, league: League) -> dict[str, int]:
    """The stage that each entrant reached in a knockout."""
    reached = bracket.stages(league.active, meetings(store, league), rounds=league.rounds)
    return {entrant.name: reached.get(number, 0) for number, entrant in enumerate(league.entrants, 1)}


def meetings(store: Store, league: League) -> list[Meeting]:
    """All stored pairings with their outcome, oldest first; an award counts like a result."""
    drawn, settled = store.drawn(league.name), store.keys(league.name)
    scores = store.scores(league.name)
    firsts = {pairing.key: league.entrants[pairing.first - 1].name for pairing in drawn}
    for award in store.awards(league.name):
        first = firsts.get(award.key)  # None in a damaged file
        scores[award.key] = award.points if award.entrant == first else 1 - award.points
    return [Meeting(pairing, scores.get(pairing.key), settled=pairing.key in settled) for pairing in drawn]
