"""One agent that plays for another program: the game it plays, its process and its time."""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

from agents.base import OPEN, Limits
from agents.seat import Answer, Fault, History, Player, Times
from arena.competition.seeds import derive, new_secret
from arena.errors import Starved, Void
from arena.process.stop_byte import StopByte
from arena.referee.agent_player import AgentPlayer
from arena.referee.reports import AgentReport
from games.base import Color, Game, State
from games.errors import ArenaError, IllegalMove
from results.text import plain

__all__ = ["AgentSession", "GameLine", "MakePlayer", "NoMove", "OnReport", "times_of"]

#: Hears what the agent says about its search.
OnReport: TypeAlias = Callable[[AgentReport], None]
#: Makes the player of the agent for one game.
MakePlayer: TypeAlias = Callable[[OnReport], Player]

#: The time that an agent gets at least, whatever the other program's clock says.
_LEAST_SECONDS: Final = 0.01
_ATTEMPTS: Final = 2
_MESSAGE_CHARACTERS: Final = 300
_EVIDENCE_CHARACTERS: Final = 4_000

_log = logging.getLogger(__name__)


class NoMove(ArenaError):
    """The reason why there is no move: one line that is safe to show."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game as the other program describes it: the start position, the moves since, and the current state."""

    game: Game
    start: str
    moves: tuple[str, ...]
    state: State

    @classmethod
    def begin(cls, game: Game, start: str = "", moves: Iterable[str] = ()) -> Self:
        """A game from this position, or from the game's own start; raises `BadPosition` and `IllegalMove`."""
        state = game.position(start) if start else game.start()
        line = cls(game, state.text, (), state)
        for move in moves:
            line = line.forward(move)
        return line

    def forward(self, text: str) -> Self:
        """The game after one more move; `IllegalMove` if the rules do not allow it."""
        move = self.state.parse(text)
        return replace(self, moves=(*self.moves, str(move)), state=self.state.forward(move))

    def extends(self, other: "GameLine") -> bool:
        """Whether `other` is this game, now or at an earlier turn."""
        same = (self.game, self.start) == (other.game, other.start)
        return same and self.moves[: len(other.moves)] == other.moves


class AgentSession:
    """Asks one agent for moves. A game that does not continue the last one gets a fresh process.

    `seconds` is the agent's budget for a game in which the other program sends no clock. `interruptible` returns the
    context manager that is entered while the agent is busy, so that another thread can interrupt it. The search of the
    agent sees `stop_byte`; whoever sets it gets the move at once. Reports go to `on_report`, which may be replaced.
    """

    def __init__(
        self, make_player: MakePlayer, *, seconds: float, seed: str | None = None,
        interruptible: Callable[[], AbstractContextManager[None]] = nullcontext,
        now: Callable[[], float] = time.monotonic, stop_byte: StopByte | None = None,
    ) -> None:  # fmt: skip
        self.stop_byte = stop_byte
        self.on_report: OnReport = lambda _: None
        self.interruptible = interruptible
        self.now = now
        self._make_player = make_player
        self._seconds = seconds
        self._secret = new_secret() if seed is None else seed
        self._games = 0
        self._left = seconds
        self._limits = OPEN
        self._player: Player | None = None
        self._color: Color | None = None
        self._known: GameLine | None = None

    def prepare(self, line: GameLine, color: Color) -> None:
        """Start the agent for this side before its clock runs; `NoMove` if it does not start."""
        try:
            self._open(line, color)
        except (Fault, Void) as error:
            self.close()
            raise NoMove(f"the agent does not start: {_message(error)}") from error

    def move(self, line: GameLine, times: Times | None = None, limits: Limits = OPEN) -> str:
        """The agent's move, legal and in the game's own text form; `NoMove` after a fault or if the game is over.

        Without `times` the agent gets what is left of its budget. After a fault it starts again with the next move.
        """
        self._limits = limits
        if (ending := line.state.ending) is not None:
            raise NoMove(f"the game is over: {ending.reason}")
        try:
            answer = self._ask(line, times)
            if times is None and not limits.until_stopped:
                self._left -= answer.wall
            return _legal_move(line, answer)
        except (Fault, Void) as error:
            self.close()
            message = _message(error)
            _log.warning("%s%s", message, _evidence(error))
            raise NoMove(message) from error

    def close(self) -> None:
        """End the agent's process; never raises. The next move starts a fresh one."""
        player, self._player, self._known = self._player, None, None
        if player is not None:
            player.close()

    def _ask(self, line: GameLine, times: Times | None) -> Answer:
        for attempt in range(_ATTEMPTS):
            try:
                with self.interruptible():
                    self._open(line, line.state.turn)
                    assert self._player is not None
                    if isinstance(self._player, AgentPlayer):
                        self._player.limits = self._limits
                    history = History(line.start, line.moves, line.state)
                    return self._player.ask(history, times or times_of(self._left))
            except Void as error:
                self.close()
                if attempt + 1 == _ATTEMPTS or isinstance(error, Starved):
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _open(self, line: GameLine, color: Color) -> None:
        """Start a fresh process if the game does not continue the one that the agent plays."""
        if self._player is None or self._known is None or color != self._color or not line.extends(self._known):
            self.close()
            self._games += 1
            self._left = self._seconds
            self._color = color
            self._player = self._make_player(lambda report: self.on_report(report))
            seed = derive(self._secret, str(self._games))
            self._player.open(line.game, color, start=line.start, seed=seed)
        self._known = line


def times_of(own: float, opponent: float | None = None, *, opponent_last_move: float = 0.0) -> Times:
    """These seconds as times for an agent, never too short to answer at all; the opponent has the same by default."""
    opponent = own if opponent is None else opponent
    return Times(
        own=max(_LEAST_SECONDS, own), opponent=max(_LEAST_SECONDS, opponent), opponent_last_move=opponent_last_move
    )


def _legal_move(line: GameLine, answer: Answer) -> str:
    try:
        return str(line.state.parse(answer.text))
    except IllegalMove as error:
        raise Fault("illegal-move", f"{answer.text!r}: {error}") from error


def _message(error: Fault | Void) -> str:
    if isinstance(error, Fault):
        return plain(f"the agent broke the rule {error.rule!r}: {error.detail}", limit=_MESSAGE_CHARACTERS)
    return plain(f"the arena failed to ask the agent: {error}", limit=_MESSAGE_CHARACTERS)


def _evidence(error: Fault | Void) -> str:
    """The traceback and output of a fault, for the author of the agent; each begins on a new line."""
    evidence = error.evidence if isinstance(error, Fault) else {}
    found = [evidence[key][-_EVIDENCE_CHARACTERS:].strip() for key in ("traceback", "stderr") if evidence.get(key)]
    return "".join(f"\n{plain(text, limit=_EVIDENCE_CHARACTERS, multiline=True)}" for text in found if text)
