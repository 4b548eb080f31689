"""Who meets whom where ratings decide: in a ladder, and in leagues that play on until their order is settled. Pure."""

import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from results.standings.online import OnlineRatings

__all__ = ["PLACEMENT_GAMES", "draw", "is_placed"]

#: An entrant is a newcomer until it has played this many games.
PLACEMENT_GAMES: Final = 20
#: A newcomer has this many pairs of games in a draw, others have one.
_NEWCOMER_PAIRS: Final = 4
#: Without random opponents, strengths that are not transitive would never show.
_RANDOM_SHARE: Final = 0.25
#: An entrant meets one of so many entrants below it, so that neighbours do not meet only each other.
_WINDOW: Final = 2

_Pair: TypeAlias = tuple[int, int]


def is_placed(entrant: int, ratings: OnlineRatings) -> bool:
    """Whether an entrant has played enough games with its present code not to be a newcomer."""
    return ratings.of(entrant).since_change >= PLACEMENT_GAMES


def draw(
    entrants: Sequence[int], ratings: OnlineRatings, rng: random.Random, *, doubtful: Sequence[_Pair] = ()
) -> list[_Pair]:
    """Pairs of entrants that meet next, each for two games with seats swapped; no pair comes twice.

    A quarter of the pairs are random. For the others a strength is drawn for each entrant from what is known of it
    (Thompson sampling), and neighbours in that order meet: entrants that may be equal, and mostly those of which little
    is known. Newcomers come several times. `doubtful` are pairs whose order matters most, the most urgent first: once
    nobody is new, the first half of them takes the place of the neighbours.
    """
    new = [number for number in entrants if not is_placed(number, ratings)]
    seats = [*entrants, *new * (_NEWCOMER_PAIRS - 1)]
    rng.shuffle(seats)
    wanted = list(doubtful[: (len(doubtful) + 1) // 2]) if not new else []
    count = len(wanted) if wanted else len(seats) // 2
    chance = 2 * int(count * _RANDOM_SHARE + rng.random())
    drawn = wanted or _sampled(seats[chance:], ratings, rng)
    pairs = dict.fromkeys((min(pair), max(pair)) for pair in [*drawn, *_neighbours(deque(seats[:chance]), rng)])
    return [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]


def _sampled(seats: Sequence[int], ratings: OnlineRatings, rng: random.Random) -> list[_Pair]:
    """Neighbours in the order of strengths that are drawn at random."""
    drawn = [(rng.gauss(ratings.of(number).mean, ratings.deviation(number)), number) for number in seats]
    return list(_neighbours(deque(number for _, number in sorted(drawn, reverse=True)), rng))


def _neighbours(order: deque[int], rng: random.Random) -> Iterator[_Pair]:
    """Pairs of entrants that are near to each other in the order; who is left without an opponent is left out."""
    while len(order) > 1:
        one = order.popleft()
        place = int(rng.random() * min(_WINDOW, len(order)))
        if order[place] == one:
            place = next((other for other, number in enumerate(order) if number != one), -1)
        if place < 0:  # only seats of one newcomer are left
            return
        yield one, order[place]
        del order[place]
