"""The boards of a game for pages: the picture or the text of a state, and the whole game as a film of small changes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import pairwise
from typing import Final

from games.base import Move, State
from games.view import KINDS, View, Viewable, draw, marked, sprite_id
from results.notation.replay import BROKEN
from results.text import plain

__all__ = ["NO_BOARD", "Film", "board", "film", "picture", "text_board", "text_changes"]

#: The text of a board that cannot be shown.
NO_BOARD: Final = "no board"
_TEXT_CHARACTERS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Film:
    """The boards of a game for `board.js`.

    A thing is an identifier of a shape and a text, one of them empty. A change is pairs of a cell and a thing, against
    the board before; the first is against an empty board. `last` and `check` are the marked cells of each board.
    """

    things: list[tuple[str, str]]
    changes: list[list[int]]
    last: list[list[int]]
    check: list[list[int]]

    def as_dict(self) -> dict[str, object]:
        """The film as JSON."""
        return asdict(self)


def film(states: Sequence[State], moves: Sequence[Move]) -> Film | None:
    """The film of these states with the moves between them; None if the game does not describe its board."""
    try:
        return _film(states, moves)
    except BROKEN:
        return None


def _film(states: Sequence[State], moves: Sequence[Move]) -> Film | None:
    numbers: dict[str, int] = {"": 0}
    found = Film([], [], [], [])
    before: list[int] = []
    lasts: list[Move | None] = [None, *moves]
    for state, move in zip(states, lasts, strict=False):
        if not isinstance(state, Viewable):
            return None
        view = state.view()
        held = [numbers.setdefault(cell.holds, len(numbers)) for cell in view.cells]
        pairs = zip(held, before or [0] * len(held), strict=True)
        found.changes.append([part for at, (now, then) in enumerate(pairs) if now != then for part in (at, now)])
        found.last.append([] if move is None else marked(view, state.path(move)))
        found.check.append(_checked(view))
        before = held
    found.things.extend(_thing(name) for name in numbers)
    return found


def _thing(name: str) -> tuple[str, str]:
    return (sprite_id(name), "") if name in KINDS else ("", plain(name, 12))


def _checked(view: View) -> list[int]:
    return [number for number, cell in enumerate(view.cells) if cell.mark == "check"]


def board(state: State, last: Move | None) -> str:
    """The picture of a state, or its text where the game describes no board."""
    return picture(state, last) or f'<pre class="plain">{escape(text_board(state))}</pre>'


def picture(state: State, last: Move | None) -> str | None:
    """The SVG of a state with the last move marked; None where the game describes no board."""
    try:
        if not isinstance(state, Viewable):
            return None
        return draw(state.view(), () if last is None else state.path(last))
    except BROKEN:
        return None


def text_board(state: State) -> str:
    """The board as plain text, safe to show."""
    try:
        return plain(str(state), limit=_TEXT_CHARACTERS, multiline=True) or NO_BOARD
    except BROKEN:
        return NO_BOARD


def text_changes(texts: Sequence[str]) -> list[str | list[int | str]]:
    """Texts of which most differ little: each is whole, or pairs of a place and a character against the one before.

    >>> text_changes(["a b c d", "a b c e", "long"])
    ['a b c d', [6, 'e'], 'long']
    """
    found: list[str | list[int | str]] = list(texts[:1])
    for before, after in pairwise(texts):
        changed = [at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other]
        if len(before) != len(after) or len(changed) > len(after) / 4:
            found.append(after)
        else:
            found.append([part for at in changed for part in (at, after[at])])
    return found
