"""The opening books of microchess and Othello, for any agent: `book_move(state)`.

A book holds positions, each with one move that a deep search has chosen. `agents/books` makes, prints and checks them.
A line of its file has the position, the move and the expected score of the side to move, with tabs between them; lines
that begin with # say how the book was made. In Othello the eight turned and mirrored forms of a board are one position.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.base import Move

__all__ = ["BadBook", "BookMove", "Place", "book", "book_file", "book_move", "place_of"]

_FOLDER: Final = Path(__file__).parent / "books"


class BadBook(ValueError):
    """A book cannot be read."""


class BookMove(NamedTuple):
    """A move of the book, and the expected score of the side to move from 0 to 1."""

    move: Move
    value: float


class Place(NamedTuple):
    """Where a state stands in the book of its game: its key, and moves as texts in the book and in the state."""

    game: str
    key: str
    stored: Callable[[str], str]
    played: Callable[[str], str]


def book_move(state: Any) -> BookMove | None:
    """What the book of the game says about a state; None if it says nothing, or if there is no book."""
    place = place_of(state)
    found = None if place is None else book(place.game).get(place.key)
    if place is None or found is None or state.is_game_over():
        return None
    text, value = found
    return BookMove(state.parse(place.played(text)), value)


def book_file(game: str) -> Path:
    """The file of the book of a game."""
    return _FOLDER / f"{game}.txt"


@functools.cache
def book(game: str) -> Mapping[str, tuple[str, float]]:
    """All positions of a book by their keys, each with move and value; empty if the game has no book."""
    path = book_file(game)
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        return {key: (move, float(value)) for key, move, value in rows}
    except (OSError, ValueError) as error:
        raise BadBook(f"cannot read the opening book {path.name}") from error


def place_of(state: Any) -> Place | None:
    """The place of a state in the book of its game; None for games without a book, and with another turn limit."""
    find = _PLACES.get(type(state).__module__)
    return None if find is None else find(state)


def _same(text: str) -> str:
    return text


def _microchess(state: Any) -> Place | None:
    if state.turn_limit != _USUAL_LIMIT:
        return None
    return Place("microchess", state.text.rsplit(" ", 2)[0], _same, _same)


#: A book of microchess counts on it: material decides there.
_USUAL_LIMIT: Final = 80


# Othello: the smallest of the eight forms of a board stands for all.


def _othello(state: Any) -> Place:
    board, side = state.text.split()
    order = min(_symmetries(), key=lambda order: [board[square] for square in order])
    back = {place: square for square, place in enumerate(order)}

    def played(text: str) -> str:
        return text if text == "pass" else _name(order[_square(text)])

    def stored(text: str) -> str:
        return text if text == "pass" else _name(back[_square(text)])

    return Place("othello", f"{''.join(board[square] for square in order)} {side}", stored, played)


@functools.cache
def _symmetries() -> Sequence[tuple[int, ...]]:
    """For each turned or mirrored form of the board, the square that stands on each square of it."""
    found = []
    order = [8 * row + column for row in range(8) for column in range(8)]
    for _ in range(4):
        order = [order[8 * (7 - square % 8) + square // 8] for square in range(64)]
        found += [tuple(order), tuple(order[square ^ 7] for square in range(64))]
    return found


def _square(text: str) -> int:
    return 8 * (int(text[1]) - 1) + ord(text[0]) - ord("a")


def _name(square: int) -> str:
    return f"{chr(ord('a') + square % 8)}{square // 8 + 1}"


_PLACES: Final[Mapping[str, Callable[[Any], Place | None]]] = {
    "games.microchess": _microchess,
    "games.othello": _othello,
}
