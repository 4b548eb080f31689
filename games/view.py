"""How a board looks and how a move is clicked, as data, and the one function that draws such a board as SVG.

A state with `view` and `path` gets pictures, replays and pages for nothing; without them its text is shown.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

from games.base import Move

__all__ = [
    "CELL", "KINDS", "Cell", "Labels", "Path", "Style", "View", "Viewable", "draw", "marked", "piece_name", "sprite_id",
    "sprites",
]  # fmt: skip

#: How the cells are told apart: squares of two colours, crossings of lines, or squares with borders.
Style: TypeAlias = Literal["checkered", "lines", "cells"]
#: The clicks that make a move: names of cells, then perhaps a promotion such as `=Q`; or a button such as `pass`.
Path: TypeAlias = tuple[str, ...]

#: The size of a cell in a picture, and of the border with the labels, on the left and below.
CELL: Final = 45
_MARGIN: Final = 20
#: A text in a cell is cut after this many characters.
_WRITTEN: Final = 12

_PIECES: Final = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}


def piece_name(symbol: str) -> str:
    """What a cell holds under a chess symbol.

    >>> piece_name("N"), piece_name("q")
    ('white knight', 'black queen')
    """
    return f"{'white' if symbol.isupper() else 'black'} {_PIECES[symbol.lower()]}"


_CHESS: Final = {piece_name(symbol): symbol for symbol in "KQRBNPkqrbnp"}
_STONES: Final = {"black stone": "#101010", "white stone": "#f5f5f5"}
_AREAS: Final = {"first": "#e08a4f", "second": "#4f7fc0"}
#: What a cell can hold that is drawn; any other text is written into the cell.
KINDS: Final = (*_CHESS, *_STONES, *_AREAS)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its name in paths, what it holds (one of `KINDS`, a short text, or nothing), and whether it is marked.

    `check` marks a king in check. Last moves are marked by `draw`, not here.
    """

    name: str
    holds: str = ""
    mark: Literal["", "check"] = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """The names of the columns from left to right, and of the rows from top to bottom."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A board: its cells row by row from the top left. If `areas`, two clicks choose a rectangle of cells."""

    columns: int
    rows: int
    style: Style
    cells: tuple[Cell, ...]
    labels: Labels
    areas: bool = False


@runtime_checkable
class Viewable(Protocol):
    """A state that says how it looks and how its moves are clicked."""

    def view(self) -> View:
        """The board."""
        ...

    def path(self, move: Move) -> Path:
        """The clicks that make a legal move; no path of a legal move is the beginning of another one.

        Also those of the move that led here, to mark it.
        """
        ...


def marked(view: View, path: Path) -> list[int]:
    """The cells of a path as indexes into the cells of the view, ascending; of an area all its cells."""
    numbers = {cell.name: number for number, cell in enumerate(view.cells)}
    found = sorted({numbers[name] for name in path if name in numbers})
    if not view.areas or not found:
        return found
    rows, columns = zip(*(divmod(number, view.columns) for number in found), strict=True)
    return [
        row * view.columns + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]


def draw(view: View, last: Path = (), *, with_sprites: bool = True) -> str:
    """The board as SVG with the cells of the last move marked.

    There is no `style` attribute, so a page with a strict content security policy can show it. Colours are attributes,
    which the style sheet of a page overrides by class. Boards on one page can share the sprites of one of them.
    """
    width, height = _MARGIN + CELL * view.columns, _MARGIN + CELL * view.rows
    things, marks = list(_things(view)), list(_marks(view, last))
    body = [*_ground(view), *_labels(view)]
    written = 'font-family="sans-serif" font-size="22" fill="#20302a" text-anchor="middle"'
    things = [f'<g class="things" {written}>', *things, "</g>"]
    marks = ['<g class="marks">', *marks, "</g>"]
    body += [*marks, *things] if view.style == "checkered" else [*things, *marks]
    label = escape(f"board with {view.columns} columns and {view.rows} rows")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board {view.style}" role="img" aria-label="{label}" '
            f'viewBox="-{_MARGIN} 0 {width} {height}" width="{width}" height="{height}" data-columns="{view.columns}">',
            *([sprites(view)] if with_sprites else []),
            *body,
            "</svg>",
        ]
    )


def sprites(view: View) -> str:
    """The shapes that boards like this one refer to, once for a page."""
    held = {cell.holds for cell in view.cells}
    chess = view.style == "checkered" or not held.isdisjoint(_CHESS)
    kinds = [kind for kind in KINDS if kind in held or (kind in _CHESS) == chess]
    return "<defs>" + "".join(_sprite(kind) for kind in kinds) + "</defs>"


