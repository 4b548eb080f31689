"""A board that knows at every moment what each empty point would give each side."""

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

from agents.gomoku.shapes import REACH, VALUES, Shape, shape
from games.base import BLACK, WHITE, Color

__all__ = ["FORK", "Threats", "points"]

#: What is added where two threats meet.
FORK: Final = 200

#: A point of a line, in two bits: 0 is empty.
_STONES: Final = {BLACK: 1, WHITE: 2}
_OUTSIDE: Final = 3
_COLORS: Final = (BLACK, WHITE)


class _Neighbour(NamedTuple):
    """A point that sees another one: along which line, and where in what it sees."""

    line: int
    point: int
    shift: int


class Threats:
    """The stones of a square board, and the points where a stone would make a threat.

    Points are numbered row by row, and sets of points are numbers with a bit for each. For either colour, `fives` are
    the points that win at once. A stone on one of `wins` can be made five in two ways, on one of `fours` in one way; on
    one of `threes` it threatens to stand so. `scores` sums what all empty points are worth to a side.
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
        """The board of a position as the rules of the game write it."""
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
        """Take the stone back that was placed last."""
        self.turn = not self.turn
        self._change(point, self.turn)

    def value(self, point: int) -> int:
        """What an empty point is worth, to take it or to deny it."""
        return self.values[BLACK][point] + self.values[WHITE][point]

    def answers(self) -> int:
        """All moves that may help against the `wins` of the other side, which has no `fives`.

        Each of them needs its point and the two that make five; whatever leaves these three alone, and makes no four,
        loses.
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
    """What a stone of `color` makes of a line that is seen as `key`."""
    seen = [key >> shift & 3 for shift in range(0, 16, 2)]
    line = "".join("." if not cell else "X" if cell == _STONES[color] else "#" for cell in seen)
    return shape(f"{line[:REACH]}X{line[REACH:]}")


@functools.cache
def _neighbours(size: int) -> list[list[_Neighbour]]:
    """For each point, those that see it."""
    return [[near for near in _seen(size, point) if near.point >= 0] for point in range(size * size)]


@functools.cache
def _empty_keys(size: int) -> list[list[int]]:
    """What each point sees along each line of an empty board: where the board ends."""
    keys = [[0] * (size * size) for _ in range(4)]
    for point in range(size * size):
        for line, other, shift in _seen(size, point):
            if other < 0:
                keys[line][point] |= _OUTSIDE << 14 - shift
    return keys


def _seen(size: int, point: int) -> Iterator[_Neighbour]:
    """The eight points around one on each line, -1 off the board, and where each of them sees it."""
    row, column = divmod(point, size)
    for line, (down, right) in enumerate(((0, 1), (1, -1), (1, 0), (1, 1))):
        for distance in (*range(-REACH, 0), *range(1, REACH + 1)):
            other_row, other_column = row + distance * down, column + distance * right
            inside = 0 <= other_row < size and 0 <= other_column < size
            # Of the nine points in a line the other one sees all but itself, two bits each.
            shift = 2 * (REACH - distance if distance > 0 else REACH - distance - 1)
            yield _Neighbour(line, other_row * size + other_column if inside else -1, shift)
