"""The tables of microchess endings: what they answer, and where a position stands in them.

They hold every position with both kings and one or two other pieces, without castling rights. In microchess material
decides where chess has draws, so a side that is ahead wins by waiting, unless the other side can force something.
The question that the tables answer is therefore:

    What result can both sides make sure of, and with how many turns left?

"Win, 7" means: the side to move wins against every defence if 7 or more turns are left, however many. It has a way in
which it never needs more than the stored turns: each move leads to a position that is a loss for the other side with
fewer turns, or with 0 turns. With 0 turns it has won by waiting: it stays ahead whenever the game ends. "Draw" means
that both sides can make sure of half a point. A few positions have no answer: there the right moves, and often the
result too, depend on who makes the last turn of the game.

Turns are left until the turn limit ends the game, and until 50 turns without capture or pawn move end it; both ends
count by material, so the smaller number is what matters. Repetition ends a game by material too. It cannot disturb a
win with 0 turns, and in other wins no position comes twice, so it matters only if a position has already occurred
four times. With that, `sure_answer` holds under all rules of the competition. Castling rights are the one thing that
is left out.

This module is the specification of `agents/core/microchess_endings.hpp`; `build.hpp` makes the tables.
"""

import functools
import lzma
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from agents.core.knowledge import game_of
from games.base import BLACK, WHITE

__all__ = [
    "FILE",
    "MOST_MEN",
    "Answer",
    "BadTables",
    "Result",
    "answer",
    "by_material",
    "near_tables",
    "packed",
    "sure_answer",
    "tables",
]

#: The shipped file: all tables, one byte for each position, packed.
FILE: Final = Path(__file__).parent / "microchess.xz"
#: The most pieces on the board, kings included.
MOST_MEN: Final = 4
#: With so many pieces a search may reach the tables.
_NEAR: Final = 8

Result: TypeAlias = Literal["loss", "draw", "win"]
_RESULTS: Final[tuple[Result | None, ...]] = (None, "loss", "draw", "win")
_PIECES: Final = range(1, 6)
_LETTERS: Final = " PNBRQ"
_KINDS: Final = ("pawns", "knights", "bishops", "rooks", "queens")
_FILES, _SQUARES, _QUIET_TURNS, _OFTEN = 4, 20, 50, 4

#: The pieces beside the kings: those of the side that has more and those of the other, the most valuable first.
_Material: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class BadTables(ValueError):
    """The file of the tables is missing or damaged."""


class Answer(NamedTuple):
    """The result for the side to move, and the turns that must be left; no result if that depends on the last turn."""

    result: Result | None
    turns: int = 0

    def __str__(self) -> str:
        if self.result is None:
            return "no answer: it depends on who makes the last turn"
        return self.result if self.turns == 0 else f"{self.result} with {self.turns} or more turns left"


def tables() -> bytes:
    """All tables, one byte for each position; raises `BadTables`."""
    return _read(FILE)


