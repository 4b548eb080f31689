"""The table of one agent that plays for another program: who sits there, and which game it knows."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from agents.seat import Answer, Fault, History, Player, Times
from arena.competition.seeds import derive, new_secret
from arena.engine.line import Line
from arena.errors import Starved, Void
from games.base import Color
from games.errors import ArenaError, IllegalMove
from results.text import plain

__all__ = ["LEAST_SECONDS", "Desk", "NoMove"]

#: What an agent is given at the least, whatever the other program's clock says.
LEAST_SECONDS: Final = 0.01
_ATTEMPTS: Final = 2
_WORDS_CHARACTERS: Final = 300
_EVIDENCE_CHARACTERS: Final = 4_000

_log = logging.getLogger(__name__)


class NoMove(ArenaError):
    """Why there is no move: one line that is safe to show."""


class Desk:
    """Asks one agent for moves, in a fresh process whenever the game is not the one that it knows.

    `seconds` is its budget for a game in which nobody tells a clock. `thought` makes what is entered while the agent
    is busy, so that somebody else can end it.
    """

    def __init__(
        self, seat: Callable[[], Player], *, seconds: float, seed: str | None = None,
        thought: Callable[[], AbstractContextManager[None]] = nullcontext, now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.thought = thought
        self.now = now
        self._seat = seat
        self._seconds = seconds
        self._secret = new_secret() if seed is None else seed
        self._games = 0
        self._left = seconds
        self._player: Player | None = None
        self._color: Color | None = None
        self._known: Line | None = None

    def prepare(self, line: Line, color: Color) -> None:
        """Seat the agent for this side, before anybody waits for a move; `NoMove` if it does not start."""
        try:
            self._sit(line, color)
        except (Fault, Void) as error:
            self.leave()
            raise NoMove(f"the agent does not start: {_words(error)}") from error

    def move(self, line: Line, times: Times | None = None) -> str:
        """The agent's move, legal and in the game's own text; `NoMove` if it broke a rule or the game is over.

        Without times it has what is left of its budget. After a fault the next game, or the next move, begins afresh.
        """
        if (ending := line.state.ending) is not None:
            raise NoMove(f"the game is over: {ending.reason}")
        try:
            answer = self._asked(line, times)
            if times is None:
                self._left -= answer.wall
            return _checked(line, answer)
        except (Fault, Void) as error:
            self.leave()
            words = _words(error)
            _log.warning("%s%s", words, _evidence(error))
            raise NoMove(words) from error

    def leave(self) -> None:
        """End the agent's process; never raises."""
        player, self._player, self._known = self._player, None, None
        if player is not None:
            player.close()

    def _asked(self, line: Line, times: Times | None) -> Answer:
        for attempt in range(_ATTEMPTS):
            try:
                with self.thought():
                    self._sit(line, line.state.turn)
                    assert self._player is not None
                    history = History(line.start, line.moves, line.state)
                    return self._player.ask(history, times or self._budget())
            except Void as error:
                self.leave()
                if attempt + 1 == _ATTEMPTS or isinstance(error, Starved):
                    raise
        raise AssertionError

    def _sit(self, line: Line, color: Color) -> None:
        if self._player is None or self._known is None or color != self._color or not line.extends(self._known):
            self.leave()
            self._games += 1
            self._left = self._seconds
            self._color = color
            self._player = self._seat()
            seed = derive(self._secret, str(self._games))
            self._player.open(line.game, color, start=line.start, seed=seed)
        self._known = line

    def _budget(self) -> Times:
        own = max(LEAST_SECONDS, self._left)
        return Times(own=own, opponent=own, opponent_last_move=0.0)


def _checked(line: Line, answer: Answer) -> str:
    try:
        return str(line.state.parse(answer.text))
    except IllegalMove as error:
        raise Fault("illegal-move", f"{answer.text!r}: {error}") from error


def _words(error: Fault | Void) -> str:
    if isinstance(error, Fault):
        return plain(f"the agent broke the rule {error.rule!r}: {error.detail}", limit=_WORDS_CHARACTERS)
    return plain(f"we failed to ask the agent: {error}", limit=_WORDS_CHARACTERS)


def _evidence(error: Fault | Void) -> str:
    """What an author wants to see of a fault, from the next line on."""
    evidence = error.evidence if isinstance(error, Fault) else {}
    found = [evidence[key][-_EVIDENCE_CHARACTERS:].strip() for key in ("traceback", "stderr") if evidence.get(key)]
    return "".join(f"\n{plain(text, limit=_EVIDENCE_CHARACTERS, multiline=True)}" for text in found if text)
