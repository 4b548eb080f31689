"""Othello and Gomoku for learners: a move is a cell, or the pass."""

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games._grid import Grid
from games.base import BLACK
from games.encoding.base import BaseEncoding, Floats, Indexes, Shape, Symmetry
from games.encoding.cells import board_symmetries, plane
from games.gomoku import Gomoku, GomokuState
from games.othello import Othello, OthelloState, enclosing

__all__ = ["GomokuEncoding", "OthelloEncoding"]


class OthelloEncoding(BaseEncoding):
    """Planes: own discs, the opponent's discs, the squares where one may place a disc, and where the other could.

    Scalars: the lead in discs and the empty squares, both as a share of 64. Actions: the squares from a1, row by row,
    then the pass.
    """

    state_class = OthelloState

    def __init__(self, game: Othello, kernel: ModuleType | None = None) -> None:  # noqa: ARG002
        super().__init__(Shape(4, 8, 8, 2, 65), kernel)

    def symmetries(self) -> Sequence[Symmetry]:
        """The eight symmetries of the square."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry]:
        return board_symmetries(self.shape, lambda cells: np.append(cells, 64))

    def _size(self, state: OthelloState) -> tuple[int, int]:  # noqa: ARG002
        return 8, 8

    def _write(self, state: OthelloState, planes: Floats, scalars: Floats) -> None:
        own, other = (state.black, state.white) if state.turn == BLACK else (state.white, state.black)
        planes[:] = _squares(own, other, enclosing(own, other), enclosing(other, own))
        discs = own.bit_count(), other.bit_count()
        scalars[:] = (discs[0] - discs[1]) / 64, (64 - sum(discs)) / 64

    def _index(self, state: OthelloState, move: str) -> int:  # noqa: ARG002
        return 64 if move == "pass" else 8 * (int(move[1]) - 1) + "abcdefgh".index(move[0])


def _squares(*sets: int) -> NDArray[np.uint8]:
    """Sets of 64 squares as planes of 0 and 1."""
    octets = np.array(sets, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, bitorder="little").reshape(len(sets), 8, 8)


class GomokuEncoding(BaseEncoding):
    """Planes: own stones, the opponent's stones, the empty points that complete five, and those that do for the other.

    Actions: the points, row by row from the top left.
    """

    state_class = GomokuState

    def __init__(self, game: Gomoku, kernel: ModuleType | None = None) -> None:
        super().__init__(Shape(4, game.size, game.size, 0, game.size * game.size), kernel)

    def symmetries(self) -> Sequence[Symmetry]:
        """The eight symmetries of the square."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry]:
        return board_symmetries(self.shape, _same)

    def _size(self, state: GomokuState) -> tuple[int, int]:
        return state.board.rows, state.board.columns

    def _write(self, state: GomokuState, planes: Floats, scalars: Floats) -> None:  # noqa: ARG002
        own, other = (state.black, state.white) if state.turn == BLACK else (state.white, state.black)
        empty = state.board.whole & ~(own | other)
        for index, points in enumerate((own, other)):
            planes[index] = plane(state.board, points)
            planes[index + 2] = plane(state.board, _completing(state.board, points) & empty)

    def _index(self, state: GomokuState, move: str) -> int:
        column, row = map(int, move.split(","))
        return row * state.board.columns + column


def _same(cells: Indexes) -> Indexes:
    return cells


def _completing(board: Grid, own: int) -> int:
    """The points on which one more stone gives five in a line."""
    found = 0
    for step in (1, board.stride - 1, board.stride, board.stride + 1):
        for place in range(5):  # of the point within the five
            others = board.whole
            for distance in range(-place, 5 - place):
                if distance:
                    others &= own >> distance * step if distance > 0 else own << -distance * step
            found |= others
    return found
