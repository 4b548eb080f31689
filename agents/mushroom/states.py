"""Where the state of a node comes from, if the tree keeps moves: three ways with the same answers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from agents.mushroom.board import Board

__all__ = ["STATES", "Copying", "Rebuilding", "States", "Undoing"]

#: How many states the cache of `Rebuilding` holds.
_PLACES: Final = 1024
#: What a state takes natively: for a comparison of the three, not of Python's objects.
_STATE_BYTES: Final = 920


class States(ABC):
    """Asked for the state at the end of a path when that node gets children: once for each node.

    A path is the numbers of the nodes from the root, 0, and `moves` are the moves that led to them. Of the states
    before those that were asked for, `held` of `asked` were at hand.
    """

    def __init__(self, root: Board) -> None:
        self.root = root
        self.asked = 0
        self.held = 0

    @abstractmethod
    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """The state; it may be looked at until the next call."""

    @property
    @abstractmethod
    def kept(self) -> int:
        """How many states are kept."""

    @property
    def bytes(self) -> int:
        """What the states take, as much as natively."""
        return self.kept * _STATE_BYTES


class Copying(States):
    """Every node that has children keeps its state."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._states = {0: root}

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """A copy of the state before, one move later."""
        if len(path) > 1:
            self._states[path[-1]] = state = self._states[path[-2]].copy()
            state.push(moves[-1])
        return self._states[path[-1]]

    @property
    def kept(self) -> int:
        """One for each node that has children."""
        return len(self._states)


class Rebuilding(States):
    """No node keeps a state: it is rebuilt from the nearest one above it that a small cache holds, or from the root."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._cache: dict[int, tuple[int, Board]] = {}

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:
        """The state after all moves since the one that was found."""
        if len(path) == 1:
            return self.root
        known = len(path) - 2
        while known and self._cached(path[known]) is None:
            known -= 1
        self.asked += 1
        self.held += known == len(path) - 2
        state = (self._cached(path[known]) or self.root).copy()
        for move in moves[known:]:
            state.push(move)
        self._cache[path[-1] % _PLACES] = (path[-1], state)
        return state

    def _cached(self, node: int) -> Board | None:
        owner, state = self._cache.get(node % _PLACES, (0, None))
        return state if owner == node else None

    @property
    def kept(self) -> int:
        """The cache, full or not."""
        return _PLACES


class Undoing(States):
    """One board goes down the path and back again, move by move."""

    def __init__(self, root: Board) -> None:
        super().__init__(root)
        self._turns = 0

    def at(self, path: Sequence[int], moves: Sequence[int]) -> Board:  # noqa: ARG002
        """The board, after its last moves were taken back."""
        for _ in range(self._turns):
            self.root.pop()
        for move in moves:
            self.root.push(move)
        self._turns = len(moves)
        return self.root

    @property
    def kept(self) -> int:
        """The board."""
        return 1


#: What the option `states` may be.
STATES: Final[Mapping[str, Callable[[Board], States]]] = MappingProxyType(
    {"copy": Copying, "rebuild": Rebuilding, "undo": Undoing}
)
