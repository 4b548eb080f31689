"""The clock of a game."""

import time
from collections.abc import Callable

from agents.seat import Answer, Times
from arena.process.charge import Charge, charged
from games.base import Color

__all__ = ["Clock"]


class Clock:
    """Each player has a budget for the whole game; each move is charged to it afterwards."""

    def __init__(self, seconds: float, *, charge: Charge = "wall", now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.charge_by = charge
        self._left = {True: seconds, False: seconds}
        self._last = {True: 0.0, False: 0.0}

    def times(self, color: Color) -> Times:
        """The times that the player of this colour is sent before its move."""
        return Times(own=self._left[color], opponent=self._left[not color], opponent_last_move=self._last[not color])

    def charge(self, color: Color, answer: Answer) -> bool:
        """Charge a move to its player; False when the player's time is used up."""
        cost = charged(self.charge_by, wall=answer.wall, cpu=answer.cpu, wait=answer.wait)
        self._last[color] = cost
        self._left[color] = max(0.0, self._left[color] - cost)
        return self._left[color] > 0.0
