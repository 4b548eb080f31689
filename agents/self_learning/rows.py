"""Samples of the learner `self_learning`: how they are stored and unpacked. `samples.hpp` writes them."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.self_learning.learner import Rows
from games.encoding import Shape

__all__ = ["NO_MOVE", "pack_inputs", "policy_of", "row_type", "unpack_inputs"]

#: Fills up the list of moves of a sample.
NO_MOVE: Final = 65535


def row_type(shape: Shape, width: int) -> np.dtype[np.void]:
    """The type of a sample whose policy has room for `width` moves.

    `planes` are bits; `policy` are shares of 65535 of the legal `moves`, given as actions. `root` is the value that the
    search found, `result` the result of the game (1, 0, -1) and `margin` its margin, all for the side to move. Samples
    that are not `full` come from a fast search and teach nothing about the policy.
    """
    packed = (shape.planes * shape.height * shape.width + 7) // 8
    return np.dtype(
        [
            ("planes", "u1", (packed,)), ("scalars", "<f4", (shape.scalars,)),
            ("moves", "<u2", (width,)), ("policy", "<u2", (width,)),
            ("root", "<f4"), ("margin", "<f4"), ("weight", "<f4"),
            ("generation", "<u4"), ("turn", "<u2"), ("result", "i1"), ("full", "u1"),
        ]
    )  # fmt: skip


def unpack_inputs(rows: Rows, shape: Shape) -> NDArray[np.float32]:
    """The encoded positions of these samples, one in each row."""
    cells = shape.planes * shape.height * shape.width
    out = np.empty((len(rows), shape.inputs), np.float32)
    out[:, :cells] = np.unpackbits(rows["planes"], axis=1, count=cells)
    out[:, cells:] = rows["scalars"]
    return out


def pack_inputs(inputs: NDArray[np.float32], rows: Rows, shape: Shape) -> None:
    """Store encoded positions in these samples."""
    cells = shape.planes * shape.height * shape.width
    rows["planes"] = np.packbits(inputs[:, :cells] != 0, axis=1)
    rows["scalars"] = inputs[:, cells:]


def policy_of(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.float32]]:
    """The actions of the legal moves, which places are used, and the share of each move; unused places hold 0."""
    used: NDArray[Any] = rows["moves"] != NO_MOVE
    actions = np.where(used, rows["moves"], 0).astype(np.int64)
    shares = rows["policy"].astype(np.float32)
    total = shares.sum(axis=1, keepdims=True)
    return actions, used, shares / np.maximum(total, 1)
