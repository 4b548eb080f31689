"""A referee for two GTP engines: plays one game and sends each engine the moves of the other.

    python tests/arena/engine/gtp_referee.py --game go "gnugo --mode gtp" "arena engine --protocol gtp --agent uct"

The first engine moves first. Every move must be accepted by the other engine and by our rules.
"""

import argparse
import contextlib
import os
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from agents.external.gtp_syntax import COLOR_NAMES, board_size
from games.base import Game, State, load

SECONDS = 120.0


class EngineFailure(Exception):
    """An engine refused a command or did not answer."""


class GtpEngine:
    """One engine process; a context manager."""

    def __init__(self, command: Sequence[str], **how: Any) -> None:
        self.words = list(command)
        self._process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **how)
        self._lines = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._process.communicate(b"quit\n", timeout=SECONDS)
        self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, command: str) -> str:
        """The reply to a command; `EngineFailure` if the engine refuses it or does not answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        self._process.stdin.flush()
        status, _, text = self._answer().partition(" ")
        if status != "=":
            raise EngineFailure(f"{self.words[0]}: {command}: {status} {text}")
        return text.strip()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        deadline = time.monotonic() + SECONDS
        while b"\n\n" not in self._lines.lstrip(b"\n"):
            ready, _, _ = select.select([self._process.stdout], [], [], deadline - time.monotonic())
            chunk = os.read(self._process.stdout.fileno(), 1 << 16) if ready else b""
            if not chunk:
                raise EngineFailure(f"{self.words[0]}: no answer")
            self._lines += chunk.replace(b"\r", b"")
        answer, _, self._lines = self._lines.lstrip(b"\n").partition(b"\n\n")
        return answer.decode()


@dataclass(frozen=True)
class PlayedGame:
    """A finished game."""

    moves: tuple[str, ...]
    state: State
    scores: tuple[str, str]


def play(game: Game, first: GtpEngine, second: GtpEngine, *, most: int = 500) -> PlayedGame:
    """Play a game to its end, or for at most this many turns."""
    for engine in (first, second):
        engine.ask(f"boardsize {board_size(game)}")
        engine.ask("clear_board")
        if "komi" in game.parameters:
            engine.ask(f"komi {game.parameters['komi']}")
    state, moves = game.start(), list[str]()
    while not state.is_game_over() and len(moves) < most:
        mover, other = (first, second) if state.turn == game.first else (second, first)
        color = COLOR_NAMES[state.turn]
        move = mover.ask(f"genmove {color}")
        state = state.forward(state.parse(move))
        moves.append(move)
        send_move(other, game, f"play {color} {move}")
    return PlayedGame(tuple(moves), state, (first.ask("final_score"), second.ask("final_score")))


def send_move(engine: GtpEngine, game: Game, command: str) -> None:
    """Send a `play` command. In Othello a pass is forced, and some engines refuse it."""
    try:
        engine.ask(command)
    except EngineFailure:
        if game.name != "othello" or not command.lower().endswith("pass"):
            raise


def main() -> None:
    """Play the game of the command line and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--game", default="go:size=9,komi=7")
    words = parser.parse_args()
    with GtpEngine(shlex.split(words.first)) as first, GtpEngine(shlex.split(words.second)) as second:
        played = play(load(words.game), first, second)
    sys.stdout.write(f"{' '.join(played.moves)}\n{played.state}\nscores: {', '.join(played.scores)}\n")


if __name__ == "__main__":
    main()
