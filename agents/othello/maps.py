"""What each square is worth: the evaluations of the teaching agents."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.base import BLACK, Color
from games.othello import OthelloState

__all__ = ["DISCS", "MAPS", "MAP_A", "MAP_B", "Map", "square"]


class Map:
    """A weight for each of the 64 squares, a1, b1, …, h8."""

    def __init__(self, upper_half: str) -> None:
        rows = [tuple(int(weight) for weight in line.split()) for line in upper_half.strip().splitlines()]
        self.weights: Final = tuple(weight for row in rows + rows[::-1] for weight in row)
        self._masks = {
            value: sum(1 << at for at, weight in enumerate(self.weights) if weight == value)
            for value in set(self.weights)
        }

    def lead(self, state: OthelloState, color: Color) -> int:
        """The sum of the side's weights less that of the other side."""
        mine, theirs = (state.black, state.white) if color == BLACK else (state.white, state.black)
        return sum(
            value * ((mine & mask).bit_count() - (theirs & mask).bit_count()) for value, mask in self._masks.items()
        )


#: Every disc counts the same. (Own discs alone say no more: all lines of a search end with equally many, or nearly so.)
DISCS: Final = Map("\n".join(["1 1 1 1 1 1 1 1"] * 4))

#: Made by hand.
MAP_A: Final = Map("""
    120 -20  20   5   5  20 -20 120
    -20 -40  -5  -5  -5  -5 -40 -20
     20  -5  15   3   3  15  -5  20
      5  -5   3   3   3   3  -5   5
""")

#: Learned: Yoshioka and others (1999), in whole numbers.
MAP_B: Final = Map("""
    100 -25  10   5   5  10 -25 100
    -25 -25   1   1   1   1 -25 -25
     10   1   5   2   2   5   1  10
      5   1   2   1   1   2   1   5
""")

#: What the option `evaluation` may be.
MAPS: Final[Mapping[str, Map]] = MappingProxyType({"discs": DISCS, "map_a": MAP_A, "map_b": MAP_B})


def square(move: str) -> int:
    """The number of a square that is written like `d3`."""
    return "abcdefgh".index(move[0]) + 8 * (int(move[1]) - 1)
