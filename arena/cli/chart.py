"""Curves drawn with characters, for a terminal."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from results.pages.curve import Series

__all__ = ["chart"]

_SIGNS: Final = "●▲■◆○△□◇"
_LABEL: Final = 7


def chart(
    series: Sequence[Series], *, width: int = 64, height: int = 11, y_range: tuple[float, float] | None = None
) -> list[str]:
    """The lines of a picture with axes and a legend; none without points."""
    drawn = [one for one in series if one.marks]
    marks = [mark for one in drawn for mark in one.marks]
    if not marks:
        return []
    low, high = y_range or (min(mark.y for mark in marks), max(mark.y for mark in marks))
    high = high if high > low else low + 1.0
    right = max(mark.x for mark in marks) or 1.0
    cells = [[" "] * width for _ in range(height)]

    def place(x: float, y: float) -> tuple[int, int]:
        share = min(max((y - low) / (high - low), 0.0), 1.0)
        return height - 1 - round(share * (height - 1)), round(min(max(x / right, 0.0), 1.0) * (width - 1))

    for number, one in enumerate(drawn):
        _draw(cells, [place(mark.x, mark.y) for mark in one.marks], _SIGNS[number % len(_SIGNS)])
    labels = {0: high, height - 1: low, (height - 1) // 2: high - (high - low) * ((height - 1) // 2) / (height - 1)}
    lines = [
        f"{f'{labels[row]:.3g}' if row in labels else '':>{_LABEL}} ┤{''.join(line).rstrip()}"
        for row, line in enumerate(cells)
    ]
    lines.append(f"{'':>{_LABEL}} └{'─' * width}")
    lines.append(f"{'':>{_LABEL}}  0{f'{right:.3g} CPU-minutes':>{width - 1}}")
    legend = "  ".join(f"{_SIGNS[number % len(_SIGNS)]} {one.name}" for number, one in enumerate(drawn))
    return [*lines, f"{'':>{_LABEL}}  {legend}"]


def _draw(cells: list[list[str]], places: Sequence[tuple[int, int]], sign: str) -> None:
    """The points of a curve, and dots between them where nothing else stands."""
    for (row, column), (next_row, next_column) in pairwise(places):
        for at in range(column + 1, next_column):
            share = (at - column) / (next_column - column)
            between = math.floor(row + share * (next_row - row) + 0.5)
            if cells[between][at] == " ":
                cells[between][at] = "·"
    for row, column in places:
        cells[row][_free(cells[row], column)] = sign


def _free(line: Sequence[str], column: int) -> int:
    """The place of a point in its line. Beside the point of another curve, if there is room: both can be seen."""
    near = (column, column - 1, column - 2, column - 3, column + 1, column + 2, column + 3)
    return next((at for at in near if 0 <= at < len(line) and line[at] in " ·"), column)
