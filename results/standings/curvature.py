"""The linear systems of a Bradley-Terry fit: small ones are dense and exact, large ones sparse. Pure.

A vector has a value for each entrant and, last, one for the advantage of first.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float64]

__all__ = ["Cells", "Covariance", "DenseCurvature", "SparseCurvature"]

#: Of a sparse system: the squared residual at which a solution is good enough, as a share of the squared right side.
_CLOSE: Final = 1e-5
_MOST_STEPS: Final = 500
#: Samples from which the covariance of a sparse fit is estimated: errors are right within about 3 %.
_SAMPLES: Final = 32
#: Entries of a matrix that are handled at a time, so that they stay in the cache of the CPU.
_BLOCK: Final = 1 << 17


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Results of first against second (both are indexes from 0), from the view of first: arrays of the same length."""

    entrants: int
    first: "NDArray[np.intp]"
    second: "NDArray[np.intp]"
    wins: "Vector"
    draws: "Vector"
    losses: "Vector"

    @property
    def games(self) -> "Vector":
        """The number of games of each cell."""
        return self.wins + self.draws + self.losses

    @cached_property
    def rows(self) -> "_Rows":
        """The cells of each entrant, in both seats."""
        import numpy as np

        ours, others = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        order = np.argsort(ours, kind="stable")
        ends = np.cumsum(np.bincount(ours, minlength=self.entrants))
        return _Rows(order % len(self.first), others[order], np.concatenate([[0], ends]))

    def effect(self, values: "Vector") -> "Vector":
        """The sums of values, one for each cell: for first, against second, and for the advantage."""
        import numpy as np

        ours = np.bincount(self.first, values, self.entrants) - np.bincount(self.second, values, self.entrants)
        return np.append(ours, values.sum())


@dataclass(frozen=True, slots=True)
class _Rows:
    """The cells of all entrants, one entrant after the other, their opponents, and where each entrant starts."""

    cells: "NDArray[np.intp]"
    opponents: "NDArray[np.intp]"
    starts: "NDArray[np.intp]"


class Covariance(Protocol):
    """How uncertain the parameters of a fit are."""

    @property
    def advantage(self) -> float:
        """The variance of the advantage of first."""
        ...

    def of_difference(self, one: int, other: int) -> float:
        """The variance of the difference of two strengths."""
        ...

    def from_mean(self) -> "Vector":
        """The variance of each strength relative to the mean of all."""
        ...


class DenseCurvature:
    """The sum over all games, with weights, of the outer products of their effects, and `own` on the diagonal."""

    def __init__(self, cells: Cells, weights: "Vector", own: "Vector", *, advantage: bool) -> None:
        import numpy as np

        self._cells, self._has_advantage = cells, advantage
        matrix = np.diag(own)
        for rows, columns, sign in (
            (cells.first, cells.first, 1), (cells.second, cells.second, 1),
            (cells.first, cells.second, -1), (cells.second, cells.first, -1),
        ):  # fmt: skip
            np.add.at(matrix, (rows, columns), sign * weights)
        matrix[-1] += (effect := cells.effect(weights))
        matrix[:-1, -1] += effect[:-1]
        if not advantage:
            matrix[-1] = matrix[:, -1] = 0
        self._matrix: Vector = matrix
        # A parameter that no game determines stays zero, which only the pseudoinverse does.
        self._is_regular = advantage and bool(own.min() > 0)

    def solve(self, right: "Vector") -> "Vector":
        """The solution of the system with this right side; parameters that do not take part stay zero."""
        import numpy as np

        if self._is_regular:
            return np.asarray(np.linalg.solve(self._matrix, right), float)
        return np.asarray(self._inverse() @ right)

    def covariance(self, squares: "Vector", own: "Vector") -> Covariance:
        """The sandwich estimate: squared residuals inside, the inverse outside."""
        noise, inverse = DenseCurvature(self._cells, squares, own, advantage=self._has_advantage), self._inverse()
        return _DenseCovariance(inverse @ noise._matrix @ inverse)

    def _inverse(self) -> "Vector":
        import numpy as np

        inverse = np.linalg.inv(self._matrix) if self._is_regular else np.linalg.pinv(self._matrix, hermitian=True)
        return np.asarray(inverse, float)


@dataclass(frozen=True, slots=True)
class _DenseCovariance:
    """The whole matrix of covariances."""

    matrix: "Vector"

    @property
    def advantage(self) -> float:
        """The variance of the advantage of first."""
        return float(self.matrix[-1, -1])

    def of_difference(self, one: int, other: int) -> float:
        """The variance of the difference of two strengths."""
        return float(self.matrix[one, one] + self.matrix[other, other] - 2 * self.matrix[one, other])

    def from_mean(self) -> "Vector":
        """The variance of each strength relative to the mean of all."""
        ours = self.matrix[:-1, :-1]
        shared = ours.mean(axis=1)
        found: Vector = ours.diagonal() - 2 * shared + shared.mean()
        return found


