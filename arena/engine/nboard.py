"""NBoard server: an agent as an engine for Othello programs that speak NBoard's protocol."""

from collections.abc import Callable, Iterator
from typing import ClassVar

from agents.base import Limits
from agents.external.nboard_syntax import GameText, answer_line, read_move
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession, GameLine
from arena.referee.reports import AgentReport
from games.base import Game
from games.errors import ArenaError
from results.text import plain

__all__ = ["NBoardServer"]


class NBoardServer(Server):
    """Answers an Othello program. The protocol has no clock: `--time` is the budget of each game."""

    games: ClassVar[tuple[str, ...]] = ("othello",)

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        super().__init__(session, game, info)
        self._line = GameLine.begin(game)
        self._limits = Limits()
        self._report = AgentReport()
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "nboard": self._introduce,
            "set": self._set,
            "move": self._move,
            "go": self._go,
            "hint": self._hint,
            "ping": lambda rest: iter((f"pong {plain(rest, limit=40)}",)),
            "learn": lambda _: iter(("learned",)),
            "quit": self._quit,
        }
        session.on_report = self._hear

    def is_quit(self, line: str) -> bool:
        """`quit` is obeyed at once."""
        return line.strip() == "quit"

    def reply(self, line: str) -> Iterator[str]:
        """The replies to one line; unknown commands are ignored, as the protocol demands."""
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name)
        try:
            yield from command(rest.strip()) if command is not None else ()
        except ArenaError as error:
            yield f"status {plain(str(error), limit=300)}"

    def _introduce(self, _rest: str) -> Iterator[str]:
        yield f"set myname arena {self.info.agent}"

    def _set(self, rest: str) -> Iterator[str]:
        name, _, value = rest.partition(" ")
        if name == "game":
            found = GameText.read(value)
            self._line = GameLine.begin(self.game, found.start, found.moves)
        elif name == "depth" and value.strip().isdecimal():
            self._limits = Limits(depth=max(1, int(value.strip()[:4])))
        return iter(())

    def _move(self, rest: str) -> Iterator[str]:
        self._line = self._line.forward(read_move(rest))
        return iter(())

    def _go(self, _rest: str) -> Iterator[str]:
        yield "status thinking"
        began = self.session.now()
        move = self._search()
        yield answer_line(move, value=self._discs(), seconds=max(0.0, self.session.now() - began))
        yield "status waiting"

    def _hint(self, _rest: str) -> Iterator[str]:
        """One line about the best move: agents tell about no other."""
        yield "status thinking"
        move = self._search()
        line = "".join(self._report.line) or move
        yield f"search {line} {self._discs():.2f} 0 {max(1, self._report.depth)}"
        yield "status waiting"

    def _search(self) -> str:
        self._report = AgentReport()
        return self.session.move(self._line, limits=self._limits)

    def _hear(self, report: AgentReport) -> None:
        self._report = report

    def _discs(self) -> float:
        """The agent's value as a lead in discs, which is what this protocol shows: a sure win is all 64."""
        return 0.0 if self._report.value is None else 64 * (2 * self._report.value - 1)

    def _quit(self, _rest: str) -> Iterator[str]:
        self.is_over = True
        return iter(())
