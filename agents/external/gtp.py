"""The Go Text Protocol, version 2: engines that play Go or Othello."""

import contextlib
from collections.abc import Mapping
from typing import ClassVar, Final

from agents.external._gtp_replies import Conversation
from agents.external.dialect import Starts
from agents.seat import Channel, Ended, Fault, History, Times
from games.base import BLACK, WHITE, Color, Game
from games.errors import BadParameters, IllegalMove

__all__ = ["Gtp"]

_NAME_CHARACTERS: Final = 100
_SEEDS: Final = 2**31
_COLORS: Final = {BLACK: "black", WHITE: "white"}


class Gtp:
    """One engine that is spoken to in GTP; it has no options, for what the engine should know stands in its command.

    Vertices are the game's own texts in both games: `D4` in Go (A1 is the lower left, there is no I), `d3` in Othello
    (a1 is the upper left). A `resign` is handed on as it is: no legal move, so the game is lost by it.
    In Othello a pass is no choice: no engine is asked for it, and one that passes by itself may refuse to hear of it.
    """

    games: ClassVar[tuple[str, ...]] = ("go", "othello")
    starts: ClassVar[Starts] = "moves"

    def __init__(self, game: Game, options: Mapping[str, int | float | str]) -> None:
        for option in options:
            raise BadParameters(f"gtp has no option {option!r}; options of the engine belong in its command")
        self._game = game
        self._conversation = Conversation()
        self._name = ""
        self._commands: frozenset[str] = frozenset()
        self._seed = 0
        self._is_timed = False
        #: The moves on the engine's board; none if that is not certain.
        self._moves: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The engine's name and version, as in `GNU Go 3.8`."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Learn who it is and which commands it knows; it must speak version 2."""
        version = self._say(channel, "protocol_version", deadline)
        if version != "2":
            raise Fault("protocol", f"speaks version {version[:20]!r} of GTP, not 2")
        names = [self._say(channel, command, deadline) for command in ("name", "version")]
        self._name = " ".join(filter(None, names))[:_NAME_CHARACTERS]
        self._commands = frozenset(self._say(channel, "list_commands", deadline).split())

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """An empty board of the right size; the engine plays either colour, whatever it is asked for."""
        self._seed = seed % _SEEDS
        self._is_timed = False
        if "set_game" in self._commands:
            self._say(channel, f"set_game {self._game.name.title()}", deadline)
        self._say(channel, f"boardsize {self._game.parameters.get('size', 8)}", deadline)
        self._clear(channel, deadline)
        self._moves = ()
        if "komi" in self._game.parameters:
            self._say(channel, f"komi {self._game.parameters['komi']}", deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Tell it the moves that it does not know and its time, and have it move."""
        if self._game.name == "othello" and list(history.state.legal_moves) == ["pass"]:
            return "pass"
        self._catch_up(channel, history.moves, deadline)
        color = _COLORS[history.state.turn]
        self._tell_time(channel, color, times.own, deadline)
        text = self._say(channel, f"genmove {color}", deadline).partition("\n")[0]
        try:
            move = str(history.state.parse(text))
        except IllegalMove:
            return text
        self._moves = (*history.moves, move)
        return move

    def end(self, channel: Channel) -> None:
        """Tell it to quit."""
        with contextlib.suppress(Ended):
            channel.send("quit")

    def _catch_up(self, channel: Channel, moves: tuple[str, ...], deadline: float) -> None:
        """Play what was played since the engine's last move; all of it, if its board shows another game."""
        known, self._moves = self._moves, None
        if known is None or moves[: len(known)] != known:
            self._clear(channel, deadline)
            known = ()
        for turn in range(len(known), len(moves)):
            color = self._game.first if turn % 2 == 0 else not self._game.first
            command = f"play {_COLORS[color]} {moves[turn]}"
            if self._game.name == "othello" and moves[turn] == "pass":
                self._conversation.ask(channel, command, deadline)
            else:
                self._say(channel, command, deadline)

    def _tell_time(self, channel: Channel, color: str, seconds: float, deadline: float) -> None:
        """All the time there is for the rest of the game, in whole seconds and never more than there is."""
        left = max(int(seconds), 0)
        if not self._is_timed:
            # Zero means no limit to some.
            self._if_known(channel, f"time_settings {max(left, 1)} 0 0", deadline)
            self._is_timed = True
        self._if_known(channel, f"time_left {color} {left} 0", deadline)

    def _clear(self, channel: Channel, deadline: float) -> None:
        """Clear the board; the dice after it, for clearing may throw them anew."""
        self._say(channel, "clear_board", deadline)
        self._if_known(channel, f"set_random_seed {self._seed}", deadline)

    def _if_known(self, channel: Channel, command: str, deadline: float) -> None:
        """Send a command that an engine may do without, or refuse."""
        if command.partition(" ")[0] in self._commands:
            self._conversation.ask(channel, command, deadline)

    def _say(self, channel: Channel, command: str, deadline: float) -> str:
        return self._conversation.say(channel, command, deadline)
