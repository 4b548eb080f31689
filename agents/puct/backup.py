"""How the value of a leaf is told to the nodes on the way to it."""

from collections.abc import Sequence

from agents.puct.tree import Node
from games.base import Color

__all__ = ["begin", "drop", "finish"]


def begin(path: Sequence[Node]) -> None:
    """A simulation has come this way, and its value is not known yet."""
    for node in path:
        node.pending += 1


def drop(path: Sequence[Node]) -> None:
    """That simulation will have no value."""
    for node in path:
        node.pending -= 1


def finish(path: Sequence[Node], value: float, color: Color) -> None:
    """The simulation brought `value` to the side `color`: each node counts it for the side that chose it."""
    for node in path:
        node.pending -= 1
        node.visits += 1
        node.total += value if node.chosen_by == color else -value
