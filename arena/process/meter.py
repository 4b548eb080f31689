"""What a player's process is charged since a moment, and when that will have been too much."""

from collections.abc import Callable
from typing import Final

from agents.seat import Answer, Late
from arena.errors import Starved
from arena.process.charge import Charge, charged
from arena.process.child_process import ChildProcess

__all__ = ["Meter"]

_SHORT: Final = 0.005  # seconds; of a shorter move the wait is not worth reading
_NEARLY: Final = 0.0005  # seconds; less than this is not worth waiting for


class Meter:
    """What a process has been charged since a moment."""

    def __init__(self, process: ChildProcess, charge: Charge, now: Callable[[], float]) -> None:
        self._process = process
        self._charge = charge
        self._now = now
        self._cpu = process.cpu()
        self._waits = process.waits() if charge == "fair" else {}
        self._referee = process.referee_wait()
        self.began = now()

    def answer(self, text: str) -> Answer:
        """These words, with what they have cost by now."""
        wall = self._now() - self.began
        wait = self._wait() if wall > _SHORT else 0.0
        return Answer(text, wall, max(0.0, self._process.cpu() - self._cpu), wait)

    def deadline(self, seconds: float) -> float:
        """When that much can have been charged at the earliest.

        Raises `Late` if it has been, `Starved` if the machine withheld the CPU for too long.
        """
        now = self._now()
        cpu = self._process.cpu() - self._cpu
        left = seconds - charged(self._charge, wall=now - self.began, cpu=cpu, wait=self._wait())
        if left < _NEARLY:
            raise Late("no answer in time")
        kill = self.began + 3 * seconds + 5
        if now >= kill:
            raise Starved("the machine withheld the CPU from a player for too long")
        return min(kill, now + left)

    def _wait(self) -> float:
        """What the machine withheld: from its thread that waited longest, and from us to take note of its answer."""
        if self._charge != "fair":
            return 0.0
        waits = self._process.waits()
        longest = max((wait - self._waits.get(thread, 0.0) for thread, wait in waits.items()), default=0.0)
        return longest + self._process.referee_wait() - self._referee
