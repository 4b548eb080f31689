"""How often somebody may send something: per token and per address, in memory."""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Rate", "Rates"]

#: Keys that are remembered; the one that was used longest ago is forgotten first.
_MOST_KEYS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `most` times in `seconds`."""

    most: int
    seconds: float


class Rates:
    """Counts what was done by each key, such as a token or an address."""

    def __init__(self, rates: Sequence[Rate], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rates = tuple(rates)
        self._clock = clock
        self._lock = threading.Lock()
        self._done: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, key: str) -> float:
        """Count one more, and return 0; or the seconds to wait if there were too many, and count nothing."""
        now = self._clock()
        with self._lock:
            done = self._done.setdefault(key, deque(maxlen=max(rate.most for rate in self._rates)))
            self._done.move_to_end(key)
            while len(self._done) > _MOST_KEYS:
                self._done.popitem(last=False)
            wait = max(self._wait(done, rate, now) for rate in self._rates)
            if wait <= 0:
                done.append(now)
        return max(0.0, wait)

    @staticmethod
    def _wait(done: deque[float], rate: Rate, now: float) -> float:
        return done[-rate.most] + rate.seconds - now if len(done) >= rate.most else -math.inf
