"""How far an order by ratings is settled, and which games would settle it soonest. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from results.standings.ratings import Ratings

__all__ = ["LEVEL_ELO", "Doubt", "doubts"]

#: Two entrants count as level if it is certain (95 %) that less than this lies between them.
LEVEL_ELO: Final = 30.0


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two neighbours whose order is open. `games` is about how many more would settle it, None for very many."""

    upper: str
    lower: str
    games: int | None


def doubts(ratings: Ratings, entrants: Sequence[str]) -> list[Doubt]:
    """The neighbours by rating whose order is neither certain nor level; those that need the fewest games first."""
    rated = [(rating.elo, name) for name in entrants if (rating := ratings.of(name)) is not None]
    order = [name for _, name in sorted(rated, reverse=True)]
    found = []
    for upper, lower in pairwise(order):
        difference = ratings.difference(upper, lower)
        if difference is None or difference.settled or abs(difference.elo) + difference.error < LEVEL_ELO:
            continue
        found.append(Doubt(upper, lower, ratings.more_games(upper, lower)))
    return sorted(found, key=lambda doubt: math.inf if doubt.games is None else doubt.games)
