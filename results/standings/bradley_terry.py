"""The Bradley-Terry model: the strengths that best explain the results. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

__all__ = ["Cell", "Fit", "fit"]

#: Without a prior a strength may be unbounded; it stops here.
_FARTHEST: Final = 30.0
_CLOSE: Final = 1e-7
_MOST_STEPS: Final = 200
#: The squared residuals of one win and one loss between equals, added up.
_IMAGINARY: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Results of `first` against `second` (both are indexes from 0), from the view of first."""

    first: int
    second: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Strengths as log odds, the advantage of `first`, and their covariance; the advantage is its last row and column.

    `dispersion` is the variance of the points of a game, divided by what it would be without draws.
    """

    strengths: tuple[float, ...]
    first: float
    covariance: tuple[tuple[float, ...], ...]
    dispersion: float


def fit(cells: Sequence[Cell], *, entrants: int, prior: float, first_advantage: bool) -> Fit:
    """The most likely strengths: first scores 1 / (1 + exp(second's strength - first's - advantage)) on average.

    A draw is half a win and half a loss. Every strength, and the advantage, has `prior` imaginary draws against zero.
    The covariance is the sandwich estimate: the curvature of the likelihood outside, the squared residuals of the
    games inside. So draws make it smaller and surprises make it larger. It includes an imaginary win and an
    imaginary loss, spread evenly over all games, because a few equal results are not certainty.
    """
    import numpy as np

    table = _Table.of(cells, entrants)
    free = np.ones(entrants + 1)
    free[-1] = first_advantage
    answer = np.zeros(entrants + 1)
    for _ in range(_MOST_STEPS):
        slope, curvature = table.likelihood(answer, prior)
        step = _inverse(curvature, free) @ slope
        longest = float(np.abs(step).max())
        if longest < _CLOSE:
            break
        # A full Newton step may overshoot. The curvature changes by at most a factor e per unit of a game's log odds,
        # which three parameters determine: this share of the step never makes the likelihood smaller.
        share = math.log1p(3 * longest) / (3 * longest)
        answer = np.clip(answer + share * step, -_FARTHEST, _FARTHEST)
    outside = _inverse(table.likelihood(answer, prior)[1], free)
    inside, dispersion = table.noise(answer, prior)
    return Fit(
        strengths=tuple(map(float, answer[:-1])),
        first=float(answer[-1]),
        covariance=tuple(tuple(map(float, row)) for row in outside @ inside @ outside),
        dispersion=dispersion,
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """Wins, draws and losses of first, with a row for each first and a column for each second."""

    wins: "Matrix"
    draws: "Matrix"
    losses: "Matrix"

    @classmethod
    def of(cls, cells: Sequence[Cell], entrants: int) -> Self:
        import numpy as np

        wins, draws, losses = np.zeros((3, entrants, entrants))
        for cell in cells:
            wins[cell.first, cell.second] += cell.wins
            draws[cell.first, cell.second] += cell.draws
            losses[cell.first, cell.second] += cell.losses
        return cls(wins, draws, losses)

    @property
    def games(self) -> "Matrix":
        return self.wins + self.draws + self.losses

    def likelihood(self, answer: "Matrix", prior: float) -> tuple["Matrix", "Matrix"]:
        """Slope and curvature of the log likelihood."""
        expected, left = _expected(answer)
        own = _logistic(answer)
        surprise = (self.wins + self.draws / 2) * left - (self.losses + self.draws / 2) * expected
        slope = _effect(surprise) + prior * (0.5 - own)
        return slope, _information(self.games * expected * left, prior * own * _logistic(-answer))

    def noise(self, answer: "Matrix", prior: float) -> tuple["Matrix", float]:
        """The variance of the slope, and the dispersion."""
        import numpy as np

        expected, left = _expected(answer)
        squares = self.wins * left**2 + self.draws * (0.5 - expected) ** 2 + self.losses * expected**2
        squares += _IMAGINARY * self.games / self.games.sum()
        dispersion = squares.sum() / (self.games * expected * left).sum()
        return _information(squares, np.full(len(answer), prior / 4)), float(dispersion)


def _logistic(values: "Matrix") -> "Matrix":
    import numpy as np

    answer: Matrix = 1 / (1 + np.exp(-values))
    return answer


def _expected(answer: "Matrix") -> tuple["Matrix", "Matrix"]:
    """The expected points of each first against each second, and the expected points of second."""
    strengths = answer[:-1]
    odds = strengths[:, None] - strengths[None, :] + answer[-1]
    return _logistic(odds), _logistic(-odds)


def _effect(table: "Matrix") -> "Matrix":
    """The sums of a table (first by second) for each strength and for the advantage."""
    import numpy as np

    return np.append(table.sum(axis=1) - table.sum(axis=0), table.sum())


def _information(table: "Matrix", own: "Matrix") -> "Matrix":
    """The sum of the outer products of the games, weighted by the table, plus `own` on the diagonal."""
    import numpy as np

    result = np.diag(own)
    result[:-1, :-1] += np.diag(table.sum(axis=0) + table.sum(axis=1)) - table - table.T
    result[-1, :] += _effect(table)
    result[:-1, -1] += _effect(table)[:-1]
    return result


def _inverse(matrix: "Matrix", free: "Matrix") -> "Matrix":
    """The inverse for the free parameters; parameters that no game determines stay zero."""
    import numpy as np

    inverse: Matrix = np.linalg.pinv(matrix * np.outer(free, free), hermitian=True).astype(np.float64, copy=False)
    return inverse
