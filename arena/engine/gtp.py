"""GTP version 2 server: an agent as an engine for Go and Othello."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from agents.external.gtp_syntax import (
    PASSING,
    Command,
    GtpFailure,
    Reply,
    TimeLeft,
    TimeSettings,
    board_size,
    game_title,
    read_color,
    read_numbers,
    read_vertex,
    score_text,
    vertex_text,
)
from agents.seat import Times
from arena.engine.server import EngineInfo, Server
from arena.engine.session import AgentSession, GameLine, times_of
from games.base import BLACK, WHITE, Color, Game, join_parameters, load
from games.errors import ArenaError, IllegalMove, UnknownGame
from results.text import plain

__all__ = ["GtpServer"]


class GtpServer(Server):
    """Answers a program for Go or Othello. If a side moves out of turn, the other side passes first, if it may."""

    games: ClassVar[tuple[str, ...]] = ("go", "othello")

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        super().__init__(session, game, info)
        self._line = GameLine.begin(game)
        self._past: list[GameLine] = []
        self._clock = _Clock()
        self._commands: dict[str, Callable[[Sequence[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"arena {self.info.agent}",
            "version": lambda _: self.info.version,
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
            "list_games": lambda _: game_title(self._line.game),
            "set_game": self._set_game,
        }

    def reply(self, line: str) -> Iterator[str]:
        """The reply to a command, with the empty line that ends it; nothing for a comment."""
        command = Command.read(line)
        if command is None:
            return
        try:
            if command.name not in self._commands:
                raise GtpFailure("unknown command")
            yield str(Reply(self._commands[command.name](command.arguments), number=command.number))
        except ArenaError as error:
            yield str(Reply(plain(str(error), limit=300), is_failure=True, number=command.number))

    def _quit(self, _words: Sequence[str]) -> str:
        self.is_over = True
        return ""

    def _known_command(self, words: Sequence[str]) -> str:
        return "true" if words and words[0] in self._commands else "false"

    def _set_game(self, words: Sequence[str]) -> str:
        if " ".join(words).lower() != self._line.game.name:
            raise GtpFailure("unsupported game")
        return ""

    def _boardsize(self, words: Sequence[str]) -> str:
        (size,) = read_numbers(words, 1)
        game = self._line.game
        if "size" in game.parameters:
            game = _changed(game, "size", size)
        elif size != board_size(game):
            raise GtpFailure("unacceptable size")
        self._begin(game)
        return ""

    def _clear_board(self, _words: Sequence[str]) -> str:
        self._begin(self._line.game)
        return ""

    def _begin(self, game: Game) -> None:
        self._line, self._past = GameLine.begin(game), []
        self._clock.restart()
        self.session.close()

    def _komi(self, words: Sequence[str]) -> str:
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise GtpFailure("syntax error") from None
        if "komi" in self._line.game.parameters:
            self._line = _replayed(self._line, _changed(self._line.game, "komi", komi))
        return ""

    def _play(self, words: Sequence[str]) -> str:
        color, vertex = read_color(words), read_vertex(words[1:])
        try:
            after = _with_turn(self._line, color).forward(vertex)
        except IllegalMove:
            raise GtpFailure("illegal move") from None
        self._continue_with(after)
        return ""

    def _genmove(self, words: Sequence[str]) -> str:
        color = read_color(words)
        if self._line.state.is_game_over():
            self._continue_with(self._line)
            return PASSING
        try:
            line = _with_turn(self._line, color)
        except IllegalMove:
            raise GtpFailure("it is the other side's turn") from None
        began = self.session.now()
        move = self.session.move(line, self._clock.times(color))
        self._clock.charge(color, self.session.now() - began)
        self._continue_with(line.forward(move))
        return vertex_text(move)

    def _continue_with(self, line: GameLine) -> None:
        self._past.append(self._line)
        self._line = line

    def _undo(self, _words: Sequence[str]) -> str:
        if not self._past:
            raise GtpFailure("cannot undo")
        self._line = _replayed(self._past.pop(), self._line.game)
        return ""

    def _time_settings(self, words: Sequence[str]) -> str:
        self._clock.set(TimeSettings.read(words))
        return ""

    def _time_left(self, words: Sequence[str]) -> str:
        self._clock.update(TimeLeft.read(words))
        return ""

    def _final_score(self, _words: Sequence[str]) -> str:
        margin = self._line.state.adjudicate().margin
        assert margin is not None  # the games of this protocol are decided by counting
        is_black_first = self._line.game.first == BLACK
        black, white = (margin.first, margin.second) if is_black_first else (margin.second, margin.first)
        return score_text(black=black, white=white)


class _Clock:
    """The time of both sides: main time, then some stones per period. Counts down between updates by the program."""

    def __init__(self) -> None:
        self._settings: TimeSettings | None = None
        self._left: dict[Color, float] = {}

    def set(self, settings: TimeSettings) -> None:
        """Use these settings from now on."""
        self._settings = None if settings.is_unlimited else settings
        self.restart()

    def restart(self) -> None:
        """Begin a new game."""
        self._left = {} if self._settings is None else dict.fromkeys((BLACK, WHITE), float(self._settings.main))

    def update(self, left: TimeLeft) -> None:
        """Set the time of one side."""
        self._left[left.color] = float(left.seconds)

    def charge(self, color: Color, seconds: float) -> None:
        """Subtract the time of a move."""
        if color in self._left:
            self._left[color] = max(0.0, self._left[color] - seconds)

    def times(self, color: Color) -> Times | None:
        """The times for the agent; None if there is no limit."""
        if color not in self._left:
            return None
        return times_of(self._seconds(color), self._seconds(not color) if (not color) in self._left else None)

    def _seconds(self, color: Color) -> float:
        settings = self._settings
        for_one_stone = settings.period / settings.stones if settings is not None and settings.stones else 0.0
        return max(for_one_stone, self._left[color])


def _changed(game: Game, key: str, value: float) -> Game:
    """The game with another value of this parameter."""
    try:
        return load(join_parameters(game.name, {**game.parameters, key: value}))
    except UnknownGame:
        raise GtpFailure(f"unacceptable {key}") from None


def _replayed(line: GameLine, game: Game) -> GameLine:
    """The same moves under the rules of `game`."""
    return line if line.game == game else GameLine.begin(game, line.start, line.moves)


def _with_turn(line: GameLine, color: Color) -> GameLine:
    """The game with this side to move: the other side passes. `IllegalMove` if it may not pass."""
    if line.state.turn == color and not line.state.is_game_over():
        return line
    if line.game.name == "go" and _has_passed(line):
        # A second pass would end the game: continue from the position instead.
        rows, _, _ = line.state.text.split()
        return GameLine.begin(line.game, f"{rows} {'X' if color == BLACK else 'O'} 0")
    return line.forward(PASSING)


def _has_passed(line: GameLine) -> bool:
    return line.state.text.split()[2] != "0"
