"""Gomoku: five or more stones of one colour in a line win."""

import functools
from dataclasses import dataclass
from typing import ClassVar, Self

from games._grid import SIDES, SYMBOLS, Grid, drawn, grid, stones
from games._live import kernel
from games._parameters import Rules, check_whole
from games._refusal import illegal
from games._state import FrozenState
from games.base import BLACK, WHITE, Color, Ending, Move
from games.errors import BadPosition
from games.view import Labels, View

__all__ = ["Gomoku", "GomokuState", "LiveState", "game"]


@dataclass(frozen=True, slots=True)
class GomokuState(FrozenState):
    """A position of Gomoku: the stones of both colours, one bit per point, and whose move it is."""

    board: Grid
    black: int
    white: int
    turn: Color
    turns: int = 0

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The empty points, row by row from the top left; none when the game is over."""
        if self.ending is not None:
            return ()
        taken = self.black | self.white
        return tuple(name for name, point in _points(self.board).items() if not point & taken)

    @property
    def ending(self) -> Ending | None:
        """The verdict once there are five in a line, or no empty point is left."""
        for color, own in ((BLACK, self.black), (WHITE, self.white)):
            if _has_five(self.board, own):
                return Ending(color, "five")
        return self._decided("full-board") if self.black | self.white == self.board.whole else None

    @property
    def text(self) -> str:
        """Rows of `.XO` from the top, and the side to move."""
        return f"{'/'.join(self._lines())} {SYMBOLS[self.turn]}"

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        point = _points(self.board).get(move, 0) if isinstance(move, str) else 0
        if not point & ~(self.black | self.white) or self.ending is not None:
            raise illegal(move, self.text)
        black, white = (point, 0) if self.turn == BLACK else (0, point)
        return type(self)(self.board, self.black | black, self.white | white, not self.turn, self.turns + 1)

    def parse(self, text: str) -> str:
        """The legal move written `text`; `IllegalMove` if there is none."""
        if text not in self.legal_moves:
            raise illegal(text, self.text)
        return text

    def view(self) -> View:
        """The board as data."""
        labels = Labels(tuple(self._numbers()), tuple(self._numbers()))
        return stones(self._lines(), names=_points(self.board), labels=labels)

    def __str__(self) -> str:
        return "\n".join(drawn(self._lines(), above=self._numbers(), beside=self._numbers()))

    def _decided(self, reason: str) -> Ending:
        """A draw."""
        return Ending(None, reason)

    def _lines(self) -> list[str]:
        return self.board.lines(black=self.black, white=self.white)

    def _numbers(self) -> list[str]:
        return [str(number) for number in range(self.board.rows)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gomoku(Rules):
    """The rules of Gomoku without restrictions (freestyle) on a board of `size` rows."""

    size: int = 11

    name: ClassVar[str] = "gomoku"
    first: ClassVar[Color] = BLACK

    def __post_init__(self) -> None:
        check_whole("size", self.size, lowest=5, highest=20)

    def start(self, seed: int = 0) -> GomokuState:  # noqa: ARG002
        """The empty board, the same for every seed."""
        return LiveState(grid(self.size, self.size), 0, 0, BLACK)

    def position(self, text: str) -> GomokuState:
        """The position written as rows of `.XO` and the side to move; raises `BadPosition`."""
        fields = text.split() if isinstance(text, str) else []
        if len(fields) != 2:
            raise BadPosition("a position is the rows of the board joined by /, then X or O for the side to move")
        board = grid(self.size, self.size)
        found = board.stones(fields[0])
        if fields[1] not in SIDES:
            raise BadPosition(f"the side to move is X or O, not {fields[1][:20]!r}")
        if all(_has_five(board, own) for own in found.values()):
            raise BadPosition("both sides have five in a line")
        return LiveState(board, found[BLACK], found[WHITE], SIDES[fields[1]])


game = Gomoku


@functools.cache
def _points(board: Grid) -> dict[str, int]:
    """The points by name, column before row, in the order of moves."""
    names = (f"{x},{y}" for y in range(board.rows) for x in range(board.columns))
    return dict(zip(names, board.points, strict=True))


def _has_five(board: Grid, own: int) -> bool:
    """Whether five of these points are consecutive in a row, a column or a diagonal."""
    for step in (1, board.stride - 1, board.stride, board.stride + 1):
        two = own & own >> step
        four = two & two >> 2 * step
        if four & own >> 4 * step:
            return True
    return False


_kernel = kernel("gomoku")
#: The class of the states in use: that of the kernel, or the specification above if there is no kernel.
LiveState: type[GomokuState] = GomokuState if _kernel is None else _kernel.derived(GomokuState)
