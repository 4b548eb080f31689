"""Ratings that move with every game: for pairing, where a fit of all games would take too long. Pure."""

import math
from dataclasses import dataclass, field
from typing import Final

__all__ = ["START_DEVIATION", "OnlineRating", "OnlineRatings"]

#: The standard deviation of the strengths of entrants that have not played, in Elo.
START_DEVIATION: Final = 350.0
#: No deviation is below this: an entrant with very many games still moves.
_LEAST_DEVIATION: Final = 15.0
#: Variance, in squared Elo, that an entrant gains while each of the others plays one game on average.
_DECAY: Final = 4.0
#: After a change of code half of what was known stays.
_RENEWED_DEVIATION: Final = START_DEVIATION / 2
_PER_ELO: Final = math.log(10) / 400
#: The logistic curve, averaged over a normal distribution, is nearly a flatter logistic curve (Glickman 1999).
_FLATTENING: Final = 3 * _PER_ELO**2 / math.pi**2


@dataclass(slots=True)
class OnlineRating:
    """What is known of an entrant: mean and variance of its strength in Elo, its games, and when it last played."""

    mean: float = 0.0
    variance: float = START_DEVIATION**2
    games: int = 0
    since_change: int = 0
    played_at: float = 0.0
    code: str = ""


@dataclass(slots=True)
class OnlineRatings:
    """The ratings of entrants by number, updated by one game after the other as in the system of Glicko.

    The same games in the same order give the same ratings. Time is counted in games of an average entrant: who does not
    play becomes less certain with it.
    """

    _ratings: dict[int, OnlineRating] = field(default_factory=dict)
    _time: float = 0.0

    def add(self, first: int, second: int, points: float, *, codes: tuple[str, str] = ("", "")) -> None:
        """Take note of a game with the points of first. An entrant whose code differs from before is less certain."""
        one, two = self._now(first, codes[0]), self._now(second, codes[1])
        self._time += 2 / len(self._ratings)
        flat_one = 1 / math.sqrt(1 + _FLATTENING * one.variance)
        flat_two = 1 / math.sqrt(1 + _FLATTENING * two.variance)
        mean_one, mean_two = one.mean, two.mean
        _move(one, mean_two, flat_two, points)
        _move(two, mean_one, flat_one, 1 - points)
        one.played_at = two.played_at = self._time

    def of(self, entrant: int) -> OnlineRating:
        """The rating of an entrant; it may not have played yet."""
        return self._ratings.get(entrant) or OnlineRating()

    def deviation(self, entrant: int) -> float:
        """The standard deviation of an entrant's strength now."""
        rating = self._ratings.get(entrant)
        return START_DEVIATION if rating is None else math.sqrt(self._variance(rating))

    def _now(self, entrant: int, code: str) -> OnlineRating:
        rating = self._ratings.get(entrant)
        if rating is None:
            rating = self._ratings[entrant] = OnlineRating(played_at=self._time, code=code)
        rating.variance = self._variance(rating)
        if rating.code != code:
            rating.code, rating.since_change = code, 0
            rating.variance = max(rating.variance, _RENEWED_DEVIATION**2)
        return rating

    def _variance(self, rating: OnlineRating) -> float:
        return min(rating.variance + _DECAY * (self._time - rating.played_at), START_DEVIATION**2)


def _move(rating: OnlineRating, opponent: float, flattening: float, points: float) -> None:
    """Move a rating by one result against an opponent with this mean, whose uncertainty flattens the curve."""
    expected = 1 / (1 + math.exp(-_PER_ELO * flattening * (rating.mean - opponent)))
    slope = _PER_ELO * flattening
    rating.variance = max(1 / (1 / rating.variance + slope**2 * expected * (1 - expected)), _LEAST_DEVIATION**2)
    rating.mean += rating.variance * slope * (points - expected)
    rating.games += 1
    rating.since_change += 1
