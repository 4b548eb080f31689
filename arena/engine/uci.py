"""UCI, spoken as an engine: chess and microchess."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, Final

from agents.seat import Times
from arena.engine.desk import LEAST_SECONDS, Desk, NoMove
from arena.engine.line import Line
from arena.engine.title import Title
from games.base import WHITE, Color, Game, load
from games.errors import ArenaError, BadPosition
from results.text import plain

__all__ = ["UciServer"]

#: What variants are called: by us, and by python-chess for boards of ours.
_VARIANTS: Final = {"chess": "chess", "microchess": "microchess", "arenamicro": "microchess"}
_COMMANDS: Final = (
    "uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "ponderhit", "quit", "debug", "register",
)  # fmt: skip
_NUMBERS: Final = frozenset({"wtime", "btime", "movetime"})
_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_FIELDS_WITHOUT_COUNTERS: Final = 4
_OPTION: Final = re.compile(r"name\s+(.+?)(?:\s+value\s+(.*))?", re.IGNORECASE)
_NO_MOVE: Final = "(none)"


class UciServer:
    """Answers a chess program. A thought is not hurried by `stop`: an agent answers when it has decided."""

    games: ClassVar[tuple[str, ...]] = ("chess", "microchess")

    def __init__(self, desk: Desk, game: Game, title: Title) -> None:
        self.is_over = False
        self._desk = desk
        self._given = game
        self._title = title
        self._game = game
        self._start = ""
        self._texts: list[str] = []
        self._line: Line | None = Line.begun(game)  # None after a position that was none
        self._changed = threading.Condition()
        self._asked = 0  # how often `go` was read, how often answered, and up to which one `stop` was said
        self._answered = 0
        self._stopped = 0
        self._is_going = False
        self._owed = 0  # times that `isready` was read behind a `go` whose turn has not come

    def hang_up(self) -> None:
        """What was asked is answered, also what waits for `stop`: nobody can say it any more."""
        self.hear("stop")

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
                self._owed += not self._is_going
                return ("readyok",) if self._is_going else ()
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
        elif name != self._game.name:
            self._game = self._given if name == self._given.name else load(name)
            self._start, self._texts, self._line = "", [], Line.begun(self._game)

    def _place(self, words: list[str]) -> Iterator[str]:
        at = words.index("moves") if "moves" in words else len(words)
        where, texts = words[:at], words[at + 1 :]
        try:
            self._line = self._told(_start(where), texts)
        except ArenaError as error:
            self._line = None
            yield f"info string {plain(str(error), limit=300)}"

    def _told(self, start: str, texts: list[str]) -> Line:
        """The game that was told; only what is new in it is played over."""
        known = self._line
        if known is None or start != self._start or texts[: len(self._texts)] != self._texts:
            known, self._texts = Line.begun(self._game, start), []
        for text in texts[len(self._texts) :]:
            known = known.forward(text)
        self._start, self._texts = start, texts
        return known

    def _go(self, words: list[str]) -> Iterator[str]:
        move = _NO_MOVE
        with self._changed:
            number, owed = self._answered + 1, self._owed
            self._is_going, self._owed = True, 0
        yield from ["readyok"] * owed
        try:
            if self._line is None:
                raise NoMove("there is no position to move in")
            if "searchmoves" in words:
                yield "info string searchmoves is not known here: the agent chooses among all moves"
            move = self._desk.move(self._line, _times(words, self._line.state.turn))
        except NoMove as error:
            yield f"info string {error}"
        if {"infinite", "ponder"} & set(words):
            self._hold(number)
        with self._changed:
            self._answered, self._is_going = number, False
        yield f"bestmove {move}"

    def _hold(self, number: int) -> None:
        """Wait until somebody wants the answer."""
        with self._desk.thought(), self._changed:
            self._changed.wait_for(lambda: self._stopped >= number)


def _command(line: str) -> tuple[str, list[str]]:
    """The command of a line and what follows it; words before it do not matter. Empty if there is none."""
    words = line.split()
    for index, word in enumerate(words):
        if word in _COMMANDS:
            return word, words[index + 1 :]
    return "", []


def _start(where: list[str]) -> str:
    """The text of a position as UCI tells it; empty for the game's own. Many leave a FEN's counters out."""
    if where == ["startpos"]:
        return ""
    if where[:1] != ["fen"] or not where[1:]:
        raise BadPosition("a position is `startpos` or `fen` with a FEN, then `moves` and the moves")
    fields = where[1:]
    return " ".join([*fields, "0", "1"] if len(fields) == _FIELDS_WITHOUT_COUNTERS else fields)


def _times(words: list[str], turn: Color) -> Times | None:
    """What the clocks say, in seconds; None if they say nothing."""
    told: dict[str, float] = {}
    for key, value in pairwise(words):
        if key in _NUMBERS and _NUMBER.fullmatch(value):
            told[key] = max(LEAST_SECONDS, int(value) / 1000)
    ours, theirs = ("wtime", "btime") if turn == WHITE else ("btime", "wtime")
    limits = [told[key] for key in (ours, "movetime") if key in told]
    if not limits:
        return None
    own = min(limits)
    return Times(own=own, opponent=told.get(theirs, own), opponent_last_move=0.0)
