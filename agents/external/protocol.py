"""The interface of a line protocol, and what all protocols share: option checks, quoting, a scripted test channel."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Final, Literal, Protocol, TypeAlias, runtime_checkable

from agents.seat import Channel, Ended, History, Late, Times
from games.base import Color, Parameters
from games.errors import BadParameters

__all__ = [
    "EngineProtocol", "OnThought", "Scoring", "ScriptedChannel", "Starts", "Telling", "centipawns", "expected_score",
    "quoted", "refuse_options",
]  # fmt: skip

#: Where a game can begin: in any position; at the game's own start, with opening moves; only at the game's own start.
Starts: TypeAlias = Literal["anywhere", "moves", "start"]
#: Hears what an engine says while it thinks: some of the values of `BaseAgent.tell`, unchecked.
OnThought: TypeAlias = Callable[[Mapping[str, object]], None]

_MOST_CENTIPAWNS: Final = 10_000
_HALF: Final = 0.5
_QUOTED_CHARACTERS: Final = 100  # of what an engine sent, in the detail of a fault


class EngineProtocol(Protocol):
    """The conversation with one engine process. Each process gets a new object.

    The constructor takes the game and the entrant's options and raises `BadParameters` for an unknown option.
    Every method may raise `Late` or `Ended` (both come from the channel), and `Fault` with the rule `protocol` if the
    engine does not follow the protocol. No method waits beyond the deadline, which is absolute and monotonic.
    """

    #: Names of the games that the protocol supports; empty means all games.
    games: ClassVar[tuple[str, ...]]
    starts: ClassVar[Starts]

    @property
    def name(self) -> str:
        """The name and version that the engine reports; unfiltered, and empty if it reports none."""
        ...

    def greet(self, channel: Channel, deadline: float) -> None:
        """Perform the handshake with a new process and set the engine's options."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """Begin a new game. The process may have played other games before."""

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move and return it in the game's own text form, or as sent if it is not a legal move.

        The process may have been restarted in the middle of the game: send it every move that it does not know.
        """
        ...

    def end(self, channel: Channel) -> None:
        """Tell the engine to exit, without waiting for a reply."""


@runtime_checkable
class Scoring(Protocol):
    """A conversation in which the engine says what it thinks of the position."""

    #: Whether anybody wants to know.
    wants_score: bool
    #: What it said with its last move, in hundredths of a pawn; None if it said nothing.
    score: int | None


@runtime_checkable
class Telling(Protocol):
    """A conversation in which the engine says what it thinks during its move."""

    #: Who wants to know; None if nobody does.
    on_thought: OnThought | None


def centipawns(value: float) -> int:
    """An expected score from 0 to 1 as hundredths of a pawn, by the usual curve of ratings.

    >>> centipawns(0.5), centipawns(0.64), centipawns(1), centipawns(0)
    (0, 100, 10000, -10000)
    """
    share = min(1 - 1e-9, max(1e-9, value))
    score = 400 * math.log10(share / (1 - share))
    return _MOST_CENTIPAWNS * (1 if value > _HALF else -1) if value in (0, 1) else round(score)


def expected_score(score: int) -> float:
    """Hundredths of a pawn as an expected score from 0 to 1: the inverse of `centipawns`.

    >>> round(expected_score(100), 2), expected_score(0), round(expected_score(-99_990), 3)
    (0.64, 0.5, 0.0)
    """
    return float(1 / (1 + 10 ** (-max(-_MOST_CENTIPAWNS, min(_MOST_CENTIPAWNS, score)) / 400)))


def refuse_options(protocol: str, options: Parameters) -> None:
    """Raise `BadParameters` if there is any option: for protocols that have none."""
    for option in options:
        raise BadParameters(f"{protocol} has no option {option!r}; put options of the engine into its command")


def quoted(text: str, limit: int = _QUOTED_CHARACTERS) -> str:
    """The beginning of what an engine sent, in quotes, for the detail of a fault."""
    return repr(text[:limit])


class ScriptedChannel:
    """A channel for tests: answers each line sent with the lines that `reply` returns for it.

    `sent` lists the lines sent so far. A reply may contain exceptions; `receive` raises them in their turn. `receive`
    raises `Late` when no line is left. After `close`, or after an `Ended` in the script, the channel is closed.
    """

    def __init__(self, reply: Callable[[str], Iterable[str | Exception]]) -> None:
        self._reply = reply
        self._lines: deque[str | Exception] = deque()
        self.sent: list[str] = []
        self.is_closed = False

    def send(self, line: str) -> None:
        """Record the line and queue the replies of the script."""
        if self.is_closed:
            raise Ended("the program has exited")
        self.sent.append(line)
        self._lines.extend(self._reply(line))

    def receive(self, deadline: float) -> str:  # noqa: ARG002 - part of the interface
        """The next line of the script."""
        if not self._lines:
            raise Ended("the program has exited") if self.is_closed else Late("no line in time")
        line = self._lines.popleft()
        if isinstance(line, Exception):
            self.is_closed = self.is_closed or isinstance(line, Ended)
            raise line
        return line

    def close(self) -> None:
        """Close the channel."""
        self.is_closed = True
