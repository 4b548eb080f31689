"""The Bradley-Terry model: the strengths that best explain the results. Pure."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from results.standings.curvature import Cells, Covariance, DenseCurvature, SparseCurvature

if TYPE_CHECKING:
    from results.standings.curvature import Vector

__all__ = ["Fit", "fit"]

#: Without a prior a strength may be unbounded; it stops here.
_FARTHEST: Final = 30.0
_CLOSE: Final = 1e-7
_MOST_STEPS: Final = 200
#: The squared residuals of one win and one loss between equals, added up.
_IMAGINARY: Final = 0.5
#: Up to this many entrants the matrices are dense and the errors exact.
_DENSE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Strengths as log odds, the advantage of `first`, and their covariance.

    `dispersion` is the variance of the points of a game, divided by what it would be without draws.
    """

    strengths: "Vector"
    first: float
    covariance: Covariance
    dispersion: float


def fit(cells: Cells, *, prior: float, first_advantage: bool, dense: int = _DENSE) -> Fit:
    """The most likely strengths: first scores 1 / (1 + exp(second's strength - first's - advantage)) on average.

    A draw is half a win and half a loss. Every strength, and the advantage, has `prior` imaginary draws against zero.
    The covariance is the sandwich estimate: the curvature of the likelihood outside, the squared residuals of the
    games inside. So draws make it smaller and surprises make it larger. It includes an imaginary win and an
    imaginary loss, spread evenly over all games, because a few equal results are not certainty. With more than
    `dense` entrants it is estimated from samples, which takes seconds for 10,000 entrants and a million games; the
    errors are then right within a few percent. `cells` must hold at least one game.
    """
    import numpy as np

    kind = DenseCurvature if cells.entrants <= dense else SparseCurvature
    answer = np.zeros(cells.entrants + 1)
    for _ in range(_MOST_STEPS):
        expected, left = _expected(cells, answer)
        system = kind(cells, cells.games * expected * left, _own(answer, prior), advantage=first_advantage)
        step = system.solve(_slope(cells, expected, left, answer, prior))
        longest = float(np.abs(step).max())
        if longest < _CLOSE:
            break
        # A full Newton step may overshoot. The curvature changes by at most a factor e per unit of a game's log odds,
        # which three parameters determine: this share of the step never makes the likelihood smaller.
        share = math.log1p(3 * longest) / (3 * longest)
        answer = np.clip(answer + share * step, -_FARTHEST, _FARTHEST)
    expected, left = _expected(cells, answer)
    weights, squares = cells.games * expected * left, _squares(cells, expected, left)
    system = kind(cells, weights, _own(answer, prior), advantage=first_advantage)
    return Fit(
        strengths=answer[:-1],
        first=float(answer[-1]),
        covariance=system.covariance(squares, np.full(cells.entrants + 1, prior / 4)),
        dispersion=float(squares.sum() / weights.sum()),
    )


def _logistic(values: "Vector") -> "Vector":
    import numpy as np

    answer: Vector = 1 / (1 + np.exp(-values))
    return answer


def _expected(cells: Cells, answer: "Vector") -> tuple["Vector", "Vector"]:
    """The expected points of first in each cell, and those of second."""
    odds = answer[cells.first] - answer[cells.second] + answer[-1]
    return _logistic(odds), _logistic(-odds)


def _slope(cells: Cells, expected: "Vector", left: "Vector", answer: "Vector", prior: float) -> "Vector":
    """The slope of the log likelihood."""
    surprise = (cells.wins + cells.draws / 2) * left - (cells.losses + cells.draws / 2) * expected
    slope: Vector = cells.effect(surprise) + prior * (0.5 - _logistic(answer))
    return slope


def _own(answer: "Vector", prior: float) -> "Vector":
    """The curvature that comes from the imaginary draws."""
    return prior * _logistic(answer) * _logistic(-answer)


def _squares(cells: Cells, expected: "Vector", left: "Vector") -> "Vector":
    """The squared residuals of the games of each cell, with the imaginary ones."""
    squares = cells.wins * left**2 + cells.draws * (0.5 - expected) ** 2 + cells.losses * expected**2
    found: Vector = squares + _IMAGINARY * cells.games / cells.games.sum()
    return found
