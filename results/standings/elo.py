"""The score of a match in Elo, with its error. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["ELO_PER_NAT", "NORMAL_95", "Performance", "elo_of", "likelihood", "performance", "score_of", "spread"]

#: Elo is 400 log10 of the odds, so this many Elo correspond to odds of e.
ELO_PER_NAT: Final = 400 / math.log(10)
#: 95 % of the standard normal distribution lies between minus and plus this value.
NORMAL_95: Final = 1.959963984540054

#: With at least this many games (or pairs) above and below a draw, no imaginary results are added.
_ENOUGH: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """Elo, normalized Elo and likelihood of superiority of one side; an error is half of a 95 % interval.

    A value without a bound is None: the Elo of a perfect score, or the error if its interval reaches one.
    """

    elo: float | None = None
    error: float | None = None
    nelo: float | None = None
    nelo_error: float | None = None
    los: float = 0.5


def elo_of(score: float) -> float | None:
    """The difference in Elo that gives this mean score; None for 0, 1 and values beyond."""
    return ELO_PER_NAT * math.log(score / (1 - score)) if 0 < score < 1 else None


def score_of(elo: float) -> float:
    """The mean score that this difference in Elo gives."""
    return 1 / (1 + math.exp(-elo / ELO_PER_NAT))


def likelihood(deviations: float) -> float:
    """The probability that a difference, measured as this many standard errors, is truly above zero."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def performance(counts: Sequence[int], *, mean: float | None = None) -> Performance:
    """The performance from counts, worst result first: 3 counts of games, or 5 counts of mirrored pairs.

    `mean` is the mean score if it comes from more games than those that are counted.
    Normalized Elo measures the score in standard deviations of a game, so that draws do not dilute it.

    >>> match = performance([96, 111, 136])
    >>> f"{match.elo:.2f} ± {match.error:.2f}, {match.nelo:.2f} ± {match.nelo_error:.2f}, {match.los:.3f}"
    '40.70 ± 30.43, 49.77 ± 36.77, 0.996'
    """
    number = sum(counts)
    if not number:
        return Performance()
    average, variance = spread(counts)
    mean = average if mean is None else mean
    deviation = math.sqrt(variance / number)
    los = likelihood((mean - 0.5) / deviation)
    elo = elo_of(mean)
    if elo is None:
        return Performance(los=los)
    low, high = elo_of(mean - NORMAL_95 * deviation), elo_of(mean + NORMAL_95 * deviation)
    games = number * (len(counts) // 2)
    return Performance(
        elo=elo,
        error=None if low is None or high is None else (high - low) / 2,
        nelo=2 * ELO_PER_NAT * (mean - 0.5) / math.sqrt(variance * (games // number)),
        nelo_error=2 * ELO_PER_NAT * NORMAL_95 / math.sqrt(games),
        los=los,
    )


def spread(counts: Sequence[int]) -> tuple[float, float]:
    """Mean and variance of the results with these counts (worst first), on a scale from 0 to 1.

    If there are few games on one side of a draw, an imaginary win and an imaginary loss are added to the variance,
    because a few equal results are not certainty.
    """
    middle = len(counts) // 2
    scores = [index / (len(counts) - 1) for index in range(len(counts))]
    mean = math.fsum(map(float.__mul__, scores, map(float, counts))) / sum(counts)
    weights = [float(count) for count in counts]
    if min(sum(counts[:middle]), sum(counts[middle + 1 :])) < _ENOUGH:
        weights[0] += 1 / middle
        weights[-1] += 1 / middle
    return mean, _variance(scores, weights)


def _variance(scores: Sequence[float], weights: Sequence[float]) -> float:
    total = math.fsum(weights)
    mean = math.fsum(score * weight for score, weight in zip(scores, weights, strict=True)) / total
    return math.fsum(weight * (score - mean) ** 2 for score, weight in zip(scores, weights, strict=True)) / total
