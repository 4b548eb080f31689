"""What a stone makes of a line that runs through it."""

import functools
from enum import IntEnum
from typing import Final

__all__ = ["REACH", "VALUES", "Shape", "shape"]

#: Five in a line through a stone lie within so many points of it, on either side.
REACH: Final = 4


class Shape(IntEnum):
    """How far a line is on its way to five, when only one side goes on in it.

    A four becomes five by one more stone; an open one in two ways, so that no answer helps. A three becomes a four,
    an open one an open four, and so on down to a line in which five can never be made.
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


#: What a shape is worth, as a reason to play there and in the count of a position.
VALUES: Final = (0, 1, 3, 12, 14, 50, 60, 300, 1000)

#: What the best next stone makes of a line, and what the line is therefore.
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
    """The shape of nine points around a stone: `X` is a stone of its side, `.` empty, anything else is closed.

    The stone itself stands in the middle.
    """
    if _five(line):
        return Shape.FIVE
    nexts = [shape(f"{line[:place]}X{line[place + 1 :]}") for place, point in enumerate(line) if point == "."]
    fives = nexts.count(Shape.FIVE)
    if fives:
        return Shape.FOUR if fives == 1 else Shape.OPEN_FOUR
    return _BEFORE[max(nexts, default=Shape.NOTHING)]


def _five(line: str) -> bool:
    return any(line[start : start + 5] == "XXXXX" for start in range(REACH + 1))
