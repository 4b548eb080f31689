"""Ratings in Elo with error bars, and the sentences about them under a table. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from results.pairing import PairCount
from results.standings.bradley_terry import Fit, fit
from results.standings.curvature import Cells
from results.standings.elo import ELO_PER_NAT, NORMAL_95, likelihood
from results.text import plain

__all__ = ["Estimate", "Rating", "Ratings", "confidence", "rate", "rating_notes"]

#: The median of a squared standard normal deviate.
_MEDIAN_SQUARE: Final = 0.454936
#: No forecast is made beyond this many games.
_MOST_GAMES: Final = 10_000
#: If a likelihood is nearer than this to 0.5, the number of games that would decide it is not forecast.
_CLOSE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo relative to the average of all rated entrants; `error` is half of its 95 % interval."""

    elo: float
    error: float
    games: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A difference in Elo, half of its 95 % interval, and the likelihood that it is above zero."""

    elo: float
    error: float
    los: float

    @property
    def settled(self) -> bool:
        """Whether the interval excludes zero."""
        return abs(self.elo) > self.error


@dataclass(frozen=True, slots=True)
class Ratings:
    """The rated entrants (those that played), and the advantage of first (None if it was not asked for)."""

    rated: Mapping[str, Rating]
    first_advantage: Estimate | None
    _fit: Fit | None = field(compare=False)  # arrays, which the ratings repeat
    _places: Mapping[str, int]

    def of(self, entrant: str) -> Rating | None:
        """The rating of an entrant; None if it has not played."""
        return self.rated.get(entrant)

    def difference(self, one: str, two: str) -> Estimate | None:
        """The rating of `one` minus the rating of `two`; None if one of them has not played."""
        if self._fit is None or one not in self._places or two not in self._places or one == two:
            return None
        place, other = self._places[one], self._places[two]
        apart = float(self._fit.strengths[place] - self._fit.strengths[other])
        return _estimate(apart, self._fit.covariance.of_difference(place, other))

    def more_games(self, one: str, two: str) -> int | None:
        """About how many more games between the two, half with each seat, would settle which one is better.

        None if that is settled, or if more than 10,000 would be needed. The number is right within a factor of 2 for
        the median of many matches that end as soon as they are settled; a single match may need far fewer or more.
        """
        difference = self.difference(one, two)
        if self._fit is None or difference is None or difference.settled or not difference.error:
            return None
        nats, error = difference.elo / ELO_PER_NAT, difference.error / ELO_PER_NAT / NORMAL_95
        # The squared difference, in standard errors, grows linearly with the information of the games and with the
        # square of the true difference. An estimate near zero is likely too small, so its median error is added.
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
    wide errors. Without a prior such strengths are unbounded: they stop at a limit, and their errors mean nothing.

    Errors take draws and surprises into account. Games count as independent of each other: pair counts do not tell
    which games share an opening or repeat another game.
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
    played = [pair for pair in pairs if pair.games]
    fitted = fit(_cells(played, places), prior=prior, first_advantage=first_advantage)
    return Ratings(
        rated=_rated(places, fitted, games),
        first_advantage=_estimate(fitted.first, fitted.covariance.advantage) if first_advantage else None,
        _fit=fitted,
        _places=places,
    )


def _cells(pairs: Sequence[PairCount], places: Mapping[str, int]) -> Cells:
    import numpy as np

    return Cells(
        entrants=len(places),
        first=np.array([places[pair.first] for pair in pairs]),
        second=np.array([places[pair.second] for pair in pairs]),
        wins=np.array([pair.wins for pair in pairs], float),
        draws=np.array([pair.draws for pair in pairs], float),
        losses=np.array([pair.losses for pair in pairs], float),
    )


def _rated(places: Mapping[str, int], fitted: Fit, games: Mapping[str, int]) -> dict[str, Rating]:
    relative, variances = fitted.strengths - fitted.strengths.mean(), fitted.covariance.from_mean()
    rated = {}
    for entrant, nats, variance in zip(places, relative.tolist(), variances.tolist(), strict=True):
        estimate = _estimate(nats, variance)
        rated[entrant] = Rating(estimate.elo, estimate.error, games[entrant])
    return rated


def _estimate(nats: float, variance: float) -> Estimate:
    # Rounding may make it slightly negative.
    deviation = math.sqrt(max(variance, 0.0))
    los = likelihood(nats / deviation) if deviation else 0.5
    return Estimate(ELO_PER_NAT * nats, NORMAL_95 * ELO_PER_NAT * deviation, los)


def _slope(nats: float) -> float:
    """The derivative of the expected points by the strength."""
    odds = math.exp(-abs(nats))  # not 1 - score, which is 0 for large strengths
    return odds / (1 + odds) ** 2


@dataclass(frozen=True, slots=True)
class _Step:
    """Two neighbours in the table, the upper one first."""

    upper: str
    lower: str
    difference: Estimate


def rating_notes(ratings: Ratings, order: Sequence[str]) -> list[str]:
    """Up to three sentences about which entrants are better than the next one; `order` is the table, best first."""
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
        return [f"No difference is certain yet. {_settling(ratings, steps[0], about='About', many='Many')}."]
    parts = [_better(step) for step in settled[:1] or [ends]]
    parts += [_settling(ratings, step) for step in steps if not step.difference.settled][:1]
    lines = [f"{'; '.join(parts)}."]
    if len(steps) > 2:
        lines.append(f"Neighbours in the table whose order is certain: {len(settled)} of {len(steps)}.")
    return lines


def confidence(los: float) -> str:
    """A likelihood in percent, rounded down, at most 99 %.

    >>> confidence(0.978), confidence(1.0)
    ('97 %', '99 %')
    """
    return f"{min(math.floor(los * 100), 99)} %"


def _ends(ratings: Ratings, names: Sequence[str]) -> _Step:
    """The best and the weakest entrant by rating."""
    ranked = sorted(names, key=lambda name: rating.elo if (rating := ratings.of(name)) else 0.0)
    difference = ratings.difference(ranked[-1], ranked[0])
    assert difference is not None
    return _Step(ranked[-1], ranked[0], difference)


def _better(step: _Step) -> str:
    better, worse, los = step.upper, step.lower, step.difference.los
    if los < 0.5:
        better, worse, los = worse, better, 1 - los
    return f"{plain(better, limit=40)} is better than {plain(worse, limit=40)} with {confidence(los)} confidence"


def _settling(ratings: Ratings, step: _Step, *, about: str = "about", many: str = "many") -> str:
    """How many games are missing. The caller writes `about` and `many` with capitals at the start of a sentence."""
    both = f"{plain(step.upper, limit=40)} and {plain(step.lower, limit=40)}"
    if abs(step.difference.los - 0.5) < _CLOSE:
        return f"{both} are so close that many more games would be needed"
    games = ratings.more_games(step.upper, step.lower)
    number = f"{many} thousands of games" if games is None else f"{about} {_round(games)} more game{'s' * (games != 1)}"
    return f"{number} between {both} would decide those two"


def _round(games: int) -> int:
    """The number rounded up to tens, or to hundreds from 1000 on."""
    if games < 20:
        return games
    unit = 10 if games < 1000 else 100
    return math.ceil(games / unit) * unit
