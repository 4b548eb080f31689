"""What a results file says about an agent, and about two of them: the facts behind their pages and the API."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from arena.competition.explanation import what_happened
from arena.competition.feedback import owners_of
from arena.entrants.submissions import Submissions
from results.errors import BadEntrants
from results.league import League
from results.notation.replay import cost_of, seat_of
from results.pages.agent_page import SlowMove
from results.pairing import PairCount
from results.record import GameRecord, Seat
from results.standings.score import Score
from results.standings.table import table
from results.store.store import Store

__all__ = [
    "Against",
    "AgentFacts",
    "AgentFault",
    "Code",
    "Difference",
    "Pair",
    "Place",
    "Tally",
    "agent_facts",
    "pair_facts"
]  # fmt: skip

#: The newest games that are looked at for slow moves and faults.
_SEARCHED: Final = 200
_SLOWEST: Final = 10
_FAULTS: Final = 50
_PLACES: Final = 20
_SHARED: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Games of an agent; the score is points per game with half of its 95 % interval, None without games."""

    games: int
    won: int
    drawn: int
    lost: int
    score: float | None
    error: float | None

    @classmethod
    def of(cls, pairs: Sequence[PairCount], name: str, seat: Seat | None = None) -> Self:
        """The games of `name` in these pairs, perhaps only those in one seat."""
        found = Score()
        for pair in pairs:
            if pair.first == name and seat != "second":
                found = Score(found.wins + pair.wins, found.draws + pair.draws, found.losses + pair.losses)
            elif pair.second == name and seat != "first":
                found = Score(found.wins + pair.losses, found.draws + pair.draws, found.losses + pair.wins)
        known = found.games > 0
        return cls(
            games=found.games, won=found.wins, drawn=found.draws, lost=found.losses,
            score=found.mean if known else None, error=found.error if known else None,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an agent stands in a league; Elo is None before its first game."""

    league: str
    rank: int
    points: float
    games: int
    elo: float | None
    elo_error: float | None
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The games of an agent against one opponent."""

    opponent: str
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFault:
    """A game that an agent lost by breaking a rule, explained in a sentence."""

    record: int
    rule: str
    happened: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One version of the code behind a name, and the leagues that it entered; owner and version may be empty."""

    agent: str
    version: str
    hash: str
    owner: str
    leagues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFacts:
    """An agent in all leagues of a file, the newest league first."""

    name: str
    places: tuple[Place, ...]
    opponents: tuple[Against, ...]
    first: Tally
    second: Tally
    slowest: tuple[SlowMove, ...]
    faults: tuple[AgentFault, ...]
    codes: tuple[Code, ...]


def agent_facts(store: Store, submissions: Submissions, name: str) -> AgentFacts:
    """The facts about an agent; `BadEntrants` if no league has an entrant of this name."""
    leagues = [league for league in store.leagues()[::-1] if any(one.name == name for one in league.entrants)]
    if not leagues:
        raise BadEntrants(f"no league in this file has an entrant called {name!r}")
    rated = [league for league in leagues if league.kind != "web"]  # games on the site stand for themselves
    pairs = [pair for league in rated for pair in store.pairs(league.name) if name in (pair.first, pair.second)]
    others = dict.fromkeys(pair.second if pair.first == name else pair.first for pair in pairs)
    recent = [store.record(number) for number in reversed(store.newest(agent=name, limit=_SEARCHED).numbers)]
    clocks = {league.name: league.settings.get("clock") for league in leagues}
    moves = (move for record in recent for move in _moves(record, name, clocks.get(record.league)))
    return AgentFacts(
        name=name,
        places=tuple(_place(store, league, name) for league in rated[:_PLACES]),
        opponents=tuple(Against(opponent=one, tally=Tally.of(_between(pairs, name, one), name)) for one in others),
        first=Tally.of(pairs, name, "first"), second=Tally.of(pairs, name, "second"),
        slowest=tuple(heapq.nlargest(_SLOWEST, moves, key=lambda move: move.seconds)),
        faults=tuple(_faults(recent, name))[:_FAULTS], codes=tuple(_codes(leagues, submissions, name)),
    )  # fmt: skip


def _place(store: Store, league: League, name: str) -> Place:
    row = next(row for row in table(store, league).rows if row.agent == name)
    return Place(
        league=league.name, rank=row.rank, points=row.points, games=row.games, elo=row.elo, elo_error=row.elo_error,
        status=row.status,
    )  # fmt: skip


def _between(pairs: Sequence[PairCount], one: str, two: str) -> list[PairCount]:
    return [pair for pair in pairs if {pair.first, pair.second} == {one, two}]


def _moves(record: GameRecord, name: str, clock: object) -> Iterator[SlowMove]:
    """The moves that the agent itself made, as its clock counted them."""
    cost = cost_of(clock)
    for turn in range(len(record.opening) + 1, record.turns + 1):
        if (record.first if seat_of(record, turn) == "first" else record.second).name == name:
            move = record.moves[turn - 1]
            yield SlowMove(id=record.id or 0, turn=turn, move=move.text, seconds=cost(move))


def _faults(records: Sequence[GameRecord], name: str) -> Iterator[AgentFault]:
    for record in reversed(records):
        fault = record.fault
        if fault and (record.first if fault.player == "first" else record.second).name == name:
            yield AgentFault(record=record.id or 0, rule=fault.rule, happened=what_happened(record))


def _codes(leagues: Sequence[League], submissions: Submissions, name: str) -> Iterator[Code]:
    found: dict[str, tuple[League, list[str]]] = {}
    for league in leagues:
        entrant = next(one for one in league.entrants if one.name == name)
        found.setdefault(entrant.hash, (league, []))[1].append(league.name)
    for hashed, (league, names) in found.items():
        entrant = next(one for one in league.entrants if one.name == name)
        owner = owners_of(league, submissions).get(name, "")
        yield Code(agent=entrant.agent, version=entrant.version, hash=hashed, owner=owner, leagues=tuple(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Elo of one above two in a league, by all its games; `more_games` between the two would settle who is better.

    `more_games` is None if that is settled, or if thousands would be needed.
    """

    league: str
    elo: float
    error: float
    los: float
    settled: bool
    more_games: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two agents: their games against each other, and against opponents that both have met (one, then two)."""

    one: str
    two: str
    all: Tally
    as_first: Tally
    as_second: Tally
    differences: tuple[Difference, ...]
    shared: tuple[tuple[Against, Against], ...]


def pair_facts(store: Store, *, one: str, two: str, league: str | None) -> Pair:
    """The facts about two agents, in one league or in all of them."""
    known = [store.known(league)] if league is not None else store.leagues()[::-1]
    names = {name: [found for found in known if any(e.name == name for e in found.entrants)] for name in (one, two)}
    for name, leagues in names.items():
        if not leagues:
            raise BadEntrants(f"no league in this file has an entrant called {name!r}")
    pairs = [pair for found in known for pair in store.pairs(found.name)]
    both = _between(pairs, one, two)
    return Pair(
        one=one, two=two, all=Tally.of(both, one), as_first=Tally.of(both, one, "first"),
        as_second=Tally.of(both, one, "second"), shared=tuple(_shared(pairs, one, two))[:_SHARED],
        differences=tuple(
            difference
            for found in names[one][:_PLACES]
            if found in names[two] and (difference := _difference(store, found, one, two)) is not None
        ),
    )  # fmt: skip


def _difference(store: Store, league: League, one: str, two: str) -> Difference | None:
    ratings = table(store, league).ratings
    found = ratings.difference(one, two)
    if found is None:
        return None
    return Difference(
        league=league.name, elo=found.elo, error=found.error, los=found.los, settled=found.settled,
        more_games=ratings.more_games(one, two),
    )  # fmt: skip


def _shared(pairs: Sequence[PairCount], one: str, two: str) -> Iterator[tuple[Against, Against]]:
    met = {name: {*(p.second for p in pairs if p.first == name), *(p.first for p in pairs if p.second == name)}
           for name in (one, two)}  # fmt: skip
    for other in sorted((met[one] & met[two]) - {one, two}):
        yield (
            Against(opponent=other, tally=Tally.of(_between(pairs, one, other), one)),
            Against(opponent=other, tally=Tally.of(_between(pairs, two, other), two)),
        )
