"""The table of a stored league: games, awards, departures and ratings together."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import zip_longest

from results.league import League
from results.pairing import Meeting, PairCount
from results.standings import bracket
from results.standings.ratings import Ratings, rate
from results.standings.standings import Row, standings
from results.store.store import Store

__all__ = ["Table", "meetings", "rows", "table"]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows, best first, with the counts and ratings they were computed from."""

    rows: list[Row]
    pairs: list[PairCount]
    ratings: Ratings


def table(store: Store, league: League) -> Table:
    """The table of a league as it is stored now."""
    pairs = store.pairs(league.name)
    ratings = rate([entrant.name for entrant in league.entrants], pairs)
    plain = rows(store, league, pairs)
    rated = [_rated(row, after, ratings) for row, after in zip_longest(plain, plain[1:])]
    return Table(rated, pairs, ratings)


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
        scores[award.key] = award.points if award.entrant == firsts[award.key] else 1 - award.points
    return [Meeting(pairing, scores.get(pairing.key), settled=pairing.key in settled) for pairing in drawn]
