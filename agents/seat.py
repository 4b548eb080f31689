"""The interface between the referee and a player: requests, answers, times and faults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from games.base import Color, Game, State
from games.errors import ArenaError

__all__ = ["RULES", "Answer", "Channel", "Ended", "Evidence", "Fault", "History", "Late", "Phase", "Player", "Times"]

#: The rules that a player can break, each with its meaning: half a sentence whose subject is the player.
RULES: Mapping[str, str] = {
    "time": "used up its time for the game",
    "exception": "raised an exception",
    "exit": "ended its process or closed its connection",
    "illegal-move": "answered with something that is not a legal move",
    "protocol": "sent a malformed message or one that nobody requested, or refused a legal move",
    "pondering": "computed during the opponent's turn",
    "file": "tried to use a file that it was not given",
    "network": "tried to use the network",
    "process": "tried to start a process",
    "threads": "started more threads than allowed",
    "tamper": "tried to interfere with the machine or the competition",
    "memory": "used more memory than allowed",
    "startup": "took too long to start",
}

#: What is known about a fault, by key. About the process: stderr, denied, peak_memory, cpu, wall, exit. About an
#: exception: traceback. About a hang: the line of the participant's code that was running and the stack, as the agent's
#: process said; waited, if not the clock but a shorter limit ended it. About an illegal move: answer, position, some
#: legal moves, and what was expected and the reason where a protocol knows them. About a move that an engine refused:
#: refused. About an agent class that was not found: no_agent. About an option that an engine does not have: option.
Evidence: TypeAlias = Mapping[str, str]

#: The request during which a player broke a rule. The start of an engine is `load`.
Phase: TypeAlias = Literal["load", "reset", "act", "close"]


class Fault(ArenaError):
    """A rule broken by a player: it loses the game.

    `detail` says what happened, without the phase and the turn: `ValueError: x`, `exit status 7`. `turn` is the turn
    (from 1) for which a move was requested; the referee sets it, and it is None in all phases except `act`.
    """

    def __init__(
        self, rule: str, detail: str = "", evidence: Evidence | None = None, *,
        phase: Phase = "act", turn: int | None = None,
    ) -> None:  # fmt: skip
        if rule not in RULES:
            raise ValueError(f"there is no rule called {rule!r}")
        super().__init__(f"{rule}: {detail}" if detail else rule)
        self.rule = rule
        self.detail = detail
        self.evidence: Evidence = dict(evidence or {})
        self.phase: Phase = phase
        self.turn = turn


class Late(ArenaError):
    """No line or answer arrived before the deadline."""


class Ended(ArenaError):
    """The process at the other end of a channel has ended or closed its connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The clocks that a player is sent with a request for a move, in seconds.

    `increment` is added after each move. `own` must last for `moves_to_go` moves, then more time is added; None means
    for the rest of the game.
    """

    own: float
    opponent: float
    opponent_last_move: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The text that a player answered and its cost in seconds. The player measures, the referee judges.

    `score` is what the player itself claims about the position, in hundredths of a pawn; None if it was not asked or
    said nothing.
    """

    text: str
    wall: float
    cpu: float
    wait: float
    score: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A game so far: its start position, all moves since then (opening included) and the current state."""

    start: str
    moves: tuple[str, ...]
    state: State


class Player(Protocol):
    """One side of one game. `open` and `ask` may raise `Fault`."""

    def open(self, game: Game, color: Color, *, start: str, seed: int) -> None:
        """Prepare to play this colour from this start position."""

    def ask(self, history: History, times: Times) -> Answer:
        """Request a move; returns or raises `Fault` before `times.own` is used up."""
        ...

    def close(self) -> Fault | None:
        """End the player and its process; never raises. A returned fault is noted; the result of the game stands."""
        ...


class Channel(Protocol):
    """Lines of text to and from a child process."""

    def send(self, line: str) -> None:
        """Send one line; raises `Ended` when the child has ended."""

    def receive(self, deadline: float) -> str:
        """Return the next line; raises `Late` at the deadline (absolute, monotonic), `Ended` if the child has ended."""
        ...

    def close(self) -> None:
        """End the child process; never raises."""
