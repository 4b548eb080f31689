"""Mushroom for learners: a move is a rectangle."""

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import Final

import numpy as np

from games.base import WHITE
from games.encoding.base import BaseEncoding, Floats, Indexes, Shape, Symmetry
from games.encoding.cells import board_symmetries
from games.mushroom import Mushroom, MushroomState

__all__ = ["MushroomEncoding"]

#: The plane of each cell, by whose move it is: own cells, the opponent's, then the digits.
_PLANES: Final = {
    color: str.maketrans({cell: chr(plane) for plane, cell in enumerate(f"{owners}123456789")})
    for color, owners in ((WHITE, "AB"), (not WHITE, "BA"))
}


class MushroomEncoding(BaseEncoding):
    """Planes: own cells, the opponent's cells, and the cells with each digit from 1 to 9.

    Scalars: the lead in cells and the cells with a digit, both as a share of all cells, and the passes in a row (half
    of them). Actions: the rectangles of at least two cells, in order of first row, last row, first column, last column,
    then the pass. A single cell cannot be taken: no digit is ten.
    """

    state_class = MushroomState

    def __init__(self, game: Mushroom, kernel: ModuleType | None = None) -> None:
        rectangles = _pairs(game.rows) * _pairs(game.columns) - game.rows * game.columns
        super().__init__(Shape(11, game.rows, game.columns, 3, rectangles + 1), kernel)

    def symmetries(self) -> Sequence[Symmetry]:
        """The rotation by 180 degrees and the two mirrors; all eight symmetries on a square board."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry]:
        return board_symmetries(self.shape, self._moved)

    @cached_property
    def _rectangles(self) -> Indexes:
        """The rectangles in order of their indexes: top, left, bottom, right."""
        return np.array(
            [
                (top, left, bottom, right)
                for top in range(self.height)
                for bottom in range(top, self.height)
                for left in range(self.width)
                for right in range(left, self.width)
                if top < bottom or left < right
            ],
            dtype=np.intp,
        ).reshape(-1, 4)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {corners: index for index, corners in enumerate(map(tuple, self._rectangles.tolist()))}

    def _moved(self, cells: Indexes) -> Indexes:
        """Where each rectangle goes, if each cell goes where `cells` tells."""
        top, left, bottom, right = self._rectangles.T
        one = np.divmod(cells[top * self.width + left], self.width)
        two = np.divmod(cells[bottom * self.width + right], self.width)
        corners = np.stack([*np.minimum(one, two), *np.maximum(one, two)], axis=-1)
        moved = [self._numbers[corner] for corner in map(tuple, corners.tolist())]
        return np.array([*moved, self.actions - 1], dtype=np.intp)

    def _size(self, state: MushroomState) -> tuple[int, int]:
        return len(state.rows), len(state.rows[0])

    def _write(self, state: MushroomState, planes: Floats, scalars: Floats) -> None:
        cells = "".join(state.rows).translate(_PLANES[state.turn]).encode("ascii")
        places = np.frombuffer(cells, dtype=np.uint8)
        planes.reshape(self.planes, -1)[places, np.arange(len(places))] = 1
        own, other = cells.count(0), cells.count(1)
        scalars[:] = (own - other) / len(cells), (len(cells) - own - other) / len(cells), state.passes / 2

    def _index(self, state: MushroomState, move: str) -> int:  # noqa: ARG002
        numbers = tuple(map(int, move.split()))
        return self.actions - 1 if numbers[0] < 0 else self._numbers[numbers]


def _pairs(size: int) -> int:
    """How many pairs low <= high there are below `size`."""
    return size * (size + 1) // 2
