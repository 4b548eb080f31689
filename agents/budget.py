"""How an agent spends the seconds of a whole game."""

import math
import time
from collections.abc import Callable
from typing import Final

from games.errors import ArenaError

__all__ = ["RESERVE", "Clock", "Deadline", "OutOfTime", "seconds_for_move"]

#: Returns seconds that only ever grow.
Clock = Callable[[], float]

#: Seconds kept back: a busy machine can stop a process for 30 ms and more, many times in a game.
RESERVE: Final = 0.3

_MOVES_TO_COME: Final = 25
_LOOKS_IN_RESERVE: Final = 300


class OutOfTime(ArenaError):
    """The seconds for this move are spent; never leaves an agent."""


def seconds_for_move(time_left: float) -> float:
    """What to spend on one move: a fixed share of what is left, so that there is always something left.

    Inside the reserve it is about a millisecond, enough for a look at a few moves.
    """
    if math.isinf(time_left):
        return math.inf
    return max((time_left - RESERVE) / _MOVES_TO_COME, time_left / _LOOKS_IN_RESERVE)


class Deadline:
    """A moment after which `check` raises; to be asked at every node of a search."""

    __slots__ = ("_at", "_now")

    def __init__(self, seconds: float, *, now: Clock = time.monotonic) -> None:
        self._now = now
        self._at = now() + seconds

    def check(self) -> None:
        """Raise `OutOfTime` if the moment has come."""
        if self._now() >= self._at:
            raise OutOfTime
