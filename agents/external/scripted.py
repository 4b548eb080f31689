"""A channel that follows a script: engines are tested without engines."""

from collections import deque
from collections.abc import Callable, Iterable

from agents.seat import Ended, Late

__all__ = ["ScriptedChannel"]


class ScriptedChannel:
    """Answers each line that is sent with the lines that `reply` gives for it; `sent` keeps what was sent.

    A reply may hold exceptions, which `receive` raises in their turn. When nothing is left it is `Late`; after
    `close`, and after an `Ended` of the script, the engine is gone.
    """

    def __init__(self, reply: Callable[[str], Iterable[str | Exception]]) -> None:
        self._reply = reply
        self._lines: deque[str | Exception] = deque()
        self.sent: list[str] = []
        self.is_closed = False

    def send(self, line: str) -> None:
        """Remember the line and queue what the script answers."""
        if self.is_closed:
            raise Ended("the program is gone")
        self.sent.append(line)
        self._lines.extend(self._reply(line))

    def receive(self, deadline: float) -> str:  # noqa: ARG002 - the contract's
        """The next line of the script."""
        if not self._lines:
            raise Ended("the program is gone") if self.is_closed else Late("no line in time")
        line = self._lines.popleft()
        if isinstance(line, Exception):
            self.is_closed = self.is_closed or isinstance(line, Ended)
            raise line
        return line

    def close(self) -> None:
        """End."""
        self.is_closed = True
