"""The official protocol of Mushroom, spoken as its judge does."""

import re
import time
from collections.abc import Callable
from typing import ClassVar, Final

from agents.external.dialect import Starts
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters, State
from games.errors import BadParameters, IllegalMove
from games.mushroom import refusal

__all__ = ["Nypc"]

_READY_SECONDS: Final = 3.0
_LONGEST_SECONDS: Final = 1_000_000.0
_ANSWER_CHARACTERS: Final = 64
_ANSWER: Final = re.compile(r"\s*" + r"\s+".join([r"(-?\d{1,9})"] * 4) + r"\s*", re.ASCII)
_UNDER_WAY: Final = "cannot join a game that is under way"


class Nypc:
    """Plays one game with a process, from its first move on: the protocol has no words for anything else."""

    games: ClassVar[tuple[str, ...]] = ("mushroom",)
    starts: ClassVar[Starts] = "start"

    def __init__(self, game: Game, options: Parameters, *, now: Callable[[], float] = time.monotonic) -> None:
        if options:
            raise BadParameters(
                f"nypc has no option {next(iter(options))!r}; options of the program belong in its command"
            )
        self._game = game
        self._now = now
        self._start: str | None = None
        self._is_first = True
        self._known: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Nothing: the protocol does not ask for it."""
        return ""

    def greet(self, channel: Channel, deadline: float) -> None:
        """Nothing: the first line of the protocol tells the colour."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Ask whether it is ready, for which it has three seconds, and show it the board."""
        if self._start is not None:
            raise Fault("protocol", "plays one game only")
        board, side, passes = start.split()
        if set("AB") & set(board) or (side, passes) != ("A", "0"):
            raise Fault("protocol", _UNDER_WAY)
        self._start, self._is_first = start, color == self._game.first
        channel.send(f"READY {'FIRST' if self._is_first else 'SECOND'}")
        answer = channel.receive(min(deadline, self._now() + _READY_SECONDS))
        if answer.strip() != "OK":
            raise Fault("protocol", f"answered READY with {answer[:_ANSWER_CHARACTERS]!r}, not with OK")
        channel.send(f"INIT {board.replace('/', ' ')}")

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """The next line is its move; one that is not legal is a fault in the words of the official judge."""
        known = len(self._known)
        news = history.moves[known:]
        is_next = len(news) == (0 if self._is_first and not known else 1) and history.moves[:known] == self._known
        if history.start != self._start or not is_next:
            raise Fault("protocol", _UNDER_WAY)
        for move in news:
            channel.send(f"OPP {move} {_milliseconds(times.opponent_last_move)}")
        channel.send(f"TIME {_milliseconds(times.own)} {_milliseconds(times.opponent)}")
        answer = _judged(channel.receive(deadline), history.state)
        self._known = (*history.moves, answer)
        return answer

    def end(self, channel: Channel) -> None:
        """The program is to exit now."""
        channel.send("FINISH")


def _milliseconds(seconds: float) -> int:
    """Whole ones; a game without a limit has a number too."""
    return int(min(seconds, _LONGEST_SECONDS) * 1000)


def _judged(line: str, state: State) -> str:
    """The legal move that a line names; else a fault, which quotes the line before it says what is wrong with it."""
    numbers = _ANSWER.fullmatch(line)
    if numbers is None:
        raise Fault("illegal-move", f"{line[:_ANSWER_CHARACTERS]!r}: Parse failed", {"answer": line})
    corners = [int(number) for number in numbers.groups()]
    move = " ".join(map(str, corners))
    try:
        return str(state.parse(move))
    except IllegalMove as error:
        raise Fault("illegal-move", f"{move!r}: {refusal(state, corners)}", {"answer": move}) from error
