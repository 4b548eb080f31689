"""NYPC server: an agent as a program for the official Mushroom judge."""

from collections.abc import Iterator
from typing import ClassVar

from agents.external.nypc_syntax import OK, Finish, Init, OpponentMove, Ready, TimeToMove, read_message
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession, GameLine, NoMove, times_of
from games.base import Game
from games.errors import ArenaError
from results.text import plain

__all__ = ["NypcServer"]


class NypcServer(Server):
    """Answers the judge. The protocol cannot report a failure: `NoMove` is raised, and the program exits."""

    games: ClassVar[tuple[str, ...]] = ("mushroom",)

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        super().__init__(session, game, info)
        self._is_first = True
        self._line: GameLine | None = None
        self._opponent_seconds = 0.0  # of the opponent's last move

    def reply(self, line: str) -> Iterator[str]:
        """The replies to one line; `NoMove` if there is none."""
        if not line:
            return
        match read_message(line):
            case Ready(is_first):
                self._is_first = is_first
                yield OK
            case Init(rows):
                self._init(rows)
            case TimeToMove(own, opponent):
                yield self._move(own=own, opponent=opponent)
            case OpponentMove(move, milliseconds):
                self._line = self._forward(move)
                self._opponent_seconds = milliseconds / 1000
            case Finish():
                self.is_over = True
            case None:
                raise NoMove(f"cannot read {plain(line, limit=100)!r}")

    def _init(self, rows: tuple[str, ...]) -> None:
        try:
            self._line = GameLine.begin(self.game, f"{'/'.join(rows)} A 0")
        except ArenaError as error:
            raise NoMove(f"INIT without a valid board: {plain(str(error), limit=200)}") from error
        self._opponent_seconds = 0.0
        self.session.prepare(self._line, self.game.first if self._is_first else not self.game.first)

    def _move(self, *, own: int, opponent: int) -> str:
        times = times_of(own / 1000, opponent / 1000, opponent_last_move=self._opponent_seconds)
        move = self.session.move(self._current(), times)
        self._line = self._forward(move)
        return move

    def _forward(self, move: str) -> GameLine:
        try:
            return self._current().forward(move)
        except ArenaError as error:
            raise NoMove(f"the opponent's move is not legal: {plain(str(error), limit=200)}") from error

    def _current(self) -> GameLine:
        if self._line is None:
            raise NoMove("no board yet: INIT must come first")
        return self._line
