"""NYPC's protocol for Mushroom: playing against programs for the official judge."""

import time
from collections.abc import Callable
from typing import ClassVar, Final

from agents.external.nypc_syntax import (
    OK,
    Finish,
    Init,
    OpponentMove,
    Ready,
    TimeToMove,
    milliseconds,
    read_corners,
)
from agents.external.protocol import Starts, quoted, refuse_options
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters, State
from games.errors import IllegalMove
from games.mushroom import refusal

__all__ = ["Nypc"]

_READY_SECONDS: Final = 3.0
_MOVE_CHARACTERS: Final = 64
_EXPECTED: Final = "a move of four numbers, r1 c1 r2 c2"
_CANNOT_JOIN: Final = "cannot join a game that has already started"


class Nypc:
    """One game with one process, from its first move on: the protocol cannot describe anything else."""

    games: ClassVar[tuple[str, ...]] = ("mushroom",)
    starts: ClassVar[Starts] = "start"

    def __init__(self, game: Game, options: Parameters, *, now: Callable[[], float] = time.monotonic) -> None:
        refuse_options("nypc", options)
        self._game = game
        self._now = now
        self._start: str | None = None
        self._is_first = True
        self._known: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Always empty: the protocol does not ask for a name."""
        return ""

    def greet(self, channel: Channel, deadline: float) -> None:
        """Do nothing: the first message of the protocol belongs to a game."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Ask whether the program is ready, for which it has three seconds, and send the board."""
        if self._start is not None:
            raise Fault("protocol", "plays one game only")
        board, side, passes = start.split()
        if set("AB") & set(board) or (side, passes) != ("A", "0"):
            raise Fault("protocol", _CANNOT_JOIN)
        self._start, self._is_first = start, color == self._game.first
        channel.send(str(Ready(self._is_first)))
        answer = channel.receive(min(deadline, self._now() + _READY_SECONDS))
        if answer.strip() != OK:
            raise Fault("protocol", f"answered READY with {quoted(answer)}, not with OK")
        channel.send(str(Init(tuple(board.split("/")))))

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move. A move that is not legal is a fault with the official judge's reason."""
        known = len(self._known)
        news = history.moves[known:]
        is_next = len(news) == (0 if self._is_first and not known else 1) and history.moves[:known] == self._known
        if history.start != self._start or not is_next:
            raise Fault("protocol", _CANNOT_JOIN)
        for move in news:
            channel.send(str(OpponentMove(move, milliseconds(times.opponent_last_move))))
        channel.send(str(TimeToMove(milliseconds(times.own), milliseconds(times.opponent))))
        answer = _read_move(channel.receive(deadline), history.state)
        self._known = (*history.moves, answer)
        return answer

    def end(self, channel: Channel) -> None:
        """Send `FINISH`."""
        channel.send(str(Finish()))


def _read_move(line: str, state: State) -> str:
    """The legal move in a line; else a fault that quotes the line and gives the judge's reason."""
    corners = read_corners(line)
    if corners is None:
        evidence = {"answer": line, "expected": _EXPECTED, "reason": "Parse failed"}
        raise Fault("illegal-move", f"{quoted(line, _MOVE_CHARACTERS)}: Parse failed", evidence)
    move = " ".join(map(str, corners))
    try:
        return str(state.parse(move))
    except IllegalMove as error:
        reason = refusal(state, corners)
        raise Fault("illegal-move", f"{move!r}: {reason}", {"answer": move, "reason": reason}) from error
