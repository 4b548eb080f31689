"""The seat of a person at a terminal."""

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable

from agents.seat import Answer, Fault, History, Late, Times
from games.base import Color, Game, State
from games.errors import IllegalMove
from results.text import line_of

__all__ = ["HumanPlayer", "Terminal"]

_HELP = (
    "type a move as it stands in the list; `moves` lists them, `board` draws the board, `quit` ends without a result"
)


class Terminal:
    """Lines from a person and to a person."""

    def write(self, text: str) -> None:
        """Show a line."""
        sys.stderr.write(f"{text}\n")

    def read(self, prompt: str, deadline: float) -> str:
        """A line typed before the deadline; raises `Late`, or `KeyboardInterrupt` where the input ends."""
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
            # Byte by byte, past Python's buffer: select does not see what lies in a buffer.
            if ready and not (byte := os.read(descriptor, 1)):
                raise KeyboardInterrupt
            line += byte if ready else b""
        return line.decode("utf-8", "replace").strip()


class HumanPlayer:
    """A `Player` who types. The clock runs; nothing else is enforced."""

    def __init__(self, terminal: Terminal | None = None, *, now: Callable[[], float] = time.monotonic) -> None:
        self._terminal = terminal or Terminal()
        self._now = now

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:  # noqa: ARG002 - the contract's
        """Say who is to play what."""
        side = "first" if color == game.first else "second"
        self._terminal.write(f"You play {side} in {game.name}. {_HELP[0].upper()}{_HELP[1:]}.")

    def ask(self, history: History, times: Times) -> Answer:
        """Ask until a legal move is typed."""
        began = self._now()
        try:
            move = self._move(history.state, began + times.own)
        except Late:
            raise Fault("time", "no move in time") from None
        return Answer(move, self._now() - began, 0.0, 0.0)

    def close(self) -> Fault | None:
        """Nothing to end."""
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
                self._terminal.write(f"{typed!r} is no legal move here; `moves` lists them")


def _read_move(state: State, typed: str) -> str | None:
    lower = typed.lower()
    for text in (typed, lower, f"{lower}q"):  # a pawn that arrives becomes a queen unless told otherwise
        with contextlib.suppress(IllegalMove):
            return str(state.parse(text))
    return None


def humans_at_terminal(default):  # type: ignore[no-untyped-def]  # shim
    """Shim."""
    return default
