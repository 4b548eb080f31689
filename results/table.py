"""The standings of a stored league, with everything that counts: games, awards, who has left, ratings."""

from collections import Counter
from dataclasses import dataclass, replace

from results.league import League
from results.pairs import PairCount
from results.ratings import Ratings, rate
from results.standings import Row, standings
from results.store import Store

__all__ = ["Table", "rows", "table"]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows best first, with ratings; what they were computed from."""

    rows: list[Row]
    pairs: list[PairCount]
    ratings: Ratings


def table(store: Store, league: League) -> Table:
    """The standings of a league as it is stored now."""
    pairs = store.pairs(league.name)
    ratings = rate([entrant.name for entrant in league.entrants], pairs)
    rated = []
    for row in rows(store, league, pairs):
        rating = ratings.of(row.agent)
        rated.append(row if rating is None else replace(row, elo=rating.elo, elo_error=rating.error))
    return Table(rated, pairs, ratings)


def rows(store: Store, league: League, pairs: list[PairCount]) -> list[Row]:
    """The same without ratings, which take longer."""
    awards: Counter[str] = Counter()
    for award in store.awards(league.name):
        awards[award.entrant] += award.points  # type: ignore[assignment]
    return standings(
        [entrant.name for entrant in league.entrants], pairs, format=league.format, awards=awards,
        absent=league.absent, stages=_stages(store, league) if league.format == "knockout" else None,
    )  # fmt: skip


def _stages(store: Store, league: League) -> dict[str, int]:
    """How far each has come in a knockout: the rounds it was drawn in, one more if its opponent has left."""
    reached = dict.fromkeys((entrant.name for entrant in league.entrants), 1)
    rounds = {}
    for pairing in store.drawn(league.name):
        rounds[pairing.key] = pairing.round
        for number in (pairing.first, pairing.second):
            name = league.entrants[number - 1].name
            reached[name] = max(reached[name], pairing.round + 1)
    for award in store.awards(league.name):
        reached[award.entrant] = max(reached[award.entrant], rounds[award.key] + 2)
    return reached
