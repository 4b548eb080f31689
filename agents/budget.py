"""How an agent spends the seconds of a whole game."""

import math
import time
from collections.abc import Callable
from typing import Final

from agents import watch
from games.errors import ArenaError

__all__ = ["RESERVE", "Clock", "Deadline", "OutOfTime", "seconds_for_move"]

#: Returns seconds that never decrease.
Clock = Callable[[], float]

#: Seconds kept in reserve: a busy machine can stop a process for 30 ms or more, many times in a game.
RESERVE: Final = 0.3

#: The part of a short period that is kept in reserve.
_RESERVED_SHARE: Final = 0.3
_MOVES_TO_COME: Final = 25
_MOVES_FROM_RESERVE: Final = 300


class OutOfTime(ArenaError):
    """The seconds for this move are spent. Agents catch it: it never reaches the arena."""


def seconds_for_move(time_left: float, *, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """The seconds for one move: a share of the time left, so that some time always remains, and the increment.

    From the reserve a move gets about a millisecond, enough to look at a few moves. The last moves before more time is
    added may take most of what is left.
    """
    if math.isinf(time_left):
        return math.inf
    if moves_to_go is None:
        moves, reserve = _MOVES_TO_COME, RESERVE
    else:  # a whole period may be shorter than the reserve
        moves, reserve = min(_MOVES_TO_COME, moves_to_go), min(RESERVE, time_left * _RESERVED_SHARE)
    spare = time_left - reserve
    return max(min(spare / moves + increment, spare), time_left / _MOVES_FROM_RESERVE)


class Deadline:
    """A moment after which `check` raises, or a request to stop. A search calls `check` at every node."""

    __slots__ = ("_at", "_now")

    def __init__(self, seconds: float, *, now: Clock = time.monotonic) -> None:
        self._now = now
        self._at = now() + seconds

    @property
    def left(self) -> float:
        """The seconds that are left; negative after the deadline."""
        return self._at - self._now()

    def check(self) -> None:
        """Raise `OutOfTime` after the deadline, or when the search should end."""
        if self._now() >= self._at or watch.is_stopped():
            raise OutOfTime
