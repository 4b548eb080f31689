"""Boards of cells: bit sets as planes, and the symmetries of rectangles."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from games._grid import Grid
from games.encoding.base import Indexes, Shape, Symmetry

__all__ = ["board_symmetries", "destinations", "plane"]


def plane(board: Grid, points: int) -> NDArray[np.uint8]:
    """A set of points of a grid as rows of 0 and 1."""
    bits = board.rows * board.stride
    octets = np.frombuffer(points.to_bytes((bits + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=bits, bitorder="little").reshape(board.rows, board.stride)[:, : board.columns]


def destinations(sources: Indexes) -> Indexes:
    """The inverse of a permutation: where each item goes, from where each item comes."""
    return np.argsort(sources)


def board_symmetries(shape: Shape, actions: Callable[[Indexes], Indexes]) -> tuple[Symmetry, ...]:
    """The rotations and mirrors of a board: eight of a square, four of another rectangle.

    `actions` says where each action goes, when it is told where each cell goes. Scalars stay as they are.
    """
    cells = np.arange(shape.height * shape.width).reshape(shape.height, shape.width)
    offsets = np.arange(shape.planes)[:, None] * cells.size
    scalars = np.arange(shape.planes * cells.size, shape.inputs)
    found = []
    for name, image in _images(cells).items():
        sources = image.ravel()
        inputs = np.concatenate([(offsets + sources).ravel(), scalars])
        found.append(Symmetry(name, inputs, actions(destinations(sources))))
    return tuple(found)


def _images(cells: Indexes) -> dict[str, Indexes]:
    images = {
        "identity": cells,
        "rotation 180": cells[::-1, ::-1],
        "mirror left-right": cells[:, ::-1],
        "mirror top-bottom": cells[::-1],
    }
    if cells.shape[0] == cells.shape[1]:
        images |= {
            "rotation 90": np.rot90(cells),
            "rotation 270": np.rot90(cells, 3),
            "diagonal": cells.T,
            "other diagonal": cells[::-1, ::-1].T,
        }
    return images