class SparseCurvature:
    """The same sum, of which only the pairs that have met take memory."""

    def __init__(self, cells: Cells, weights: "Vector", own: "Vector", *, advantage: bool) -> None:
        import numpy as np

        number = cells.entrants
        self._cells, self._has_advantage = cells, advantage
        self._effect = cells.effect(weights) * advantage
        both = np.bincount(cells.first, weights, number) + np.bincount(cells.second, weights, number)
        self.diagonal = own + np.append(both, self._effect[-1])
        if not advantage:
            self.diagonal[-1] = 0
        # A parameter that no game determines stays zero.
        self.scale = np.divide(1, self.diagonal, out=np.zeros_like(self.diagonal), where=self.diagonal > 0)
        self._entries = weights[cells.rows.cells]

    def solve(self, right: "Vector", *, close: float = _CLOSE) -> "Vector":
        """The solution for a right side, or for each of its columns, by conjugate gradients."""
        import numpy as np

        scale = self.scale.reshape(-1, *[1] * (right.ndim - 1))
        rest = right.copy()
        found: Vector = np.zeros_like(rest)
        direction = scale * rest
        length = (rest * direction).sum(axis=0)
        least = close**2 * length
        for _ in range(_MOST_STEPS):
            if not (length > least).any():
                break
            moved = self.times(direction)
            share = _ratio(length, (direction * moved).sum(axis=0))
            found += share * direction
            rest -= share * moved
            ahead = scale * rest
            before, length = length, (rest * ahead).sum(axis=0)
            direction = ahead + _ratio(length, before) * direction
        return found

    def times(self, vector: "Vector") -> "Vector":
        """The product with a vector, or with each of several columns."""
        import numpy as np

        shape = (-1, *[1] * (vector.ndim - 1))
        found: Vector = self.diagonal.reshape(shape) * vector
        rows, entries, last = self._cells.rows, self._entries.reshape(shape), len(vector) - 1
        step = max(1, _BLOCK * last // max(1, len(entries) * (vector[0].size)))
        for low in range(0, last, step):
            bounds = rows.starts[low : low + step + 1]
            products = entries[bounds[0] : bounds[-1]] * vector[rows.opponents[bounds[0] : bounds[-1]]]
            met = np.flatnonzero(np.diff(bounds))
            if len(met):
                found[low + met] -= np.add.reduceat(products, bounds[met] - bounds[0], axis=0)
        effect = self._effect[:-1]
        found[:-1] += np.multiply.outer(effect, vector[-1])
        found[-1] += effect @ vector[:-1]
        return found

    def covariance(self, squares: "Vector", own: "Vector") -> Covariance:
        """The sandwich estimate, from solutions for random right sides that vary as the games do."""
        import numpy as np

        rng = np.random.default_rng(0)
        right = np.empty((len(own), _SAMPLES))
        for sample in range(_SAMPLES):
            signs = 2.0 * rng.integers(0, 2, len(squares), dtype=np.int8) - 1
            right[:, sample] = self._cells.effect(np.sqrt(squares) * signs)
        right += np.sqrt(own)[:, None] * (2.0 * rng.integers(0, 2, right.shape, dtype=np.int8) - 1)
        if not self._has_advantage:
            right[-1] = 0
        noise = SparseCurvature(self._cells, squares, own, advantage=self._has_advantage)
        return _SampledCovariance(self.solve(right, close=0.01), right * self.scale[:, None], self, noise)

    def between(self, one: int, other: int) -> float:
        """The entry of the matrix for two different entrants."""
        rows = self._cells.rows
        row = slice(rows.starts[one], rows.starts[one + 1])
        return -float(self._entries[row][rows.opponents[row] == other].sum())


@dataclass(frozen=True, slots=True)
class _SampledCovariance:
    """Covariances from samples of all parameters.

    Most of the variance of a strength comes from its own games and is known exactly. So the samples are compared with
    what they would be if all opponents were known, and only the difference is estimated.
    """

    samples: "Vector"
    alone: "Vector"
    curvature: SparseCurvature
    noise: SparseCurvature

    @property
    def advantage(self) -> float:
        """The variance of the advantage of first."""
        import numpy as np

        alone = np.zeros(len(self.samples))
        alone[-1] = 1
        solution = self.curvature.solve(alone)
        return float(solution @ self.noise.times(solution))

    def of_difference(self, one: int, other: int) -> float:
        """The variance of the difference of two strengths."""
        shared = self.noise.between(one, other) * self.curvature.scale[one] * self.curvature.scale[other]
        known = self._own(one) + self._own(other) - 2 * shared
        return self._variance(self.samples[one] - self.samples[other], self.alone[one] - self.alone[other], known)

    def from_mean(self) -> "Vector":
        """The variance of each strength relative to the mean of all."""
        import numpy as np

        samples = self.samples[:-1] - self.samples[:-1].mean(axis=0)
        known = self.noise.diagonal[:-1] * self.curvature.scale[:-1] ** 2
        found = known + (samples**2 - self.alone[:-1] ** 2).mean(axis=1)
        return np.asarray(np.maximum(found, known / 2))

    def _own(self, place: int) -> float:
        return float(self.noise.diagonal[place] * self.curvature.scale[place] ** 2)

    @staticmethod
    def _variance(samples: "Vector", alone: "Vector", known: float) -> float:
        # Few samples may say too little; the opponents are not known, so the truth is not far below `known`.
        return max(known + float((samples**2 - alone**2).mean()), known / 2)


def _ratio(above: "Vector", below: "Vector") -> "Vector":
    import numpy as np

    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
