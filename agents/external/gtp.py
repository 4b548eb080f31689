"""Go Text Protocol, version 2: playing against engines for Go and Othello."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import ClassVar, Final, TypeAlias

from agents.external.gtp_syntax import (
    ANALYSES,
    COLOR_NAMES,
    PASSING,
    Reply,
    TimeLeft,
    TimeSettings,
    board_size,
    candidates,
    clean,
    game_title,
    read_analysis,
)
from agents.external.protocol import OnThought, Starts, quoted, refuse_options
from agents.seat import Channel, Ended, Fault, History, Times
from games.base import Color, Game, State, join_parameters
from games.errors import IllegalMove

__all__ = ["Gtp"]

_NAME_CHARACTERS: Final = 100
_REPLY_CHARACTERS: Final = 64 * 1024
_SEEDS: Final = 2**31
_CENTISECONDS: Final = 50  # between two lines of an analysis

#: Reads the rest of a reply, whose first line is given, and returns the text of the reply.
_Rest: TypeAlias = Callable[[Channel, str, float], str]


class Gtp:
    """The GTP conversation with one engine. It has no options: options of the engine belong in its command.

    Vertices are the game's own move texts: `D4` in Go (A1 is the lower left, there is no I), `d3` in Othello (a1 is
    the upper left). `resign` is returned as it is; it is not a legal move, so it loses the game. In Othello a pass is
    forced: the engine is not asked for it, and it may refuse a `play` command with a pass.
    """

    games: ClassVar[tuple[str, ...]] = ("go", "othello")
    starts: ClassVar[Starts] = "moves"

    def __init__(self, game: Game, options: Mapping[str, int | float | str]) -> None:
        refuse_options("gtp", options)
        self._game = game
        self._name = ""
        self._commands: frozenset[str] = frozenset()
        self._sent = 0
        self._seed = 0
        self._is_timed = False
        #: The moves on the engine's board; None if they are not known for certain.
        self._moves: tuple[str, ...] | None = None
        self.wants_score = False
        self.score: int | None = None
        self.on_thought: OnThought | None = None

    @property
    def name(self) -> str:
        """The engine's name and version, for example `GNU Go 3.8`."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Ask for the engine's name and commands. The engine must support version 2."""
        version = self._require(channel, "protocol_version", deadline)
        if version != "2":
            raise Fault("protocol", f"speaks version {version[:20]!r} of GTP, not 2")
        names = [self._require(channel, command, deadline) for command in ("name", "version")]
        self._name = " ".join(filter(None, names))[:_NAME_CHARACTERS]
        self._commands = frozenset(self._require(channel, "list_commands", deadline).split())

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Set up an empty board of the right size. The engine is not told its colour; `genmove` names it."""
        self._seed = seed % _SEEDS
        self._is_timed = False
        if "set_game" in self._commands:
            self._require(channel, f"set_game {game_title(self._game)}", deadline)
        self._require(channel, f"boardsize {board_size(self._game)}", deadline)
        self._clear(channel, deadline)
        self._moves = ()
        if "komi" in self._game.parameters:
            self._require(channel, f"komi {self._game.parameters['komi']}", deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Send the moves that the engine does not know and its time, and ask for a move."""
        self.score = None
        if self._game.name == "othello" and list(history.state.legal_moves) == [PASSING]:
            return PASSING
        self._catch_up(channel, history.moves, deadline)
        color = history.state.turn
        self._send_time(channel, color, times, deadline)
        text = self._generate(channel, history.state, deadline)
        try:
            move = str(history.state.parse(text))
        except IllegalMove:
            return text
        self._moves = (*history.moves, move)
        return move

    def end(self, channel: Channel) -> None:
        """Send `quit`."""
        with contextlib.suppress(Ended):
            channel.send("quit")

    def _catch_up(self, channel: Channel, moves: tuple[str, ...], deadline: float) -> None:
        """Send the moves since the engine's last move, or all moves if its board holds another game."""
        known, self._moves = self._moves, None
        if known is None or moves[: len(known)] != known:
            self._clear(channel, deadline)
            known = ()
        for turn in range(len(known), len(moves)):
            color = self._game.first if turn % 2 == 0 else not self._game.first
            command = f"play {COLOR_NAMES[color]} {moves[turn]}"
            reply = self._send(channel, command, deadline)
            may_refuse = self._game.name == "othello" and moves[turn] == PASSING
            if reply.is_failure and not may_refuse:
                raise _refusal(moves[turn], reply.text, self._game)

    def _generate(self, channel: Channel, state: State, deadline: float) -> str:
        """The engine's move. If somebody wants to know what it thinks, engines that can analyse are asked to."""
        color = COLOR_NAMES[state.turn]
        analysis = next((command for command in ANALYSES if command in self._commands), None)
        if analysis is None or not (self.wants_score or self.on_thought is not None):
            return self._require(channel, f"genmove {color}", deadline).partition("\n")[0]
        read = partial(_last_analysis, hear=partial(self._tell, state, analysis))
        text = self._require(channel, f"{analysis} {color} {_CENTISECONDS}", deadline, read=read)
        move, self.score = read_analysis(text, analysis)
        return move

    def _tell(self, state: State, analysis: str, line: str) -> None:
        """Pass on what one line of an analysis says."""
        if self.on_thought is None or not (found := candidates(line, analysis)):
            return
        named = [(move, one) for one in found for move in _parsed(state, one.move)]
        self.on_thought(
            {
                "value": found[0].value, "line": list(found[0].line),
                "nodes": sum(one.visits for one in found),
                "visits": {move: one.visits for move, one in named},
                "policy": {move: one.prior for move, one in named if one.prior is not None},
            }
        )  # fmt: skip

    def _send_time(self, channel: Channel, color: Color, times: Times, deadline: float) -> None:
        """Send the remaining time for the game or for some moves, in whole seconds, rounded down.

        GTP itself has no increments: only engines that know `kata-time_settings` hear of them, and all others see
        that their time has grown.
        """
        left, stones = max(int(times.own), 0), times.moves_to_go or 0
        if not self._is_timed:
            # To some engines zero means no limit.
            period = max(left, 1)
            settings = TimeSettings(0, period, stones) if stones else TimeSettings(period, 0, 0)
            self._send_if_known(channel, f"time_settings {settings}", deadline)
            if times.increment and not stones:
                fischer = f"{times.own:g} {times.increment:g}"
                self._send_if_known(channel, f"kata-time_settings fischer {fischer}", deadline)
            self._is_timed = True
        self._send_if_known(channel, f"time_left {TimeLeft(color, left, stones)}", deadline)

    def _clear(self, channel: Channel, deadline: float) -> None:
        """Clear the board, then set the seed: clearing the board may change the engine's random numbers."""
        self._require(channel, "clear_board", deadline)
        self._send_if_known(channel, f"set_random_seed {self._seed}", deadline)

    def _send_if_known(self, channel: Channel, command: str, deadline: float) -> None:
        """Send an optional command if the engine lists it; the engine may refuse it."""
        if command.partition(" ")[0] in self._commands:
            self._send(channel, command, deadline)

    def _require(self, channel: Channel, command: str, deadline: float, *, read: "_Rest | None" = None) -> str:
        """The reply to a command that the engine must carry out; a failure is a `Fault`."""
        reply = self._send(channel, command, deadline, read=read)
        if reply.is_failure:
            raise Fault("protocol", f"refused {command!r}: {quoted(reply.text)}")
        return reply.text

    def _send(self, channel: Channel, command: str, deadline: float, *, read: "_Rest | None" = None) -> Reply:
        """The reply to a command. Commands are numbered, and each is answered before the next is sent."""
        self._sent += 1
        numbered = f"{self._sent} {command}"
        channel.send(numbered)
        line = ""
        while not line:
            line = clean(channel.receive(deadline))
        reply = Reply.read(line)
        # Engines that leave the number out are accepted; a wrong number is the reply to something else.
        if reply is None or reply.number not in ("", str(self._sent)):
            raise Fault("protocol", f"sent {quoted(line)} instead of a reply to {numbered!r}")
        return Reply((read or _with_rest)(channel, reply.text, deadline), reply.is_failure, reply.number)


def _refusal(move: str, text: str, game: Game) -> Fault:
    """The fault of an engine that does not accept a legal move: it plays by other rules."""
    rules = join_parameters(game.name, game.parameters)
    detail = f"refused the move {move} with {quoted(text)}, although it is legal in {rules}"
    return Fault("protocol", detail, {"refused": move})


def _with_rest(channel: Channel, first: str, deadline: float) -> str:
    """The text of a reply: its first line and all lines up to the empty line that ends it."""
    lines = [first]
    size = len(first)
    while line := clean(channel.receive(deadline)):
        size += len(line) + 1
        if size > _REPLY_CHARACTERS:
            raise Fault("protocol", f"sent a reply of more than {_REPLY_CHARACTERS} characters")
        lines.append(line)
    return "\n".join(lines)


def _parsed(state: State, vertex: str) -> Iterator[str]:
    """The move of a vertex as the game writes it; none if it is not legal."""
    with contextlib.suppress(IllegalMove):
        yield str(state.parse(vertex))


def _last_analysis(channel: Channel, first: str, deadline: float, *, hear: Callable[[str], None]) -> str:
    """The last line of an analysis, which may be long, and the line after it with the move."""
    last = [first]
    while line := clean(channel.receive(deadline)):
        hear(line)
        last = [*last[-1:], line]
    return "\n".join(last)[-_REPLY_CHARACTERS:]
