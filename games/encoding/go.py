"""Go for learners."""

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

import numpy as np

from games._go import Stones, area, groups, placements
from games.base import BLACK, WHITE
from games.encoding.base import BaseEncoding, Floats, Shape, Symmetry
from games.encoding.cells import board_symmetries, plane
from games.go import Go, GoState, point_index

__all__ = ["GoEncoding"]


class GoEncoding(BaseEncoding):
    """The stones, what can be captured, and what superko forbids; the earlier boards matter only through the last.

    Planes: own stones, the opponent's stones; own stones of groups with one liberty, with two; the opponent's likewise;
    the empty points on which a stone would repeat a board. Scalars: the passes in a row (half of them), then for the
    side to move komi and the lead in area with komi, both as a share of the points; the share of the turns up to the
    limit that are left (1 without a limit). Actions: the points row by row from the top left, then the pass.
    """

    state_class = GoState

    def __init__(self, game: Go, kernel: ModuleType | None = None) -> None:
        super().__init__(Shape(7, game.size, game.size, 4, game.size * game.size + 1), kernel)

    def symmetries(self) -> Sequence[Symmetry]:
        """The eight symmetries of the square."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry]:
        return board_symmetries(self.shape, lambda cells: np.append(cells, len(cells)))

    def _size(self, state: GoState) -> tuple[int, int]:
        return state.board.rows, state.board.columns

    def _write(self, state: GoState, planes: Floats, scalars: Floats) -> None:
        board, (black, white) = state.board, state.stones
        own, other = (black, white) if state.turn == BLACK else (white, black)
        empty = board.whole & ~(own | other)
        for side, points in enumerate((own, other)):
            planes[side] = plane(board, points)
            short = {1: 0, 2: 0}
            for group, liberties in groups(board, points, empty=empty):
                if liberties in short:
                    short[liberties] |= group
            planes[2 + 2 * side] = plane(board, short[1])
            planes[3 + 2 * side] = plane(board, short[2])
        planes[6] = plane(board, _forbidden(state, own=own, other=other))
        points = board.rows * board.columns
        sign = 1 if state.turn == WHITE else -1
        margin = area(board, own=black, other=white) - area(board, own=white, other=black) - state.komi
        left = max(state.limit - state.turns, 0) / state.limit if state.limit else 1.0
        scalars[:] = state.passes / 2, sign * state.komi / points, -sign * margin / points, left

    def _index(self, state: GoState, move: str) -> int:
        return self.actions - 1 if move == "pass" else point_index(state.board, move)


def _forbidden(state: GoState, *, own: int, other: int) -> int:
    """The empty points on which a stone would repeat a board."""
    seen = state.seen
    found = 0
    for point, mine, theirs in placements(state.board, own=own, other=other):
        if (Stones(mine, theirs) if state.turn == BLACK else Stones(theirs, mine)) in seen:
            found |= point
    return found
