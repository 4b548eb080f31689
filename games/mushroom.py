"""Mushroom: a player takes rectangles of digits that sum to ten; the player with more cells wins."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final, NamedTuple, Self, TypeAlias

from games._grid import drawn, rows_of
from games._live import kernel
from games._parameters import Rules, check_whole
from games._refusal import illegal
from games._state import FrozenState
from games.base import BLACK, WHITE, Color, Ending, Margin, Move, State
from games.errors import BadPosition
from games.view import Cell, Labels, Path, View

__all__ = ["LiveState", "Mushroom", "MushroomState", "game", "refusal"]

_PASSING: Final = "-1 -1 -1 -1"

_DIGITS: Final = "123456789"
_OWNERS: Final = {WHITE: "A", BLACK: "B"}
_SIDES: Final = {"A": WHITE, "B": BLACK}
_HOLDERS: Final = {"A": "first", "B": "second"}
#: The value of a cell in a sum; an owned cell counts 0.
_VALUES: Final = {"A": 0, "B": 0} | {digit: int(digit) for digit in _DIGITS}
_Values: TypeAlias = Sequence[Sequence[int]]
_MOVE: Final = re.compile(" ".join(["(0|[1-9][0-9]?)"] * 4))


class _Rectangle(NamedTuple):
    """A rectangle of cells: its first row and column, and its last row and column."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class MushroomState(FrozenState):
    """A position of Mushroom: rows of digits and owners, whose move it is, and the passes in a row."""

    rows: tuple[str, ...]
    turn: Color
    passes: int = 0
    turns: int = 0

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The rectangles, sorted by their numbers, then the pass; none when the game is over."""
        if self.ending is not None:
            return ()
        rectangles = (f"{top} {left} {bottom} {right}" for top, left, bottom, right in sorted(_fitting(self._values())))
        return (*rectangles, _PASSING)

    @property
    def ending(self) -> Ending | None:
        """The verdict after two passes in a row."""
        return self._decided("passes") if self.passes == 2 else None

    @property
    def text(self) -> str:
        """Rows of digits and owners from the top, the side to move, and the number of passes in a row."""
        return f"{'/'.join(self.rows)} {_OWNERS[self.turn]} {self.passes}"

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        if not isinstance(move, str) or not self._allows(move):
            raise illegal(move, self.text)
        taken = _rectangle(move)
        if taken is None:
            return type(self)(self.rows, not self.turn, self.passes + 1, self.turns + 1)
        top, left, bottom, right = taken
        owned = _OWNERS[self.turn] * (right + 1 - left)
        rows = (row[:left] + owned + row[right + 1 :] for row in self.rows[top : bottom + 1])
        return type(self)((*self.rows[:top], *rows, *self.rows[bottom + 1 :]), not self.turn, 0, self.turns + 1)

    def parse(self, text: str) -> str:
        """The legal move written `text`; `IllegalMove` if there is none."""
        if not isinstance(text, str) or not self._allows(text):
            raise illegal(text, self.text)
        return text

    def view(self) -> View:
        """The board as data; a cell is called `row,column`."""
        rows, columns = (tuple(map(str, range(size))) for size in (len(self.rows), len(self.rows[0])))
        cells = (
            Cell(f"{row},{column}", _HOLDERS.get(cell, cell))
            for row, held in enumerate(self.rows)
            for column, cell in enumerate(held)
        )
        return View(len(columns), len(rows), "cells", tuple(cells), Labels(columns, rows), areas=True)

    def path(self, move: Move) -> Path:
        """The clicks that make a move: two corners of the rectangle, or the pass."""
        taken = _rectangle(str(move))
        return ("pass",) if taken is None else (f"{taken.top},{taken.left}", f"{taken.bottom},{taken.right}")

    def __str__(self) -> str:
        numbers = [str(number) for number in range(max(len(self.rows), len(self.rows[0])))]
        return "\n".join(drawn(self.rows, above=numbers[: len(self.rows[0])], beside=numbers[: len(self.rows)]))

    def _values(self) -> _Values:
        return [[_VALUES[cell] for cell in row] for row in self.rows]

    def _allows(self, move: str) -> bool:
        if self.ending is not None or move == _PASSING:
            return self.ending is None
        taken = _rectangle(move)
        return taken is not None and _fits(taken, self._values())

    def _decided(self, reason: str) -> Ending:
        """The ending in which more owned cells win."""
        first, second = (sum(row.count(owner) for row in self.rows) for owner in "AB")
        return Ending.by_count(reason, Margin(first, second, "cells"), first=WHITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mushroom(Rules):
    """The rules of Mushroom on a board of this many rows and columns."""

    rows: int = 10
    columns: int = 17

    name: ClassVar[str] = "mushroom"
    first: ClassVar[Color] = WHITE
    seconds: ClassVar[float] = 10.0

    def __post_init__(self) -> None:
        check_whole("rows", self.rows, lowest=1, highest=30)
        check_whole("columns", self.columns, lowest=1, highest=30)

    def start(self, seed: int = 0) -> MushroomState:
        """A board of random digits, determined by the seed."""
        rng = random.Random(seed)
        return LiveState(tuple("".join(rng.choices(_DIGITS, k=self.columns)) for _ in range(self.rows)), WHITE)

    def position(self, text: str) -> MushroomState:
        """The position written as rows, side and passes; raises `BadPosition`."""
        fields = text.split() if isinstance(text, str) else []
        if len(fields) != 3:
            raise BadPosition(
                "a position is the rows joined by /, A or B for the side to move, and the passes in a row"
            )
        rows = rows_of(fields[0], rows=self.rows, columns=self.columns, symbols=f"{_DIGITS}AB")
        if fields[1] not in _SIDES:
            raise BadPosition(f"the side to move is A or B, not {fields[1][:20]!r}")
        if fields[2] not in ("0", "1", "2"):
            raise BadPosition(f"the passes in a row are 0, 1 or 2, not {fields[2][:20]!r}")
        return LiveState(tuple(rows), _SIDES[fields[1]], int(fields[2]))


game = Mushroom


def _rectangle(move: str) -> _Rectangle | None:
    """The rectangle of a move; None if the text is not a rectangle."""
    numbers = _MOVE.fullmatch(move)
    return None if numbers is None else _Rectangle(*map(int, numbers.groups()))


def _fits(taken: _Rectangle, values: _Values) -> bool:
    """Whether the rectangle is on the board, sums to ten, and has a remaining digit on each of its four sides."""
    if not (taken.top <= taken.bottom < len(values) and taken.left <= taken.right < len(values[0])):
        return False
    inside = [row[taken.left : taken.right + 1] for row in values[taken.top : taken.bottom + 1]]
    upright = any(row[0] for row in inside) and any(row[-1] for row in inside)
    return sum(map(sum, inside)) == 10 and any(inside[0]) and any(inside[-1]) and upright


def _fitting(values: _Values) -> Iterator[_Rectangle]:
    """All legal rectangles."""
    for top in range(len(values)):
        columns = [0] * len(values[0])
        for bottom in range(top, len(values)):
            columns = [total + value for total, value in zip(columns, values[bottom], strict=True)]
            before = list(accumulate(columns, initial=0))
            # The first column where each sum is reached; later columns with the same sum hold no digit.
            reached = {total: end for end, total in reversed([*enumerate(before)])}
            for left, total in enumerate(columns):
                end = reached.get(before[left] + 10) if total else None
                if end is not None and any(values[top][left:end]) and any(values[bottom][left:end]):
                    yield _Rectangle(top, left, bottom, end - 1)


_kernel = kernel("mushroom")
#: The class of the states in use: that of the kernel, or the specification above if there is no kernel.
LiveState: type[MushroomState] = MushroomState if _kernel is None else _kernel.derived(MushroomState)


def refusal(state: State, corners: Sequence[int]) -> str:
    """The reason of the official judge for an illegal rectangle (top, left, bottom, right)."""
    rows = state.text.split()[0].split("/")
    top, left, bottom, right = corners
    if not (0 <= top <= bottom < len(rows) and 0 <= left <= right < len(rows[0])):
        return "Out of range"
    inside = "".join(row[left : right + 1] for row in rows[top : bottom + 1])
    return "Not fit" if sum(int(cell) for cell in inside if cell.isdigit()) == 10 else "Sum not equals to 10"
