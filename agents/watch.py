"""What the program around a running search says and hears: a byte that asks it to stop, and who listens to reports.

A process has one of each, since it plays one game with one agent. The native searches read `stop_byte`, `cpu_end` and
`progress`.
"""

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

__all__ = [
    "REPORT_BYTES", "Reporter", "cpu_end", "is_heard", "is_report_due", "is_stopped", "limited_cpu", "longest_run",
    "progress", "reporter", "stop_byte",
]  # fmt: skip

#: The longest report on the wire.
REPORT_BYTES: Final = 4096
#: The referee keeps 10 reports a second; a few less are sent, so that the last one of a move is always kept.
_SECONDS_BETWEEN: Final = 0.125
#: What is left out, one after the other, until a report is short enough.
_OPTIONAL: Final = ("tree", "policy", "visits", "line", "text")


class _Byte(Protocol):
    def __getitem__(self, index: int, /) -> int: ...


#: One byte that another process may set to 1: the search should end now. None if nobody can ask for it.
stop_byte: _Byte | None = None

#: The CPU time of the searching thread (`time.thread_time`) at which the search should end.
cpu_end: float = math.inf

#: Called by native searches, now and then, with move, nodes, depth, score, line, visits and tree; None if nobody
#: listens.
progress: Callable[..., Any] | None = None


class Reporter:
    """Sends reports to the referee: a few in a second, and always the last one of a move. It never raises."""

    def __init__(self, send: Callable[[bytes], object], *, now: Callable[[], float] = time.monotonic) -> None:
        self._send = send
        self._now = now
        self._sent_at = float("-inf")
        self._waiting: Mapping[str, Any] | None = None

    def tell(self, report: Mapping[str, Any]) -> None:
        """Send the report, now or later; a newer one replaces a report that waits."""
        self._waiting = report
        if self.is_due():
            self.flush()

    def is_due(self) -> bool:
        """Whether a report would be sent now."""
        return self._now() >= self._sent_at + _SECONDS_BETWEEN

    def flush(self) -> None:
        """Send the report that waits, if there is one."""
        report, self._waiting = self._waiting, None
        if report is None:
            return
        self._sent_at = self._now()
        # An agent can tell anything, and must play the same move whether or not somebody listens.
        with contextlib.suppress(Exception):
            self._send(encoded(report))


#: Where `BaseAgent.tell` sends reports; None if nobody listens.
reporter: Reporter | None = None


def is_heard() -> bool:
    """Whether somebody listens to the running search: only then does it look for what nobody else needs."""
    return progress is not None


def is_report_due() -> bool:
    """Whether somebody listens and would be sent a report now: a search need not prepare others."""
    return reporter is not None and reporter.is_due()


def longest_run() -> float:
    """The seconds after which a native search that cannot report by itself should return, to be continued."""
    return math.inf if progress is None else _SECONDS_BETWEEN


def is_stopped() -> bool:
    """Whether the search should end now."""
    return (stop_byte is not None and stop_byte[0] != 0) or (cpu_end < math.inf and time.thread_time() >= cpu_end)


@contextlib.contextmanager
def limited_cpu(seconds: float) -> Iterator[None]:
    """Let the searches of this thread inside the block spend so many seconds of CPU time; infinity is no limit."""
    global cpu_end
    before, cpu_end = cpu_end, time.thread_time() + seconds
    try:
        yield
    finally:
        cpu_end = before


def encoded(report: Mapping[str, Any]) -> bytes:
    """A report as JSON of at most `REPORT_BYTES`; what is empty or does not fit is left out."""
    said = {key: value for key, value in report.items() if value is not None and not _is_empty(value)}
    kept = {key: value for key, value in said.items() if key == "value" or value not in (0, "")}  # a value of 0 is lost
    for key in ("", *_OPTIONAL):
        kept.pop(key, None)
        data = json.dumps(kept, separators=(",", ":"), default=float).encode()
        if len(data) <= REPORT_BYTES:
            return data
    return b"{}"


def _is_empty(value: object) -> bool:
    return isinstance(value, Mapping | Sequence) and not len(value)
