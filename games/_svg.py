"""Pictures of boards."""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["crop", "discs"]

#: The squares of python-chess' pictures, and the edge of coordinates around them.
_CELL: Final = 45
_MARGIN: Final = 15


def crop(svg: str, *, files: int, ranks: int) -> str:
    """The lower left corner of a picture by `chess.svg`, with the coordinates of its left and lower edge."""
    width, height = _MARGIN + files * _CELL, _MARGIN + ranks * _CELL
    top = _MARGIN + (8 - ranks) * _CELL
    # Width and height keep the proportions of the view, or a browser would show what lies beside it.
    view = f'viewBox="0 {top} {width} {height}" width="{width}" height="{height}"'
    return re.sub(r'viewBox="[^"]*"', view, svg, count=1)


def discs(colors: Mapping[tuple[int, int], str], *, size: int, marked: tuple[int, int] | None = None) -> str:
    """A board of `size` rows with discs at (column, row), (0, 0) at the top left; one cell may be marked."""
    side = _CELL * size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 {side + 25} {side + 25}" '
        f'width="{side + 25}" height="{side + 25}">',
        f'<rect x="-20" y="-20" width="{side + 25}" height="{side + 25}" fill="#20302a"/>',
        f'<rect width="{side}" height="{side}" fill="#2e8b57"/>',
    ]
    if marked is not None:
        x, y = (_CELL * place for place in marked)
        lines.append(f'<rect class="last" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#b5a642"/>')
    for line in range(size + 1):
        at = line * _CELL
        lines.append(f'<path d="M0 {at}H{side}M{at} 0V{side}" stroke="#20302a"/>')
    lines += [
        f'<circle cx="{_CELL * column + _CELL / 2:g}" cy="{_CELL * row + _CELL / 2:g}" r="18" fill="{color}"/>'
        for (column, row), color in sorted(colors.items())
    ]
    lines += _labels(size)
    return "\n".join([*lines, "</svg>"])


def _labels(size: int) -> list[str]:
    style = 'font-family="sans-serif" font-size="12" fill="#e0e0e0" text-anchor="middle"'
    middles = [_CELL * cell + _CELL / 2 for cell in range(size)]
    return [
        *(f'<text x="{at:g}" y="-6" {style}>{chr(ord("a") + cell)}</text>' for cell, at in enumerate(middles)),
        *(f'<text x="-10" y="{at + 4:g}" {style}>{cell + 1}</text>' for cell, at in enumerate(middles)),
    ]
