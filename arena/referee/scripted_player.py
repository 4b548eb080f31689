"""A player that follows a script, for tests of everything except players."""

from collections.abc import Iterable

from agents.seat import Answer, Fault, History, Times
from games.base import Color, Game

__all__ = ["ScriptedPlayer"]


class ScriptedPlayer:
    """Answers from a script: texts (which cost nothing), whole answers, and exceptions that it raises.

    After the end of the script it plays the first legal move. `asked`, `colors` and `closed` record the requests.
    """

    def __init__(self, script: Iterable[str | Answer | Exception] = (), *, at_close: Fault | None = None) -> None:
        self._script = iter(script)
        self._at_close = at_close
        self.asked: list[tuple[History, Times]] = []
        self.colors: list[Color] = []
        self.closed = 0

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:  # noqa: ARG002 - part of the protocol
        """Record the colour."""
        self.colors.append(color)

    def ask(self, history: History, times: Times) -> Answer:
        """Return or raise the next entry of the script."""
        self.asked.append((history, times))
        line = next(self._script, str(history.state.legal_moves[0]))
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, Answer) else Answer(line, 0.0, 0.0, 0.0)

    def close(self) -> Fault | None:
        """Count the call; return the fault that was given for it."""
        self.closed += 1
        return self._at_close
