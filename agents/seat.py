"""The seat a player takes: what the referee asks of it, what it measures, how it faults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from games.base import Color, Game, State
from games.errors import ArenaError

__all__ = ["RULES", "Answer", "Channel", "Ended", "Evidence", "Fault", "History", "Late", "Phase", "Player", "Times"]

#: Names of the rules a player can break, each with what it means.
RULES: Mapping[str, str] = {
    "time": "used up its time for the game",
    "exception": "raised an exception",
    "exit": "ended its process or closed its connection",
    "illegal-move": "answered with something that is no legal move",
    "protocol": "spoke unasked or sent a malformed message",
    "pondering": "computed while it was the opponent's turn",
    "file": "touched a file it was not given",
    "network": "tried to reach a network",
    "process": "tried to start a process",
    "threads": "started more threads than allowed",
    "tamper": "tried to tamper with the machine or the competition",
    "memory": "used more memory than allowed",
    "startup": "took too long to start",
}

#: What is known of a fault. Keys: stderr traceback denied peak_memory cpu wall exit answer.
Evidence: TypeAlias = Mapping[str, str]

#: What a player was asked to do when it broke a rule.
Phase: TypeAlias = Literal["load", "reset", "act", "close"]


class Fault(ArenaError):
    """A rule broken by a player: it loses the game.

    `turn` is the turn (from 1) that the player was asked for; None outside of `act`.
    """

    def __init__(
        self, rule: str, detail: str = "", evidence: Evidence | None = None, *,
        phase: Phase = "act", turn: int | None = None,
    ) -> None:  # fmt: skip
        if rule not in RULES:
            raise ValueError(f"no rule called {rule!r}")
        super().__init__(f"{rule}: {detail}" if detail else rule)
        self.rule = rule
        self.detail = detail
        self.evidence: Evidence = dict(evidence or {})
        self.phase: Phase = phase
        self.turn = turn


class Late(ArenaError):
    """Nothing was received before the deadline."""


class Ended(ArenaError):
    """The process at the other end of a channel is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Seconds as the player is told them; true."""

    own: float
    opponent: float
    opponent_last_move: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's words and what they cost in seconds: the seat measures, the referee judges."""

    text: str
    wall: float
    cpu: float
    wait: float


@dataclass(frozen=True, slots=True)
class History:
    """A game so far: where it started, every move since (opening included), where it stands."""

    start: str
    moves: tuple[str, ...]
    state: State


class Player(Protocol):
    """One seat in one game; `open` and `ask` may raise `Fault`."""

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Get ready to play this colour from this start position."""

    def ask(self, history: History, times: Times) -> Answer:
        """Ask for a move; answers or faults by the time it is told it has left."""
        ...

    def close(self) -> Fault | None:
        """End; never raises and leaves no process. A fault here is noted, no more."""
        ...


class Channel(Protocol):
    """Lines to and from a child process."""

    def send(self, line: str) -> None:
        """Send one line; raises `Ended` when the child is gone."""

    def receive(self, deadline: float) -> str:
        """The next line; raises `Late` at the deadline (absolute, monotonic), `Ended` when the child is gone."""
        ...

    def close(self) -> None:
        """End the child; never raises and leaves no process."""