@functools.cache
def _read(path: Path) -> bytes:
    try:
        found = lzma.decompress(path.read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise BadTables(f"cannot read the tables of endings in {path.name}") from error
    if len(found) != sum(map(_size, _materials())):
        raise BadTables(f"{path.name} does not hold the tables of endings")
    return found


def packed(found: bytes) -> bytes:
    """The tables as they are stored."""
    return lzma.compress(found, preset=9 | lzma.PRESET_EXTREME)


def by_material() -> dict[str, list[Answer]]:
    """The answers for all positions in which the game goes on, natively, by pieces such as `KQ-KR`."""
    from agents.core.native import extension

    native = extension("agents.endings._native")
    if native is None:
        raise BadTables("the native module agents.endings._native was not built")
    stored, found = tables(), dict[str, list[Answer]]()
    for material in sorted(_materials(), key=lambda each: (len(each[0]) + len(each[1]), each)):
        sides = ["K" + "".join(_LETTERS[piece] for piece in side) for side in material]
        places = range(_begin()[material], _begin()[material] + _size(material))
        bytes_ = [stored[place] for place in places if native.position(place) is not None]
        found["-".join(sides)] = [Answer(_RESULTS[byte >> 6], byte & 63) for byte in bytes_]
    return found


def near_tables(state: Any) -> bool:
    """Whether a search from this state may soon reach a position of the tables."""
    return game_of(state, own=True) == "microchess" and int(state.occupied).bit_count() <= _NEAR


def answer(state: Any) -> Answer | None:
    """What the tables say about a state of microchess, whatever its history; None where they hold nothing."""
    place = _place(state)
    if place is None or state.is_game_over():
        return None
    material, index = place
    byte = tables()[_begin()[material] + index]
    return Answer(_RESULTS[byte >> 6], byte & 63)


def sure_answer(state: Any) -> Answer | None:
    """The answer of the tables if it holds in this game, with its turn limit and history; else None."""
    found = answer(state)
    if found is None or found.result is None:
        return None
    left = _QUIET_TURNS - state.halfmove_clock
    if state.turn_limit:
        left = min(left, state.turn_limit - state.turns)
    if left < found.turns or (found.turns and _most_occurrences(state) >= _OFTEN):
        return None
    return found


def _most_occurrences(state: Any) -> int:
    """How often a position has occurred since the last capture or pawn move."""
    board, seen = state.copy(), Counter[str]()
    for _ in range(min(state.halfmove_clock, len(state.move_stack)) + 1):
        seen[board.text.rsplit(" ", 2)[0]] += 1
        if board.move_stack:
            board.pop()
    return max(seen.values())


# Where a position stands. Colours are exchanged if Black has more, and files if the white king is on c or d.


def _place(state: Any) -> tuple[_Material, int] | None:
    if state.castling_rights or not 3 <= int(state.occupied).bit_count() <= MOST_MEN:
        return None
    pieces = {color: _pieces(state, color) for color in (WHITE, BLACK)}
    first = BLACK if _rank(pieces[BLACK]) > _rank(pieces[WHITE]) else WHITE
    flip = first == BLACK
    white_king, black_king = (_square(state.king(color), flip=flip) for color in (first, not first))
    mirror = 3 if white_king % _FILES >= _FILES // 2 else 0
    kings = _king_pairs()[white_king ^ mirror, black_king ^ mirror]
    squares = []
    for color in (first, not first):
        own = [(piece, _square(square, flip=flip) ^ mirror) for piece, square in pieces[color]]
        squares += [square for _, square in sorted(own, key=lambda man: (-man[0], man[1]))]
    index = kings
    for square in squares:
        index = index * _SQUARES + square
    material = tuple(piece for piece, _ in pieces[first]), tuple(piece for piece, _ in pieces[not first])
    return material, 2 * index + (state.turn == first)


def _pieces(state: Any, color: bool) -> list[tuple[int, int]]:
    """The pieces of a side beside its king, the most valuable first, with their squares."""
    own = state.occupied_co[color]
    found = []
    for piece, kind in zip(_PIECES, _KINDS, strict=True):
        mask = getattr(state, kind) & own
        found += [(piece, square) for square in range(64) if mask >> square & 1]
    return sorted(found, key=lambda man: -man[0])


def _rank(pieces: list[tuple[int, int]]) -> tuple[int, list[int]]:
    return len(pieces), [piece for piece, _ in pieces]


def _square(square: int, *, flip: bool) -> int:
    file, rank = square % 8, square // 8
    return file + _FILES * (4 - rank if flip else rank)


@functools.cache
def _king_pairs() -> dict[tuple[int, int], int]:
    """The number of each pair of squares of the kings: the white one on a or b, and not next to the other."""
    pairs = [
        (white, black) for white, black in product(range(_SQUARES), repeat=2)
        if white % _FILES < _FILES // 2 and max(abs(white % 4 - black % 4), abs(white // 4 - black // 4)) > 1
    ]  # fmt: skip
    return {pair: number for number, pair in enumerate(pairs)}


@functools.cache
def _materials() -> list[_Material]:
    """All materials in the order of the file: every capture and promotion leads to an earlier one."""
    found: list[_Material] = []
    for one in _PIECES:
        found.append(((one,), ()))
        for other in range(1, one + 1):
            found += [((one, other), ()), ((one,), (other,))]
    return sorted(found, key=lambda material: (sum(map(len, material)), sum(side.count(1) for side in material)))


def _size(material: _Material) -> int:
    others = sum(map(len, material))
    return 2 * len(_king_pairs()) * int(_SQUARES**others)


@functools.cache
def _begin() -> dict[_Material, int]:
    sizes = [0]
    for material in _materials():
        sizes.append(sizes[-1] + _size(material))
    return {material: begin for material, (begin, _) in zip(_materials(), pairwise(sizes), strict=True)}
