"""NBoard's protocol: playing against engines for Othello such as NTest and Edax."""

import contextlib
from typing import ClassVar, Final

from agents.external.nboard_syntax import PASSING, VERSION, GameText, NBoardError, read_answer, read_move, read_name
from agents.external.protocol import Starts, quoted
from agents.seat import Channel, Ended, Fault, History, Times
from games.base import Color, Game, Parameters
from games.errors import BadParameters, IllegalMove

__all__ = ["NBoard"]

_DEFAULT_DEPTH: Final = 10
_MOST_DEPTH: Final = 60


class NBoard:
    """The conversation with one engine. Its option is `depth`: the protocol has no clock, only a depth of the search.

    The engine is sent the whole game before each move. It is not asked for a pass that is forced.
    """

    games: ClassVar[tuple[str, ...]] = ("othello",)
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters) -> None:
        if unknown := [option for option in options if option != "depth"]:
            raise BadParameters(f"nboard has no option {unknown[0]!r}; its option is depth")
        depth = options.get("depth", _DEFAULT_DEPTH)
        if not isinstance(depth, int) or not 1 <= depth <= _MOST_DEPTH:
            raise BadParameters(f"depth must be a whole number from 1 to {_MOST_DEPTH}, not {depth!r}")
        self._game = game
        self._depth = depth
        self._name = ""
        self._pings = 0

    @property
    def name(self) -> str:
        """The name that the engine has set for itself."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Switch the engine to this protocol, and wait until it answers."""
        channel.send(f"nboard {VERSION}")
        self._wait(channel, deadline)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Set the depth and the start position. The protocol has neither colours nor a seed."""
        channel.send(f"set depth {self._depth}")
        channel.send(f"set game {GameText(start)}")
        self._wait(channel, deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:  # noqa: ARG002
        """Send the game and ask for a move."""
        if list(history.state.legal_moves) == [PASSING]:
            return PASSING
        channel.send(f"set game {GameText(history.start, history.moves)}")
        # After this, a late reply to an earlier request cannot be mistaken for the reply to this one.
        self._wait(channel, deadline)
        channel.send("go")
        while (answer := read_answer(line := self._receive(channel, deadline))) is None:
            pass
        try:
            return str(history.state.parse(read_move(answer)))
        except (NBoardError, IllegalMove):
            if not answer:
                raise Fault("protocol", f"sent {quoted(line)}, which has no move") from None
            return answer.split("/")[0].strip()

    def end(self, channel: Channel) -> None:
        """Send `quit`."""
        with contextlib.suppress(Ended):
            channel.send("quit")

    def _wait(self, channel: Channel, deadline: float) -> None:
        """Wait until the engine has read all commands."""
        self._pings += 1
        channel.send(f"ping {self._pings}")
        while self._receive(channel, deadline).split() != ["pong", str(self._pings)]:
            pass

    def _receive(self, channel: Channel, deadline: float) -> str:
        line = channel.receive(deadline)
        self._name = read_name(line) or self._name
        return line
