"""The player of a person at a terminal."""

import contextlib
import math
import os
import select
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from agents.seat import Answer, Fault, History, Late, Player, Times
from arena.entrants.entrant import Entrant, resolve
from arena.entrants.staging import home
from arena.referee.players import PlayerFactory
from arena.referee.referee import Resigned, TakenBack
from games.base import Color, Game, State
from games.errors import IllegalMove
from results.record import Seat
from results.text import counted, line_of, plain

__all__ = ["HumanPlayer", "Terminal", "humans_at_terminal"]

#: Who gives hints, by game; and in all other games.
_ADVISERS: Final[Mapping[str, str]] = {
    "chess": "alphabeta", "gomoku": "gomoku", "microchess": "alphabeta", "mushroom": "mushroom", "othello": "othello",
}  # fmt: skip
_OTHER_ADVISER: Final = "uct"
_HINT_SECONDS: Final = 0.5
#: What an adviser may take, by its clock.
_HINT_LIMIT: Final = 30.0

_HELP: Final = """\
moves   list the legal moves
board   draw the board
hint    ask an agent for a move; the record notes it
undo    take back your last move and the answer to it; the record notes it
resign  give the game up: your opponent wins
quit    end the game without a result"""


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
        if not hasattr(select, "poll"):  # on Windows nobody can wait for input with a deadline
            if not (typed := sys.stdin.readline()):
                raise KeyboardInterrupt
            return typed.strip()
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
    """A `Player` for a person who types moves. Only the clock is enforced, and only with `is_timed`.

    `adviser` makes the player that is asked for hints; `draw` is how a board is shown.
    """

    def __init__(
        self, terminal: Terminal | None = None, *, now: Callable[[], float] = time.monotonic, is_timed: bool = True,
        adviser: Callable[[Game], Player] | None = None, draw: Callable[[State], str] = str,
    ) -> None:  # fmt: skip
        self.is_timed = is_timed
        self._terminal = terminal or Terminal()
        self._now = now
        self._adviser = adviser
        self._draw = draw
        self._hint: Callable[[History], str] | None = None
        self._hints = self._undone = 0
        self._begin: int | None = None  # turns before the first question

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Say which side the person plays."""
        side = "first" if color == game.first else "second"
        self._terminal.write(f"You play {side} in {game.name}. Type a move; `help` lists what else you can type.")
        if (adviser := self._adviser) is not None:
            self._hint = lambda history: _advice(adviser(game), game, color, start, seed, history)

    def ask(self, history: History, times: Times) -> Answer:
        """Read lines until a legal move is typed; raises `Resigned` or `TakenBack` if the person wants that."""
        self._begin = len(history.moves) if self._begin is None else self._begin
        began = self._now()
        try:
            move = self._move(history, began + (times.own if self.is_timed else math.inf))
        except Late:
            raise Fault("time", "no answer in time") from None
        return Answer(move, self._now() - began, 0.0, 0.0)

    def close(self) -> Fault | None:
        """Do nothing: there is no process."""
        return None

    def help_taken(self) -> dict[str, str]:
        """What the record notes, by its kind (see `FaultRecord.is_help`): hints, moves taken back, no clock."""
        found = {"hint": f"asked for {counted(self._hints, 'hint')}"} if self._hints else {}
        if self._undone:
            found["undo"] = f"took back {counted(self._undone, 'move')}"
        return found if self.is_timed else found | {"no-clock": "played without a clock"}

    def _move(self, history: History, deadline: float) -> str:
        state = history.state
        while True:
            left = f" ({deadline - self._now():.0f} s left)" if self.is_timed else ""
            typed = self._terminal.read(f"your move{left}: ", deadline)
            if typed == "quit":
                raise KeyboardInterrupt
            if typed == "resign":
                raise Resigned
            if typed == "undo":
                self._undo(history)
            elif not self._is_answered(typed, history):
                if (move := _read_move(state, typed)) is not None:
                    return move
                self._terminal.write(f"{typed!r} is not a legal move here; `moves` lists the legal ones")

    def _is_answered(self, typed: str, history: History) -> bool:
        """Answer what is not a move; False if it may be one."""
        state = history.state
        if typed in {"help", "?", ""}:
            self._terminal.write(f"type a move, such as {_examples(state)}\n{_HELP}")
        elif typed == "moves":
            self._terminal.write(line_of(str(move) for move in state.legal_moves))
        elif typed == "board":
            self._terminal.write(self._draw(state))
        elif typed == "hint":
            self._show_hint(history)
        else:
            return False
        return True

    def _undo(self, history: History) -> None:
        if self._begin is None or len(history.moves) <= self._begin:
            self._terminal.write("you have made no move yet")
            return
        self._undone += 1
        raise TakenBack

    def _show_hint(self, history: History) -> None:
        if self._hint is None:
            self._terminal.write("nobody can give a hint here")
            return
        try:
            self._terminal.write(f"hint: {self._hint(history)}")
            self._hints += 1
        except (Fault, IllegalMove) as problem:
            self._terminal.write(f"no hint: {plain(str(problem), limit=200)}")


def _advice(adviser: Player, game: Game, color: Color, start: str, seed: int, history: History) -> str:
    """The move that an agent would make here."""
    try:
        adviser.open(game, color, start=start, seed=seed)
        times = Times(own=_HINT_LIMIT, opponent=_HINT_LIMIT, opponent_last_move=0.0)
        return _written(history.state, str(history.state.parse(adviser.ask(history, times).text)))
    finally:
        adviser.close()


def _examples(state: State) -> str:
    return _written(state, next(str(move) for move in state.legal_moves))


def _written(state: State, move: str) -> str:
    """A legal move, and in chess also in standard algebraic notation."""
    san = next((san for san, text in _in_san(state).items() if text == move), None)
    return move if san is None else f"{move} or {san}"


def _in_san(state: State) -> dict[str, str]:
    """The legal moves by their standard algebraic notation, if the game has one."""
    san = getattr(state, "san", None)
    return {} if san is None else {str(san(move)): str(move) for move in state.legal_moves}


def _read_move(state: State, typed: str) -> str | None:
    # A pawn becomes a queen unless another piece is typed.
    for text in (typed, typed.lower(), typed.upper(), f"{typed.lower()}q"):
        with contextlib.suppress(IllegalMove):
            return str(state.parse(text))
    plainly = {_bare(san): move for san, move in _in_san(state).items()}
    bare = _bare(typed)
    return plainly.get(bare) or plainly.get(f"{bare}Q")


def _bare(san: str) -> str:
    """A move in algebraic notation without marks, which people leave out."""
    return san.rstrip("+#!?").replace("=", "").replace("x", "").replace("0", "O")


def humans_at_terminal(
    default: PlayerFactory, *, is_timed: bool = True, draw: Callable[[State], str] = str
) -> PlayerFactory:
    """A factory that seats people at the terminal of this process, and all other entrants as `default` does.

    Agents that give hints are made by `default` too: they play in the sandbox.
    """

    def make(entrant: Entrant, seat: Seat) -> Player:
        if not entrant.is_human:
            return default(entrant, seat)

        def adviser(game: Game) -> Player:
            name = f"{_ADVISERS.get(game.name, _OTHER_ADVISER)}:seconds={_HINT_SECONDS}"
            return default(resolve(name, home=home()), seat)

        return HumanPlayer(is_timed=is_timed, adviser=adviser, draw=draw)

    return make
