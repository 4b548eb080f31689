"""The player of a person at a terminal."""

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable

from agents.seat import Answer, Fault, History, Late, Player, Times
from arena.entrants.entrant import Entrant
from arena.referee.players import PlayerFactory
from games.base import Color, Game, State
from games.errors import IllegalMove
from results.record import Seat
from results.text import line_of

__all__ = ["HumanPlayer", "Terminal", "humans_at_terminal"]

_HELP = "type a move; `moves` lists the legal moves, `board` draws the board, `quit` ends the game without a result"


class Terminal:
    """The terminal of this process: reads from standard input, writes to standard error."""

    def write(self, text: str) -> None:
        """Show a line."""
        sys.stderr.write(f"{text}\n")

    def read(self, prompt: str, deadline: float) -> str:
        """A line typed before the deadline; raises `Late`, or `KeyboardInterrupt` at the end of the input."""
        if sys.stdin is None:
            raise KeyboardInterrupt
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = b""
        descriptor = sys.stdin.fileno()
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0:
                sys.stderr.write("\n")
                raise Late("no move in time")
            ready, _, _ = select.select([descriptor], [], [], min(left, 3600.0))
            # Byte by byte, without Python's buffer: select does not see what is in a buffer.
            if ready and not (byte := os.read(descriptor, 1)):
                raise KeyboardInterrupt
            line += byte if ready else b""
        return line.decode("utf-8", "replace").strip()


class HumanPlayer:
    """A `Player` for a person who types moves. Only the clock is enforced."""

    def __init__(self, terminal: Terminal | None = None, *, now: Callable[[], float] = time.monotonic) -> None:
        self._terminal = terminal or Terminal()
        self._now = now

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:  # noqa: ARG002 - part of the protocol
        """Say which side the person plays."""
        side = "first" if color == game.first else "second"
        self._terminal.write(f"You play {side} in {game.name}. {_HELP[0].upper()}{_HELP[1:]}.")

    def ask(self, history: History, times: Times) -> Answer:
        """Read lines until a legal move is typed."""
        began = self._now()
        try:
            move = self._move(history.state, began + times.own)
        except Late:
            raise Fault("time", "no answer in time") from None
        return Answer(move, self._now() - began, 0.0, 0.0)

    def close(self) -> Fault | None:
        """Do nothing: there is no process."""
        return None

    def _move(self, state: State, deadline: float) -> str:
        while True:
            typed = self._terminal.read(f"your move ({deadline - self._now():.0f} s left): ", deadline)
            if typed == "quit":
                raise KeyboardInterrupt
            if typed in {"help", "?", ""}:
                self._terminal.write(_HELP)
            elif typed == "moves":
                self._terminal.write(line_of(str(move) for move in state.legal_moves))
            elif typed == "board":
                self._terminal.write(str(state))
            elif (move := _read_move(state, typed)) is not None:
                return move
            else:
                self._terminal.write(f"{typed!r} is not a legal move here; `moves` lists the legal ones")


def _read_move(state: State, typed: str) -> str | None:
    lower = typed.lower()
    for text in (typed, lower, f"{lower}q"):  # a pawn becomes a queen unless another piece is typed
        with contextlib.suppress(IllegalMove):
            return str(state.parse(text))
    return None


def humans_at_terminal(default: PlayerFactory) -> PlayerFactory:
    """A factory that seats people at the terminal of this process, and all other entrants as `default` does."""

    def make(entrant: Entrant, seat: Seat) -> Player:
        return HumanPlayer() if entrant.is_human else default(entrant, seat)

    return make
