"""Othello: enclosed discs turn over; the side with more discs wins."""

from dataclasses import dataclass
from typing import ClassVar, Final, Self

from games._live import kernel
from games._parameters import Rules
from games._refusal import illegal
from games._state import FrozenState
from games.base import BLACK, WHITE, Color, Ending, Margin, Move, Parameters
from games.errors import BadPosition
from games.view import Cell, Labels, View

__all__ = ["LiveState", "Othello", "OthelloState", "enclosing", "game"]

START: Final = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"

_SYMBOLS: Final = {BLACK: "X", WHITE: "O"}
_STONES: Final = {"X": "black stone", "O": "white stone"}
_LABELS: Final = Labels(tuple("abcdefgh"), tuple("12345678"))
#: a1, b1, …, h8: bit 0 is the top left square, then row by row.
_NAMES: Final = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
_SQUARES: Final = {name: index for index, name in enumerate(_NAMES)}

_ALL: Final = (1 << 64) - 1
_NOT_A: Final = 0xFEFE_FEFE_FEFE_FEFE
_NOT_H: Final = 0x7F7F_7F7F_7F7F_7F7F
#: Directions: the number of bits to shift, and the squares that can be reached without wrapping around.
_DIRECTIONS: Final = (
    (1, _NOT_A), (-1, _NOT_H), (8, _ALL), (-8, _ALL), (9, _NOT_A), (-9, _NOT_H), (7, _NOT_H), (-7, _NOT_A),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OthelloState(FrozenState):
    """An Othello position: the discs of both colours, one bit per square, and whose move it is."""

    black: int
    white: int
    turn: Color
    turns: int = 0

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The squares that enclose discs, or `pass` if there are none; empty when the game is over."""
        own, other = self._sides()
        squares = enclosing(own, other)
        if squares:
            return tuple(name for index, name in enumerate(_NAMES) if squares >> index & 1)
        return ("pass",) if enclosing(other, own) else ()

    @property
    def ending(self) -> Ending | None:
        """The verdict when neither side can enclose discs."""
        own, other = self._sides()
        return None if enclosing(own, other) or enclosing(other, own) else self._decided("discs")

    @property
    def text(self) -> str:
        """64 characters `-XO`, row by row from a1, and the side to move."""
        return f"{''.join(self._cells(empty='-'))} {_SYMBOLS[self.turn]}"

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        if not isinstance(move, str) or move not in self.legal_moves:
            raise illegal(move, self.text)
        own, other = self._sides()
        if move != "pass":
            placed = 1 << _SQUARES[move]
            turned = _turned(own, other, placed)
            own, other = own | placed | turned, other & ~turned
        black, white = (own, other) if self.turn == BLACK else (other, own)
        return type(self)(black, white, not self.turn, self.turns + 1)

    def parse(self, text: str) -> str:
        """The legal move written `text`, upper case allowed; `IllegalMove` if there is none."""
        move = text.lower() if isinstance(text, str) else None
        if move not in self.legal_moves:
            raise illegal(text, self.text)
        return move

    def view(self) -> View:
        """The board as data."""
        held = (_STONES.get(cell, "") for cell in self._cells(empty=""))
        return View(8, 8, "cells", tuple(map(Cell, _NAMES, held)), _LABELS)

    def __str__(self) -> str:
        cells = self._cells(empty=".")
        rows = (" ".join([str(row + 1), *cells[8 * row : 8 * row + 8]]) for row in range(8))
        return "\n".join(["  a b c d e f g h", *rows])

    def _sides(self) -> tuple[int, int]:
        return (self.black, self.white) if self.turn == BLACK else (self.white, self.black)

    def _cells(self, *, empty: str) -> list[str]:
        return [
            _SYMBOLS[BLACK] if self.black >> index & 1 else _SYMBOLS[WHITE] if self.white >> index & 1 else empty
            for index in range(64)
        ]

    def _decided(self, reason: str) -> Ending:
        """The ending in which more discs win."""
        black, white = self.black.bit_count(), self.white.bit_count()
        return Ending.by_count(reason, Margin(black, white, "discs"), first=BLACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Othello(Rules):
    """The rules of Othello; it has no parameters."""

    name: ClassVar[str] = "othello"
    first: ClassVar[Color] = BLACK

    @property
    def parameters(self) -> Parameters:
        """None, even if a derived class has fields."""
        return {}

    def start(self, seed: int = 0) -> OthelloState:  # noqa: ARG002
        """The start position, the same for every seed."""
        return self.position(START)

    def position(self, text: str) -> OthelloState:
        """The position written as 64 characters `-XO` and the side to move; raises `BadPosition`."""
        fields = text.split() if isinstance(text, str) else []
        if len(fields) != 2:
            raise BadPosition("a position is 64 characters -XO, a space, and X or O for the side to move")
        board, side = fields
        if len(board) != 64 or set(board) - set("-XO"):
            raise BadPosition(f"the board is 64 characters -XO, row by row from a1; this one has {len(board)}")
        if side not in _SYMBOLS.values():
            raise BadPosition(f"the side to move is X or O, not {side[:20]!r}")
        return LiveState(_bits(board, "X"), _bits(board, "O"), BLACK if side == "X" else WHITE)


game = Othello


def _bits(board: str, symbol: str) -> int:
    return sum(1 << index for index, cell in enumerate(board) if cell == symbol)


def _shifted(board: int, step: int, arriving: int) -> int:
    return (board << step if step > 0 else board >> -step) & arriving


def enclosing(own: int, other: int) -> int:
    """The empty squares on which a disc of `own` encloses some of `other`."""
    empty = ~(own | other) & _ALL
    found = 0
    for step, arriving in _DIRECTIONS:
        run = _shifted(own, step, arriving) & other
        for _ in range(5):
            run |= _shifted(run, step, arriving) & other
        found |= _shifted(run, step, arriving) & empty
    return found


def _turned(own: int, other: int, placed: int) -> int:
    """The discs of `other` that `placed` encloses."""
    turned = 0
    for step, arriving in _DIRECTIONS:
        run = 0
        at = _shifted(placed, step, arriving)
        while at & other:
            run |= at
            at = _shifted(at, step, arriving)
        if at & own:
            turned |= run
    return turned


_kernel = kernel("othello")
#: The class of the states in use: that of the kernel, or the specification above if there is no kernel.
LiveState: type[OthelloState] = OthelloState if _kernel is None else _kernel.derived(OthelloState)
