"""Boards as bit sets, one bit per point, and their rows as text."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.base import BLACK, WHITE, Color
from games.errors import BadPosition
from games.view import Cell, Labels, View

__all__ = ["SIDES", "SYMBOLS", "Grid", "drawn", "grid", "rows_of", "stones"]

SYMBOLS: Final = {BLACK: "X", WHITE: "O"}
SIDES: Final = {"X": BLACK, "O": WHITE}
_STONES: Final = {"X": "black stone", "O": "white stone"}


@dataclass(frozen=True, slots=True)
class Grid:
    """The points of a board. Each row ends with an unused bit, so that a shift cannot reach the next row."""

    rows: int
    columns: int
    #: The bits of the points, row by row from the top left.
    points: tuple[int, ...] = field(repr=False, compare=False)
    whole: int = field(repr=False, compare=False)

    @property
    def stride(self) -> int:
        """The distance in bits from a point to the point below it."""
        return self.columns + 1

    def stones(self, text: str) -> dict[Color, int]:
        """The stones of both colours on a board written as rows of `.XO`; raises `BadPosition`."""
        cells = "".join(rows_of(text, rows=self.rows, columns=self.columns, symbols=".XO"))
        return {
            color: sum(point for point, cell in zip(self.points, cells, strict=True) if cell == symbol)
            for color, symbol in SYMBOLS.items()
        }

    def lines(self, *, black: int, white: int) -> list[str]:
        """The rows of `.XO`, from the top."""
        cells = "".join("X" if black & point else "O" if white & point else "." for point in self.points)
        return [cells[start : start + self.columns] for start in range(0, len(cells), self.columns)]


@functools.cache
def grid(rows: int, columns: int) -> Grid:
    """The grid of this shape; cached."""
    points = tuple(1 << row * (columns + 1) + column for row in range(rows) for column in range(columns))
    return Grid(rows, columns, points, sum(points))


def rows_of(text: str, *, rows: int, columns: int, symbols: str) -> list[str]:
    """The rows of a board written `row/row/…`; raises `BadPosition` for another shape or other symbols."""
    found = text.split("/")
    if len(found) != rows or any(len(row) != columns for row in found):
        raise BadPosition(f"the board is {rows} rows of {columns} cells, joined by /")
    if unknown := set("".join(found)) - set(symbols):
        raise BadPosition(f"a cell is one of {symbols}, not {min(unknown)!r}")
    return found


def drawn(rows: Sequence[str], *, above: Sequence[str], beside: Sequence[str]) -> list[str]:
    """Rows of cells as text lines, with a header line of column names and the row names on the left."""
    margin, width = max(map(len, beside)), max(map(len, above))
    head = " ".join([" " * margin, *(name.rjust(width) for name in above)])
    return [
        head,
        *(
            " ".join([name.rjust(margin), *(cell.rjust(width) for cell in row)])
            for name, row in zip(beside, rows, strict=True)
        ),
    ]


def stones(lines: Sequence[str], *, names: Iterable[str], labels: Labels) -> View:
    """The view of a board of crossings with stones, from rows of `.XO` and the names of the points."""
    held = (_STONES.get(cell, "") for cell in "".join(lines))
    return View(len(labels.columns), len(labels.rows), "lines", tuple(map(Cell, names, held)), labels)
