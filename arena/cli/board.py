"""Boards with colours, for terminals that have them."""

import os
from typing import IO, Final

from games.base import State
from games.view import View, Viewable

__all__ = ["board_text", "has_colors"]

_END: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
#: Backgrounds: two kinds of squares, boards with lines or cells, and the areas of first and second.
_LIGHT, _DARK, _GROUND = "\x1b[48;5;180m", "\x1b[48;5;137m", "\x1b[48;5;71m"
_AREAS: Final = {"first": "\x1b[48;5;173m", "second": "\x1b[48;5;67m"}
_CHECK: Final = "\x1b[48;5;160m"
_WHITE, _BLACK, _INK = "\x1b[38;5;231m", "\x1b[38;5;16m", "\x1b[38;5;236m"
_LETTERS: Final = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p", "stone": "O"}


def has_colors(stream: IO[str] | None) -> bool:
    """Whether colours can be written to this stream: it is a terminal, and NO_COLOR does not forbid it."""
    is_wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return is_wanted and stream is not None and stream.isatty()


def board_text(state: State, *, colored: bool) -> str:
    """The board of a state: with colours if it says how it looks, else as its text."""
    if not colored or not isinstance(state, Viewable):
        return str(state)
    view = state.view()
    margin = max((len(label) for label in view.labels.rows), default=0)
    rows = [
        f"{view.labels.rows[row] if row < len(view.labels.rows) else '':>{margin}} "
        + "".join(_cell(view, row, column) for column in range(view.columns))
        + _END
        for row in range(view.rows)
    ]
    return "\n".join([*rows, f"{'':>{margin}} {''.join(f'{label:^3}' for label in view.labels.columns)}".rstrip()])


def _cell(view: View, row: int, column: int) -> str:
    """Three characters of the board, with their colours."""
    cell = view.cells[row * view.columns + column]
    ground = _GROUND if view.style != "checkered" else _LIGHT if (view.rows - 1 - row + column) % 2 else _DARK
    ground = _CHECK if cell.mark == "check" else _AREAS.get(cell.holds, ground)
    side, _, kind = cell.holds.partition(" ")
    if kind in _LETTERS:
        letter = _LETTERS[kind].upper() if side == "white" else _LETTERS[kind]
        letter = {"white stone": "O", "black stone": "X"}.get(cell.holds, letter)
        return f"{ground}{_BOLD}{_WHITE if side == 'white' else _BLACK} {letter} {_END}"
    text = "" if cell.holds in _AREAS else cell.holds
    return f"{ground}{_INK}{text or ('·' if view.style == 'lines' else ''):^3.3}{_END}"
