"""What an alpha-beta search in Python remembers about positions."""

from collections.abc import Hashable
from typing import Final, Generic, NamedTuple, TypeVar

from agents.core.engine import DECIDED

__all__ = ["DECISIVE", "INFINITY", "KnownPosition", "PositionTable"]

#: Greater than every score.
INFINITY: Final = DECIDED + 1
#: A score beyond this means that the game is decided.
DECISIVE: Final = DECIDED - 1000

_MOST: Final = 1 << 18

K = TypeVar("K", bound=Hashable)


class KnownPosition(NamedTuple):
    """The value of a position: exact, a lower bound (`bound` is +1) or an upper bound (-1); and its best move."""

    depth: int
    bound: int
    value: int
    best: int

    def value_for(self, depth: int, turn: int, *, alpha: int, beta: int) -> int | None:
        """The value at this turn of the search if it settles a search of `depth` between `alpha` and `beta`."""
        if self.depth < depth:
            return None
        value = self.value
        value = value - turn if value > DECISIVE else value + turn if value < -DECISIVE else value
        settles = self.bound == 0 or (self.bound > 0 and value >= beta) or (self.bound < 0 and value <= alpha)
        return value if settles else None


class PositionTable(Generic[K]):
    """Known positions by key. A full table is emptied."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[K, KnownPosition] = {}

    def get(self, key: K) -> KnownPosition | None:
        """What is known about a position."""
        return self._known.get(key)

    def keep(self, key: K, found: KnownPosition, turn: int) -> None:
        """Remember a value that was found at this turn of the search."""
        if len(self._known) >= _MOST:
            self._known.clear()
        # Decided games are stored as turns from this position: another line may reach it at another turn.
        value = found.value
        value += turn if value > DECISIVE else -turn if value < -DECISIVE else 0
        self._known[key] = found._replace(value=value)
