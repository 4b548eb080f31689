"""The shape that a stone makes in a line through it."""

import functools
from enum import IntEnum
from typing import Final

__all__ = ["REACH", "VALUES", "Shape", "shape"]

#: A five through a stone reaches at most this many points to either side.
REACH: Final = 4


class Shape(IntEnum):
    """How close a line is to five if only one side adds stones.

    A four becomes a five with one more stone; an open four does in two ways, so no answer stops it. A three becomes a
    four, an open three an open four, and so on, down to a line in which five can never be made.
    """

    NOTHING = 0
    ONE = 1
    TWO = 2
    OPEN_TWO = 3
    THREE = 4
    OPEN_THREE = 5
    FOUR = 6
    OPEN_FOUR = 7
    FIVE = 8


#: The value of each shape, for ordering moves and for evaluating positions.
VALUES: Final = (0, 1, 3, 12, 14, 50, 60, 300, 1000)

#: The shape after the best next stone, and the shape that the line has before it.
_BEFORE: Final = {
    Shape.OPEN_FOUR: Shape.OPEN_THREE,
    Shape.FOUR: Shape.THREE,
    Shape.OPEN_THREE: Shape.OPEN_TWO,
    Shape.THREE: Shape.TWO,
    Shape.OPEN_TWO: Shape.ONE,
    Shape.TWO: Shape.ONE,
    Shape.NOTHING: Shape.NOTHING,
}


@functools.cache
def shape(line: str) -> Shape:
    """The shape of nine points with the stone in the middle: `X` is a stone of its side, `.` is empty, others block."""
    if _five(line):
        return Shape.FIVE
    nexts = [shape(f"{line[:place]}X{line[place + 1 :]}") for place, point in enumerate(line) if point == "."]
    fives = nexts.count(Shape.FIVE)
    if fives:
        return Shape.FOUR if fives == 1 else Shape.OPEN_FOUR
    return _BEFORE[max(nexts, default=Shape.NOTHING)]


def _five(line: str) -> bool:
    return any(line[start : start + 5] == "XXXXX" for start in range(REACH + 1))
