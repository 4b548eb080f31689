"""A board that always knows what each empty point is worth to each side."""

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

from agents.gomoku.shapes import REACH, VALUES, Shape, shape
from games.base import BLACK, WHITE, Color

__all__ = ["FORK", "Threats", "points"]

#: The extra value of a point where two threats meet.
FORK: Final = 200

#: The content of a point, in two bits; 0 is empty.
_STONES: Final = {BLACK: 1, WHITE: 2}
_OUTSIDE: Final = 3
_COLORS: Final = (BLACK, WHITE)


class _Neighbour(NamedTuple):
    """A point that sees another point: along which line, and at which place in its view."""

    line: int
    point: int
    shift: int


class Threats:
    """The stones of a square board, and the points where a stone would make a threat.

    Points are numbered row by row, and a set of points is an integer with one bit for each. For each colour, `fives`
    are the points that win at once. After a stone on one of `wins` there are two ways to make five, after one on
    `fours` one way; a stone on one of `threes` threatens to reach `wins`. `scores` is the sum of the values of all
    empty points for a side.
    """

    def __init__(self, size: int, turn: Color = BLACK) -> None:
        self.size = size
        self.turn = turn
        self.stones = [0, 0]
        self.fives, self.wins, self.fours, self.threes = [0, 0], [0, 0], [0, 0], [0, 0]
        #: The empty points that share a line with a stone.
        self.near = 0
        self.open = (1 << size * size) - 1
        self.scores = [0, 0]
        self.values = [[0] * (size * size), [0] * (size * size)]
        self._keys = [list(keys) for keys in _empty_keys(size)]
        for point in range(size * size):
            self._count(point)

    @classmethod
    def read(cls, text: str) -> "Threats":
        """The board of a position in the text form of the game."""
        rows, side = text.split()
        board = cls(rows.index("/"))
        for color, symbol in ((BLACK, "X"), (WHITE, "O")):
            for point, cell in enumerate(rows.replace("/", "")):
                if cell == symbol:
                    board.turn = color
                    board.put(point)
        board.turn = BLACK if side == "X" else WHITE
        return board

    def put(self, point: int) -> None:
        """Place a stone of the side to move; the other side is to move then."""
        self._change(point, self.turn)
        self.turn = not self.turn

    def lift(self, point: int) -> None:
        """Take back the stone that was placed last."""
        self.turn = not self.turn
        self._change(point, self.turn)

    def value(self, point: int) -> int:
        """The value of an empty point for both sides together: to take it or to deny it."""
        return self.values[BLACK][point] + self.values[WHITE][point]

    def answers(self) -> int:
        """All moves that may help against the `wins` of the opponent, who has no `fives`.

        A win needs its own point and the two points that make five. A move that takes none of these three and makes no
        four loses.
        """
        own, other = self.turn, not self.turn
        stops = self.open
        for point in points(self.wins[other]):
            self.turn = other
            self.put(point)
            stops &= self.fives[other] | 1 << point
            self.lift(point)
        self.turn = own
        return stops | self.fours[own] | self.wins[own]

    def _change(self, point: int, color: Color) -> None:
        self.stones[color] ^= 1 << point
        self.open ^= 1 << point
        self._count(point)
        for line, neighbour, shift in _neighbours(self.size)[point]:
            self._keys[line][neighbour] ^= _STONES[color] << shift
            if self.open >> neighbour & 1:
                self._count(neighbour)

    def _count(self, point: int) -> None:
        bit = 1 << point
        is_open = self.open & bit
        self.near &= ~bit
        for color in _COLORS:
            shapes = [_shape(keys[point], color) for keys in self._keys] if is_open else []
            value, best, fours = _worth(shapes)
            self.scores[color] += value - self.values[color][point]
            self.values[color][point] = value
            wins = best == Shape.OPEN_FOUR or (best == Shape.FOUR and fours > 1)
            for kind, belongs in (
                (self.fives, best == Shape.FIVE),
                (self.wins, wins),
                (self.fours, best == Shape.FOUR and not wins),
                (self.threes, best == Shape.OPEN_THREE),
            ):
                kind[color] = kind[color] | bit if belongs else kind[color] & ~bit
            if best >= Shape.TWO:
                self.near |= bit


def points(bits: int) -> Iterator[int]:
    """The points of a set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class _Worth(NamedTuple):
    value: int
    best: Shape
    fours: int


def _worth(shapes: list[Shape]) -> _Worth:
    value, best = sum(VALUES[found] for found in shapes), max(shapes, default=Shape.NOTHING)
    fours, threes = shapes.count(Shape.FOUR), shapes.count(Shape.OPEN_THREE)
    return _Worth(value + (FORK if fours + threes > 1 else 0), best, fours)


@functools.cache
def _shape(key: int, color: Color) -> Shape:
    """The shape that a stone of `color` makes in a line with this view."""
    seen = [key >> shift & 3 for shift in range(0, 16, 2)]
    line = "".join("." if not cell else "X" if cell == _STONES[color] else "#" for cell in seen)
    return shape(f"{line[:REACH]}X{line[REACH:]}")


@functools.cache
def _neighbours(size: int) -> list[list[_Neighbour]]:
    """For each point, the points that see it."""
    return [[near for near in _seen(size, point) if near.point >= 0] for point in range(size * size)]


@functools.cache
def _empty_keys(size: int) -> list[list[int]]:
    """The view of each point along each line of an empty board: only the edges of the board."""
    keys = [[0] * (size * size) for _ in range(4)]
    for point in range(size * size):
        for line, other, shift in _seen(size, point):
            if other < 0:
                keys[line][point] |= _OUTSIDE << 14 - shift
    return keys


def _seen(size: int, point: int) -> Iterator[_Neighbour]:
    """The eight points around a point on each line (-1 off the board), and the place of the point in their view."""
    row, column = divmod(point, size)
    for line, (down, right) in enumerate(((0, 1), (1, -1), (1, 0), (1, 1))):
        for distance in (*range(-REACH, 0), *range(1, REACH + 1)):
            other_row, other_column = row + distance * down, column + distance * right
            inside = 0 <= other_row < size and 0 <= other_column < size
            # A point sees the other eight points of nine in a line, two bits each.
            shift = 2 * (REACH - distance if distance > 0 else REACH - distance - 1)
            yield _Neighbour(line, other_row * size + other_column if inside else -1, shift)
