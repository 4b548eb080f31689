"""Ratings in Elo with error bars, and the sentences about them under a table. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from results.pairing import PairCount
from results.standings.bradley_terry import Cell, Fit, fit
from results.standings.elo import ELO_PER_NAT, NORMAL_95, likelihood
from results.text import plain

__all__ = ["Estimate", "Rating", "Ratings", "confidence", "rate", "rating_notes"]

#: Half of all squared standard normal deviations are below this.
_MEDIAN_SQUARE: Final = 0.454936
#: More games than this are not worth a promise.
_MOST_GAMES: Final = 10_000
#: Nearer than this to an even chance, an estimate says nothing about the games that would settle it.
_CLOSE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo above the average of the rated field; `error` is half of the 95 % interval of that difference."""

    elo: float
    error: float
    games: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A difference in Elo, half of its 95 % interval, and how likely it is above zero."""

    elo: float
    error: float
    los: float

    @property
    def settled(self) -> bool:
        """Whether the interval leaves zero out."""
        return abs(self.elo) > self.error


@dataclass(frozen=True, slots=True)
class Ratings:
    """The rated entrants (those who played), and what sitting first is worth (None if it was not asked for)."""

    rated: Mapping[str, Rating]
    first_advantage: Estimate | None
    _fit: Fit | None
    _places: Mapping[str, int]

    def of(self, entrant: str) -> Rating | None:
        """The rating of an entrant; None for one that has not played."""
        return self.rated.get(entrant)

    def difference(self, one: str, two: str) -> Estimate | None:
        """How much better `one` is than `two`; None if one of them has not played."""
        if self._fit is None or one not in self._places or two not in self._places or one == two:
            return None
        place, other = self._places[one], self._places[two]
        strengths, covariance = self._fit.strengths, self._fit.covariance
        variance = covariance[place][place] + covariance[other][other] - 2 * covariance[place][other]
        return _estimate(strengths[place] - strengths[other], variance)

    def more_games(self, one: str, two: str) -> int | None:
        """About how many games against each other, half with each seat, would settle which of the two is better.

        None if that is settled, or if more than 10,000 would be needed. The number is right within a factor of 2 for
        the median of many matches that end as soon as they are settled; a single one may take far less or far more.
        """
        difference = self.difference(one, two)
        if self._fit is None or difference is None or difference.settled or not difference.error:
            return None
        nats, error = difference.elo / ELO_PER_NAT, difference.error / ELO_PER_NAT / NORMAL_95
        # Counted in standard errors and squared, a difference grows in step with the information of the games, and
        # as fast as the true difference squared. An estimate near zero is hardly the truth: its median error is added.
        information = (NORMAL_95**2 - (nats / error) ** 2) / (nats**2 + _MEDIAN_SQUARE * error**2)
        slope = (_slope(nats + self._fit.first) + _slope(nats - self._fit.first)) / 2
        games = information * self._fit.dispersion / slope
        return max(2, 2 * math.ceil(games / 2)) if games <= _MOST_GAMES else None


def rate(
    entrants: Sequence[str], pairs: Sequence[PairCount], *, prior: float = 1.0, first_advantage: bool = True
) -> Ratings:
    """Elo of the entrants that played, from all games at once.

    A Bradley-Terry model: the odds of the points depend on the difference of the two strengths and on who sits first;
    a draw is half a point each. Every entrant, and the advantage of first, starts with `prior` imaginary draws (against
    an average entrant; between equals), so that a perfect score or two groups that never met give finite numbers with
    wide errors. Without prior these have no answer: such strengths stop far out, with errors that mean nothing.

    Errors allow for draws and for surprises. Games count as independent of each other: pair counts do not say which
    games shared an opening or repeat one another.
    """
    if prior < 0:
        raise ValueError(f"the prior is a number of imaginary games, not {prior:g}")
    games: Counter[str] = Counter()
    for pair in pairs:
        games[pair.first] += pair.games
        games[pair.second] += pair.games
    places = {entrant: place for place, entrant in enumerate(name for name in entrants if games[name])}
    if not places:
        return Ratings({}, None, None, {})
    cells = [_cell(pair, places) for pair in pairs if pair.games]
    fitted = fit(cells, entrants=len(places), prior=prior, first_advantage=first_advantage)
    return Ratings(
        rated=_rated(places, fitted, games),
        first_advantage=_estimate(fitted.first, fitted.covariance[-1][-1]) if first_advantage else None,
        _fit=fitted,
        _places=places,
    )


def _cell(pair: PairCount, places: Mapping[str, int]) -> Cell:
    first, second = places[pair.first], places[pair.second]
    return Cell(first=first, second=second, wins=pair.wins, draws=pair.draws, losses=pair.losses)


def _rated(places: Mapping[str, int], fitted: Fit, games: Mapping[str, int]) -> dict[str, Rating]:
    number = len(places)
    mean = math.fsum(fitted.strengths) / number
    shared = [math.fsum(row[:number]) / number for row in fitted.covariance[:number]]
    average = math.fsum(shared) / number
    rated = {}
    for entrant, place in places.items():
        variance = fitted.covariance[place][place] - 2 * shared[place] + average
        estimate = _estimate(fitted.strengths[place] - mean, variance)
        rated[entrant] = Rating(estimate.elo, estimate.error, games[entrant])
    return rated


def _estimate(nats: float, variance: float) -> Estimate:
    # Rounding may leave a hair below zero.
    deviation = math.sqrt(max(variance, 0.0))
    los = likelihood(nats / deviation) if deviation else 0.5
    return Estimate(ELO_PER_NAT * nats, NORMAL_95 * ELO_PER_NAT * deviation, los)


def _slope(nats: float) -> float:
    """By how much the expected points grow with the strength."""
    score = 1 / (1 + math.exp(-nats))
    return score * (1 - score)


@dataclass(frozen=True, slots=True)
class _Step:
    """Two neighbours of the table, the upper one first."""

    upper: str
    lower: str
    difference: Estimate


def rating_notes(ratings: Ratings, order: Sequence[str]) -> list[str]:
    """Up to three lines on who is better than the next in the table, `order` being that of the table, best first."""
    names = [name for name in order if ratings.of(name)]
    steps = [
        _Step(upper, lower, difference)
        for upper, lower in pairwise(names)
        if (difference := ratings.difference(upper, lower))
    ]
    if not steps:
        return ["Nobody is rated: there is no game that counts."]
    settled = [step for step in steps if step.difference.settled]
    if len(steps) > 1 and settled == steps and all(step.difference.elo > 0 for step in steps):
        least = min(step.difference.los for step in steps)
        return [f"Everybody is better than the next in the table with at least {confidence(least)} confidence."]
    ends = _ends(ratings, names)
    if not settled and not ends.difference.settled:
        return [f"There are too few games to tell who is better; {_settling(ratings, steps[0])}."]
    said = [_better(step) for step in settled[:1] or [ends]]
    said += [_settling(ratings, step) for step in steps if not step.difference.settled][:1]
    lines = [f"{'; '.join(said)}."]
    if len(steps) > 2:
        lines.append(f"Settled steps from one line of the table to the next: {len(settled)} of {len(steps)}.")
    return lines


def confidence(los: float) -> str:
    """A likelihood in percent, never more than it is.

    >>> confidence(0.978), confidence(1.0)
    ('97 %', '99 %')
    """
    return f"{min(math.floor(los * 100), 99)} %"


def _ends(ratings: Ratings, names: Sequence[str]) -> _Step:
    """The best and the weakest, by rating."""
    ranked = sorted(names, key=lambda name: rating.elo if (rating := ratings.of(name)) else 0.0)
    difference = ratings.difference(ranked[-1], ranked[0])
    assert difference is not None
    return _Step(ranked[-1], ranked[0], difference)


def _better(step: _Step) -> str:
    better, worse, los = step.upper, step.lower, step.difference.los
    if los < 0.5:
        better, worse, los = worse, better, 1 - los
    return f"{plain(better, limit=40)} is better than {plain(worse, limit=40)} with {confidence(los)} confidence"


def _settling(ratings: Ratings, step: _Step) -> str:
    if abs(step.difference.los - 0.5) < _CLOSE:
        return f"{plain(step.upper, limit=40)} and {plain(step.lower, limit=40)} are too close to tell apart soon"
    games = ratings.more_games(step.upper, step.lower)
    number = "many thousands of games" if games is None else f"about {_round(games)} more games"
    return f"{number} would settle {plain(step.upper, limit=40)} against {plain(step.lower, limit=40)}"


def _round(games: int) -> int:
    """The number as precise as a guess may look: tens, from 1000 on hundreds."""
    if games < 20:
        return games
    unit = 10 if games < 1000 else 100
    return math.ceil(games / unit) * unit
