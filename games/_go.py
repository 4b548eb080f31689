"""Groups, captures and area on a board of Go."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from games._grid import Grid

__all__ = ["Stones", "area", "placements", "stifled"]


class Stones(NamedTuple):
    """The stones of both colours, one bit each: all that superko compares."""

    black: int
    white: int


def placements(board: Grid, *, own: int, other: int) -> Iterator[tuple[int, int, int]]:
    """For each empty point the point itself, then the own and the other stones once an own stone is placed there."""
    empty = board.whole & ~(own | other)
    captured: defaultdict[int, int] = defaultdict(int)
    lost: defaultdict[int, int] = defaultdict(int)
    breathing = _around(board, empty)
    for group in _groups(board, other):
        liberties = _around(board, group) & empty
        if liberties.bit_count() == 1:
            captured[liberties] |= group
    for group in _groups(board, own):
        liberties = _around(board, group) & empty
        if liberties.bit_count() == 1:
            lost[liberties] |= group
        else:
            breathing |= liberties
    for point in board.points:
        if not point & empty:
            continue
        if point in captured:
            yield point, own | point, other & ~captured[point]
        elif point & breathing:
            yield point, own | point, other
        else:
            # Suicide: the stone goes with the groups whose last liberty it takes.
            yield point, own & ~lost[point], other


def stifled(board: Grid, stones: Stones) -> int:
    """The stones without a liberty; in a position between two turns there are none."""
    empty = board.whole & ~(stones.black | stones.white)
    groups = (group for color in stones for group in _groups(board, color))
    return sum(group for group in groups if not _around(board, group) & empty)


def area(board: Grid, *, own: int, other: int) -> int:
    """How many points are own stones, or empty and reach own stones only."""
    empty = board.whole & ~(own | other)
    reached = ((region, _around(board, region)) for region in _groups(board, empty))
    return own.bit_count() + sum(region.bit_count() for region, edge in reached if edge & own and not edge & other)


def _around(board: Grid, points: int) -> int:
    """The points next to these; some of these may be among them."""
    stride = board.stride
    return (points << 1 | points >> 1 | points << stride | points >> stride) & board.whole


def _groups(board: Grid, points: int) -> Iterator[int]:
    """These points, taken apart where they are not connected."""
    while points:
        group, grown = 0, points & -points
        while group != grown:
            group, grown = grown, grown | _around(board, grown) & points
        points &= ~group
        yield group
