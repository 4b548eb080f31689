"""What a line protocol is to the seat of an engine."""

from typing import ClassVar, Literal, Protocol, TypeAlias

from agents.seat import Channel, History, Times
from games.base import Color

__all__ = ["Dialect", "Starts"]

#: Where a protocol can begin a game: at any position; at the game's own start with moves made since; only there.
Starts: TypeAlias = Literal["anywhere", "moves", "start"]


class Dialect(Protocol):
    """How one protocol is spoken to one engine process; made anew for each process.

    It is made with the game and the entrant's options, and raises `BadParameters` for options it does not know.
    Every method may raise `Late` or `Ended` (the channel does) and `Fault`: rule `protocol` for an engine that speaks
    another language or refuses what it must do. No method waits beyond the deadline (absolute, monotonic).
    """

    #: Names of the games that the protocol can speak of; empty: all.
    games: ClassVar[tuple[str, ...]]
    starts: ClassVar[Starts]

    @property
    def name(self) -> str:
        """What the engine calls itself, with its version; raw, and empty if it has not said."""
        ...

    def greet(self, channel: Channel, deadline: float) -> None:
        """Make the acquaintance of a fresh process and set its options."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """A new game, also with a process that has played others."""

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """A move: in the game's own text form, or raw if it has none there; the referee judges it.

        The engine may have been started in the middle of the game: what it does not know yet it is told here.
        """
        ...

    def end(self, channel: Channel) -> None:
        """Say goodbye; nobody waits for an answer."""
