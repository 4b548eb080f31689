"""GTP version 2, spoken as an engine: Go and Othello."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from arena.engine.desk import Desk
from arena.engine.gtp_clock import GtpClock
from arena.engine.line import Line
from arena.engine.title import Title
from games.base import BLACK, WHITE, Color, Game, join_parameters, load
from games.errors import ArenaError, IllegalMove, UnknownGame
from results.text import plain

__all__ = ["GtpServer"]

_PASSING: Final = "pass"
_COLORS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_LINE: Final = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)")
_VERTEX: Final = re.compile(r"[a-hj-t][0-9]{1,2}|pass", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_SCORE: Final = re.compile(r"[a-z]+ ([0-9]+)-([0-9]+)(\S*)")
_OTHELLO_SIZE: Final = 8


class _Refused(ArenaError):
    """What stands behind the question mark of an answer."""


class GtpServer:
    """Answers a program of Go or Othello. Where somebody moves out of turn, the other one has passed if it may."""

    games: ClassVar[tuple[str, ...]] = ("go", "othello")

    def __init__(self, desk: Desk, game: Game, title: Title) -> None:
        self.is_over = False
        self._desk = desk
        self._title = title
        self._line = Line.begun(game)
        self._past: list[Line] = []
        self._clock = GtpClock()
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"arena {self._title.agent}",
            "version": lambda _: self._title.version,
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "showboard": lambda _: f"\n{self._line.state}",
            "list_games": lambda _: self._line.game.name.capitalize(),
            "set_game": self._set_game,
        }

    def hang_up(self) -> None:
        """What was asked is answered all the same."""

    def ends(self, line: str) -> bool:  # noqa: ARG002 - the contract's
        """Nothing does: every command is answered in its turn."""
        return False

    def hear(self, line: str) -> Sequence[str] | None:  # noqa: ARG002 - the contract's
        """Nothing is answered out of turn."""
        return None

    def handle(self, line: str) -> Iterator[str]:
        """The answer to a command, with the empty line that ends it; nothing to a comment."""
        text = "".join(char for char in line.partition("#")[0].replace("\t", " ") if char.isprintable()).strip()
        found = _LINE.fullmatch(text)
        if not text or found is None:
            return
        number, name, words = found[1] or "", found[2], found[3].split()
        try:
            if name not in self._commands:
                raise _Refused("unknown command")
            yield f"={number} {self._commands[name](words)}\n"
        except ArenaError as error:
            yield f"?{number} {plain(str(error), limit=300)}\n"

    def _quit(self, _words: list[str]) -> str:
        self.is_over = True
        return ""

    def _known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self._commands else "false"

    def _set_game(self, words: list[str]) -> str:
        if " ".join(words).lower() != self._line.game.name:
            raise _Refused("unsupported game")
        return ""

    def _boardsize(self, words: list[str]) -> str:
        (size,) = _numbers(words, 1)
        game = self._line.game
        if "size" in game.parameters:
            game = _changed(game, "size", size, refusal="unacceptable size")
        elif size != _OTHELLO_SIZE:
            raise _Refused("unacceptable size")
        self._begin(game)
        return ""

    def _clear_board(self, _words: list[str]) -> str:
        self._begin(self._line.game)
        return ""

    def _begin(self, game: Game) -> None:
        self._line, self._past = Line.begun(game), []
        self._clock.restart()
        self._desk.leave()

    def _komi(self, words: list[str]) -> str:
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise _Refused("syntax error") from None
        if "komi" in self._line.game.parameters:
            game = _changed(self._line.game, "komi", komi, refusal="unacceptable komi")
            self._line = _again(self._line, game)
        return ""

    def _play(self, words: list[str]) -> str:
        color = _color(words)
        if len(words) < 2 or not _VERTEX.fullmatch(words[1]):
            raise _Refused("syntax error")
        try:
            after = _turned(self._line, color).forward(words[1])
        except IllegalMove:
            raise _Refused("illegal move") from None
        self._go_on(after)
        return ""

    def _genmove(self, words: list[str]) -> str:
        color = _color(words)
        if self._line.state.is_game_over():
            self._go_on(self._line)
            return _PASSING
        try:
            line = _turned(self._line, color)
        except IllegalMove:
            raise _Refused("it is the other side's turn") from None
        began = self._desk.now()
        move = self._desk.move(line, self._clock.times(color))
        self._clock.charge(color, self._desk.now() - began)
        self._go_on(line.forward(move))
        return move if move == _PASSING else move.upper()

    def _go_on(self, line: Line) -> None:
        self._past.append(self._line)
        self._line = line

    def _undo(self, _words: list[str]) -> str:
        if not self._past:
            raise _Refused("cannot undo")
        self._line = _again(self._past.pop(), self._line.game)
        return ""

    def _time_settings(self, words: list[str]) -> str:
        main, period, stones = _numbers(words, 3)
        self._clock.set(main, period, stones)
        return ""

    def _time_left(self, words: list[str]) -> str:
        color = _color(words)
        seconds, _ = _numbers(words[1:], 2)
        self._clock.tell(color, float(seconds))
        return ""

    def _final_score(self, _words: list[str]) -> str:
        found = _SCORE.fullmatch(self._line.state.adjudicate().detail)
        assert found is not None
        margin = int(found[1]) - int(found[2]) - float(found[3] or 0)
        return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def _color(words: list[str]) -> Color:
    color = _COLORS.get(words[0].lower()) if words else None
    if color is None:
        raise _Refused("syntax error")
    return color


def _numbers(words: list[str], count: int) -> list[int]:
    if len(words) < count or not all(_NUMBER.fullmatch(word) for word in words[:count]):
        raise _Refused("syntax error")
    return [int(word) for word in words[:count]]


def _changed(game: Game, key: str, value: float, *, refusal: str) -> Game:
    try:
        return load(join_parameters(game.name, {**game.parameters, key: value}))
    except UnknownGame:
        raise _Refused(refusal) from None


def _again(line: Line, game: Game) -> Line:
    """The same moves under these rules."""
    if line.game == game:
        return line
    again = Line.begun(game, line.start)
    for move in line.moves:
        again = again.forward(move)
    return again


def _turned(line: Line, color: Color) -> Line:
    """The game with this side to move: the other one passes. `IllegalMove` where it may not."""
    if line.state.turn == color and not line.state.is_game_over():
        return line
    if line.game.name == "go" and _has_passed(line):
        # Another pass would end the game: it goes on from where it stands.
        rows, _, _ = line.state.text.split()
        return Line.begun(line.game, f"{rows} {'X' if color == BLACK else 'O'} 0")
    return line.forward(_PASSING)


def _has_passed(line: Line) -> bool:
    return line.state.text.split()[2] != "0"
