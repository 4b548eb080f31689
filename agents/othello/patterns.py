"""The evaluation of Othello positions by patterns of squares, with weights learned from games."""

import functools
import itertools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from games.base import BLACK
from games.othello import OthelloState

__all__ = [
    "DISC",
    "INSTANCES",
    "PATTERNS",
    "PHASES",
    "Instance",
    "Pattern",
    "Weights",
    "bundled",
    "packed",
    "phase",
    "unpacked",
]

#: The unit of a value is an eighth of a disc.
DISC: Final = 8
PHASES: Final = 6
_MOST: Final = 64 * DISC


@dataclass(frozen=True, slots=True)
class Pattern:
    """Some squares, and the place of each of them in the mirror image of the pattern."""

    name: str
    squares: tuple[int, ...]
    mirror: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """The number of ways in which its squares can be empty, own or the opponent's."""
        return int(3 ** len(self.squares))

    def mirrored(self, number: int) -> int:
        """The number of the mirror image."""
        digits = [number // 3**place % 3 for place in range(len(self.squares))]
        return sum(digits[place] * 3**at for at, place in enumerate(self.mirror))

    def ranks(self) -> list[int]:
        """The index of the weight for each number; a number and its mirror image share a weight."""
        ranks: list[int] = []
        new = itertools.count()
        for number in range(self.numbers):
            image = self.mirrored(number)
            ranks.append(next(new) if image >= number else ranks[image])
        return ranks


def _line(name: str, *squares: int) -> Pattern:
    return Pattern(name, squares, tuple(reversed(range(len(squares)))))


#: Each pattern in one of its places on the board; a1 = 0, b1 = 1, …, h8 = 63.
PATTERNS: Final = (
    _line("edge, b2 and g2", 9, 0, 1, 2, 3, 4, 5, 6, 7, 14),
    Pattern("corner", (0, 1, 2, 8, 9, 10, 16, 17, 18), (0, 3, 6, 1, 4, 7, 2, 5, 8)),
    _line("second row", *range(8, 16)),
    _line("third row", *range(16, 24)),
    _line("fourth row", *range(24, 32)),
    _line("diagonal of eight", *range(0, 64, 9)),
    _line("diagonal of seven", *range(8, 64, 9)),
    _line("diagonal of six", *range(16, 64, 9)),
    _line("diagonal of five", *range(24, 64, 9)),
    _line("diagonal of four", *range(32, 64, 9)),
)


@dataclass(frozen=True, slots=True)
class Instance:
    """A pattern (an index of `PATTERNS`) at one place on the board."""

    pattern: int
    squares: tuple[int, ...]

    def number(self, own: int, other: int) -> int:
        """The squares as a number in base 3, lowest digit first: 0 is empty, 1 own, 2 the opponent's."""
        return sum(((own >> at & 1) + 2 * (other >> at & 1)) * 3**place for place, at in enumerate(self.squares))


def _seen(square: int, way: int) -> int:
    """The square after turning and mirroring the board in one of eight ways."""
    row, column = divmod(square, 8)
    if way & 1:
        column = 7 - column
    if way & 2:
        row = 7 - row
    if way & 4:
        row, column = column, row
    return 8 * row + column


def _instances() -> tuple[Instance, ...]:
    found = dict[frozenset[int], Instance]()
    for index, pattern in enumerate(PATTERNS):
        for way in range(8):
            squares = tuple(_seen(square, way) for square in pattern.squares)
            found.setdefault(frozenset(squares), Instance(index, squares))
    return tuple(found.values())


#: Every place of every pattern.
INSTANCES: Final = _instances()


def phase(discs: int) -> int:
    """The phase of the game, 0 to 5, by the number of discs on the board."""
    return min((discs - 4) // 10, PHASES - 1)


class Weights:
    """The weight of every number of every pattern in every phase, read from signed bytes.

    They are stored phase by phase and pattern by pattern; a number and its mirror image are stored once. At the end
    there is a constant for each number of discs from 0 to 64, which reflects who will make the last move.
    """

    def __init__(self, stored: bytes) -> None:
        self.stored = stored
        self._values = memoryview(stored).cast("b")
        self._ranks = [pattern.ranks() for pattern in PATTERNS]
        self._starts = self._places()

    def _places(self) -> list[list[int]]:
        sizes = [max(ranks) + 1 for ranks in self._ranks]
        if len(self.stored) != PHASES * sum(sizes) + 65:
            raise ValueError(f"there must be {PHASES * sum(sizes) + 65} weights, not {len(self.stored)}")
        starts = list(itertools.accumulate(sizes * PHASES, initial=0))
        return [starts[at : at + len(PATTERNS)] for at in range(0, PHASES * len(PATTERNS), len(PATTERNS))]

    def value(self, state: OthelloState) -> int:
        """The value of the position for the side to move."""
        own, other = (state.black, state.white) if state.turn == BLACK else (state.white, state.black)
        if not own or not other:
            return _MOST if own else -_MOST
        discs = (own | other).bit_count()
        starts = self._starts[phase(discs)]
        value = self._values[len(self.stored) - 65 + discs]
        for instance in INSTANCES:
            kind = instance.pattern
            value += self._values[starts[kind] + self._ranks[kind][instance.number(own, other)]]
        return max(-_MOST, min(_MOST, value))


def unpacked(packed: bytes) -> bytes:
    """The weights in the form that `Weights` and the native search read."""
    return zlib.decompress(packed)


def packed(weights: Sequence[int]) -> bytes:
    """The weights in the compressed form of the package."""
    return zlib.compress(bytes(weight & 255 for weight in weights), 9)


@functools.cache
def bundled() -> bytes:
    """The weights that come with the package."""
    return unpacked(files("agents.othello").joinpath("weights.bin").read_bytes())
