"""Boards as SVG pictures."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

__all__ = ["crop", "discs", "squares", "stones"]

#: The size of a square in the pictures of python-chess, and the width of the border with coordinates.
_CELL: Final = 45
_MARGIN: Final = 15
_DARK: Final = "#20302a"
_STONES: Final = {"X": "#101010", "O": "#f5f5f5"}


def crop(svg: str, *, files: int, ranks: int) -> str:
    """The lower left corner of a picture from `chess.svg`, with the coordinates on its left and lower border."""
    width, height = _MARGIN + files * _CELL, _MARGIN + ranks * _CELL
    top = _MARGIN + (8 - ranks) * _CELL
    # Width and height must keep the proportions of the view, or a browser would show the area beside it.
    view = f'viewBox="0 {top} {width} {height}" width="{width}" height="{height}"'
    return re.sub(r'viewBox="[^"]*"', view, svg, count=1)


def discs(colors: Mapping[tuple[int, int], str], *, size: int, marked: tuple[int, int] | None = None) -> str:
    """A board of `size` rows with discs at (column, row); (0, 0) is at the top left. One cell may be marked."""
    side = _CELL * size
    lines = [f'<rect width="{side}" height="{side}" fill="#2e8b57"/>']
    if marked is not None:
        x, y = (_CELL * place for place in marked)
        lines.append(f'<rect class="last" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#b5a642"/>')
    for line in range(size + 1):
        at = line * _CELL
        lines.append(f'<path d="M0 {at}H{side}M{at} 0V{side}" stroke="{_DARK}"/>')
    lines += [_disc(column, row, fill=color) for (column, row), color in sorted(colors.items())]
    letters, numbers = [chr(ord("a") + cell) for cell in range(size)], [str(cell + 1) for cell in range(size)]
    return _framed(lines, above=letters, beside=numbers)


def stones(
    rows: Sequence[str], *, above: Sequence[str], beside: Sequence[str], marked: tuple[int, int] | None = None
) -> str:
    """A board of lines with stones on the crossings, from rows of `.XO`; one (column, row) may be marked."""
    half, right, low = _CELL // 2, _CELL * len(above), _CELL * len(beside)
    lines = [f'<rect width="{right}" height="{low}" fill="#dcb35c"/>']
    lines += [f'<path d="M{half} {at}H{right - half - 1}" stroke="{_DARK}"/>' for at in range(half, low, _CELL)]
    lines += [f'<path d="M{at} {half}V{low - half - 1}" stroke="{_DARK}"/>' for at in range(half, right, _CELL)]
    lines += [
        _disc(column, row, fill=_STONES[cell])
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell in _STONES
    ]
    if marked is not None:
        x, y = (_CELL * place + half for place in marked)
        lines.append(f'<circle class="last" cx="{x}" cy="{y}" r="7" fill="none" stroke="#d03030" stroke-width="3"/>')
    return _framed(lines, above=above, beside=beside)


def squares(rows: Sequence[str], *, fills: Mapping[str, str], marked: Collection[tuple[int, int]] = ()) -> str:
    """A board of squares, filled if the cell is a key of `fills`, else with the cell as text; some may be marked."""
    lines = []
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            x, y = _CELL * column, _CELL * row
            fill = fills.get(cell, "#f7f3e8")
            lines.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}" stroke="{_DARK}"/>')
            if cell not in fills:
                lines.append(_text(cell, x=x + _CELL / 2, y=y + 30, size=22, fill=_DARK))
    lines += [
        f'<rect class="last" x="{_CELL * column + 3}" y="{_CELL * row + 3}" width="{_CELL - 6}" '
        f'height="{_CELL - 6}" fill="none" stroke="#e8c020" stroke-width="3"/>'
        for column, row in sorted(marked)
    ]
    columns, numbers = ([str(cell) for cell in range(count)] for count in (len(rows[0]), len(rows)))
    return _framed(lines, above=columns, beside=numbers)


def _disc(column: int, row: int, *, fill: str) -> str:
    x, y = (_CELL * place + _CELL / 2 for place in (column, row))
    return f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="{fill}"/>'


def _framed(lines: Sequence[str], *, above: Sequence[str], beside: Sequence[str]) -> str:
    """A complete picture: the board in `lines` with the names of columns and rows on the border."""
    width, height = _CELL * len(above) + 25, _CELL * len(beside) + 25
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 {width} {height}" '
            f'width="{width}" height="{height}">',
            f'<rect x="-20" y="-20" width="{width}" height="{height}" fill="{_DARK}"/>',
            *lines,
            *(_text(name, x=_CELL * cell + _CELL / 2, y=-6) for cell, name in enumerate(above)),
            *(_text(name, x=-10, y=_CELL * cell + _CELL / 2 + 4) for cell, name in enumerate(beside)),
            "</svg>",
        ]
    )


def _text(text: str, *, x: float, y: float, size: int = 12, fill: str = "#e0e0e0") -> str:
    style = f'font-family="sans-serif" font-size="{size}" fill="{fill}" text-anchor="middle"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{text}</text>'