def _things(view: View) -> Iterator[str]:
    for number, cell in enumerate(view.cells):
        x, y = _corner(view, number)
        if cell.holds in KINDS:
            yield f'<use href="#{sprite_id(cell.holds)}" x="{x}" y="{y}"/>'
        elif cell.holds:
            yield f'<text x="{x + CELL / 2:g}" y="{y + 30}">{escape(cell.holds[:_WRITTEN])}</text>'


def _marks(view: View, last: Path) -> Iterator[str]:
    for number in marked(view, last):
        x, y = _corner(view, number)
        if view.style == "lines":
            yield (
                f'<circle class="last" cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="7" fill="none" '
                'stroke="#d03030" stroke-width="3"/>'
            )
        elif view.style == "cells":
            yield (
                f'<rect class="last" x="{x + 3}" y="{y + 3}" width="{CELL - 6}" height="{CELL - 6}" fill="none" '
                'stroke="#e8c020" stroke-width="3"/>'
            )
        else:
            yield f'<rect class="last" x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#e8d44d" opacity=".6"/>'
    for number, cell in enumerate(view.cells):
        if cell.mark == "check":
            x, y = _corner(view, number)
            yield f'<circle class="check" cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}" r="21" fill="#d03030"/>'


def _corner(view: View, number: int) -> tuple[int, int]:
    row, column = divmod(number, view.columns)
    return CELL * column, CELL * row


def _ground(view: View) -> Iterator[str]:
    """What lies under the pieces."""
    width, height, half = CELL * view.columns, CELL * view.rows, CELL // 2
    fill = {"checkered": "#efd9b4", "lines": "#dcb35c", "cells": "#f7f3e8" if view.areas else "#3c9d68"}[view.style]
    kind = "paper" if view.areas else "light"
    yield f'<rect class="{kind}" width="{width}" height="{height}" fill="{fill}"/>'
    if view.style == "checkered":
        squares = (
            f"M{CELL * column} {CELL * row}h{CELL}v{CELL}h-{CELL}z"
            for row in range(view.rows)
            for column in range(view.columns)
            if (view.rows - 1 - row + column) % 2 == 0
        )
        yield f'<path class="dark" d="{"".join(squares)}" fill="#b88762"/>'
        return
    across, down = (half, CELL) if view.style == "lines" else (0, CELL)
    end = half if view.style == "lines" else 0
    lines = [f"M{across} {y}H{width - end}" for y in range(across, height + 1 - end, down)]
    lines += [f"M{x} {across}V{height - end}" for x in range(across, width + 1 - end, down)]
    yield f'<path class="lines" d="{"".join(lines)}" fill="none" stroke="#20302a"/>'


def _labels(view: View) -> Iterator[str]:
    yield '<g class="labels" font-family="sans-serif" font-size="12" fill="#767676" text-anchor="middle">'
    bottom = CELL * view.rows + 14
    for number, name in enumerate(view.labels.columns):
        yield f'<text x="{CELL * number + CELL / 2:g}" y="{bottom}">{escape(name)}</text>'
    for number, name in enumerate(view.labels.rows):
        yield f'<text x="-10" y="{CELL * number + CELL / 2 + 4:g}">{escape(name)}</text>'
    yield "</g>"


def sprite_id(kind: str) -> str:
    """The identifier of the shape of a kind, among the sprites of a picture."""
    return f"arena-{kind.replace(' ', '-')}"


@functools.cache
def _sprite(kind: str) -> str:
    """A shape in a cell at the top left."""
    if kind in _STONES:
        return (
            f'<circle id="{sprite_id(kind)}" class="{kind}" cx="22.5" cy="22.5" r="18" fill="{_STONES[kind]}" '
            'stroke="#20302a"/>'
        )
    if kind in _AREAS:
        area = f'x="1" y="1" width="{CELL - 2}" height="{CELL - 2}" fill="{_AREAS[kind]}"'
        return f'<rect id="{sprite_id(kind)}" class="{kind}" {area}/>'
    # Here and not at the top: only pictures of chess need it.
    import chess.svg

    shape = chess.svg.PIECES[_CHESS[kind]].replace(f'id="{kind.replace(" ", "-")}"', f'id="{sprite_id(kind)}"', 1)
    return re.sub(r'style="([^"]*)"', lambda found: _as_attributes(found[1].split(";")), shape)


def _as_attributes(declarations: Sequence[str]) -> str:
    """CSS declarations as attributes of SVG, which no policy of a page forbids."""
    pairs = (one.split(":", 1) for one in declarations if ":" in one)
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)
