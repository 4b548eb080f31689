"""The protocol of the NYPC code battle, spoken as a program that takes part: the mushroom game."""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from agents.seat import Times
from arena.engine.desk import LEAST_SECONDS, Desk, NoMove
from arena.engine.line import Line
from arena.engine.title import Title
from games.base import Game
from games.errors import ArenaError
from results.text import plain

__all__ = ["NypcServer"]

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_SEATS: Final = ("FIRST", "SECOND")


class NypcServer:
    """Answers the referee of a code battle. It has no word for failure: `NoMove` leaves, and the program ends."""

    games: ClassVar[tuple[str, ...]] = ("mushroom",)

    def __init__(self, desk: Desk, game: Game, title: Title) -> None:  # noqa: ARG002 - nobody asks for a name
        self.is_over = False
        self._desk = desk
        self._game = game
        self._is_first = True
        self._line: Line | None = None
        self._last = 0.0  # seconds of the opponent's last move

    def hang_up(self) -> None:
        """What was asked is answered all the same."""

    def ends(self, line: str) -> bool:  # noqa: ARG002 - the contract's
        """Nothing does: `FINISH` comes when nobody thinks."""
        return False

    def hear(self, line: str) -> Sequence[str] | None:  # noqa: ARG002 - the contract's
        """Nothing is answered out of turn."""
        return None

    def handle(self, line: str) -> Iterator[str]:
        """The answers to one line; `NoMove` if there can be none."""
        word, *words = line.split() or [""]
        if word == "READY" and words and words[0] in _SEATS:
            self._is_first = words[0] == "FIRST"
            yield "OK"
        elif word == "INIT":
            self._init(words)
        elif word == "TIME" and _are_numbers(words, 2):
            yield self._move(own=int(words[0]), opponent=int(words[1]))
        elif word == "OPP" and _are_numbers(words, 5):
            self._line = self._forward(" ".join(words[:4]))
            self._last = int(words[4]) / 1000
        elif word == "FINISH":
            self.is_over = True
        elif word:
            raise NoMove(f"cannot read {plain(line, limit=100)!r}")

    def _init(self, rows: list[str]) -> None:
        try:
            self._line = Line.begun(self._game, f"{'/'.join(rows)} A 0")
        except ArenaError as error:
            raise NoMove(f"no board to play on: {plain(str(error), limit=200)}") from error
        self._last = 0.0
        self._desk.prepare(self._line, self._game.first if self._is_first else not self._game.first)

    def _move(self, *, own: int, opponent: int) -> str:
        times = Times(
            own=max(LEAST_SECONDS, own / 1000), opponent=max(LEAST_SECONDS, opponent / 1000),
            opponent_last_move=self._last,
        )  # fmt: skip
        move = self._desk.move(self._known(), times)
        self._line = self._forward(move)
        return move

    def _forward(self, move: str) -> Line:
        try:
            return self._known().forward(move)
        except ArenaError as error:
            raise NoMove(f"the opponent's move is none: {plain(str(error), limit=200)}") from error

    def _known(self) -> Line:
        if self._line is None:
            raise NoMove("no board to play on: INIT comes first")
        return self._line


def _are_numbers(words: list[str], count: int) -> bool:
    return len(words) == count and all(_NUMBER.fullmatch(word) for word in words)
