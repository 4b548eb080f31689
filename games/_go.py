"""Groups, captures and area on a board of Go."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from games._grid import Grid

__all__ = ["Stones", "area", "groups", "placements", "stifled"]


class Stones(NamedTuple):
    """The stones of both colours as bit sets; superko compares these."""

    black: int
    white: int


def placements(board: Grid, *, own: int, other: int) -> Iterator[tuple[int, int, int]]:
    """Each empty point, with the own and the other stones after an own stone is placed there."""
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
            # Suicide: the stone is removed together with the groups whose last liberty it takes.
            yield point, own & ~lost[point], other


def stifled(board: Grid, stones: Stones) -> int:
    """The stones without a liberty; a legal position has none."""
    empty = board.whole & ~(stones.black | stones.white)
    groups = (group for color in stones for group in _groups(board, color))
    return sum(group for group in groups if not _around(board, group) & empty)


def groups(board: Grid, stones: int, *, empty: int) -> Iterator[tuple[int, int]]:
    """The groups of these stones, each with the number of its liberties."""
    for group in _groups(board, stones):
        yield group, (_around(board, group) & empty).bit_count()


def area(board: Grid, *, own: int, other: int) -> int:
    """The number of points that are own stones, or empty and connected only to own stones."""
    empty = board.whole & ~(own | other)
    reached = ((region, _around(board, region)) for region in _groups(board, empty))
    return own.bit_count() + sum(region.bit_count() for region, edge in reached if edge & own and not edge & other)


def _around(board: Grid, points: int) -> int:
    """The neighbours of these points; the points themselves may be among them."""
    stride = board.stride
    return (points << 1 | points >> 1 | points << stride | points >> stride) & board.whole


def _groups(board: Grid, points: int) -> Iterator[int]:
    """The connected groups of these points."""
    while points:
        group, grown = 0, points & -points
        while group != grown:
            group, grown = grown, grown | _around(board, grown) & points
        points &= ~group
        yield group
