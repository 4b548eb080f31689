"""UCI, spoken as an engine: chess and microchess."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from agents.seat import Times
from arena.outward.desk import LEAST_SECONDS, Desk, NoMove
from arena.outward.line import Line
from arena.outward.title import Title
from games.base import WHITE, Color, Game, load
from games.errors import ArenaError
from results.text import plain

__all__ = ["UciServer"]

#: What variants are called: by us, and by python-chess for boards of ours.
_VARIANTS: Final = {"chess": "chess", "microchess": "microchess", "arenamicro": "microchess"}
_COMMANDS: Final = (
    "uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "ponderhit", "quit", "debug", "register",
)  # fmt: skip
_NUMBERS: Final = frozenset({"wtime", "btime", "movetime"})
_OPTION: Final = re.compile(r"name\s+(.+?)(?:\s+value\s+(.*))?", re.IGNORECASE)
_NO_MOVE: Final = "(none)"


class UciServer:
    """Answers a chess program. A thought is not hurried by `stop`: an agent answers when it has decided."""

    games: ClassVar[tuple[str, ...]] = ("chess", "microchess")
    is_hurried: ClassVar[bool] = True

    def __init__(self, desk: Desk, game: Game, title: Title) -> None:
        self.is_over = False
        self._desk = desk
        self._given = game
        self._title = title
        self._start, self._texts = "", list[str]()
        self._line: Line | None = Line.begun(game)
        self._changed = threading.Condition()
        self._asked = 0  # how often `go` was read, how often answered, and up to which one `stop` was said
        self._answered = 0
        self._stopped = 0

    def ends(self, line: str) -> bool:
        """`quit` waits for nobody."""
        return _command(line)[0] == "quit"

    def hear(self, line: str) -> Sequence[str] | None:
        """`isready` is answered while the agent thinks, and `stop` taken note of."""
        command, _ = _command(line)
        with self._changed:
            if command == "go":
                self._asked += 1
            elif command in {"stop", "ponderhit"}:
                self._stopped = self._asked
                self._changed.notify_all()
                return ()
            elif command == "isready" and self._asked > self._answered:
                return ("readyok",)
        return None

    def handle(self, line: str) -> Iterable[str]:
        """The answers to one line; what UCI does not know is passed over in silence."""
        command, words = _command(line)
        if command == "uci":
            return self._greeting()
        if command == "isready":
            return ("readyok",)
        if command == "setoption":
            return self._set(words)
        if command == "position":
            return self._place(words)
        if command == "go":
            return self._go(words)
        if command == "ucinewgame":
            self._desk.leave()
        self.is_over = command == "quit"
        return ()

    def _greeting(self) -> Iterator[str]:
        yield f"id name arena {self._title.agent} {self._title.version}"
        yield "id author the author of the agent, served by arena"
        variants = " ".join(f"var {name}" for name in _VARIANTS)
        yield f"option name UCI_Variant type combo default {self._given.name} {variants}"
        yield "uciok"

    def _set(self, words: list[str]) -> Iterator[str]:
        found = _OPTION.fullmatch(" ".join(words))
        if found is None or found[1].lower() != "uci_variant":
            return
        name = _VARIANTS.get((found[2] or "").strip().lower())
        if name is None:
            yield f"info string no variant {plain(repr(found[2]), limit=60)}; there are {', '.join(_VARIANTS)}"
        elif self._line is None or name != self._line.game.name:
            self._begin(self._given if name == self._given.name else load(name))

    def _begin(self, game: Game, start: str = "") -> Line:
        self._line = Line.begun(game, start)
        self._given_game = game
        self._start, self._texts = start, []
        return self._line
