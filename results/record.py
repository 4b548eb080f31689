"""A game that was played, as it is stored."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from games.base import Margin

__all__ = ["EntrantRecord", "FaultRecord", "GameRecord", "MoveRecord", "Phase", "Seat"]

Seat: TypeAlias = Literal["first", "second"]
Phase: TypeAlias = Literal["load", "reset", "act", "close"]


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """Who sat in a seat: name in the league, what it was asked for as, content hash, options.

    `path` is where the agent lies in that content; `grants` is what its seat was given beyond the others'.
    """

    name: str
    agent: str
    version: str
    hash: str
    options: Mapping[str, int | float | str]
    path: str = ""
    grants: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move's text and its seconds; moves of the opening cost nothing."""

    text: str
    wall: float = 0.0
    cpu: float = 0.0
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """A rule broken by a player, with the evidence.

    `phase` is what the player was asked to do. `turn` is the turn, from 1, it was asked for; None outside of `act`.
    """

    player: Seat
    rule: str
    detail: str
    evidence: Mapping[str, str]
    phase: Phase = "act"
    turn: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One finished game. `1-0` means that first won, whichever colour that is.

    `mover` made the first of `moves`: second does in a start position where it is second's turn.
    `unanswered` are the seconds of a last question that a fault ended. Among `versions` stands, under `first` and
    `second`, what an engine called itself; among `notes`, why a trusted one was started again.
    """

    id: int | None = None
    league: str
    key: str
    game: str
    parameters: Mapping[str, int | float | str]
    game_version: int
    first: EntrantRecord
    second: EntrantRecord
    seconds: float
    start: str
    opening: tuple[str, ...]
    seed: int
    seed_first: int
    seed_second: int
    moves: tuple[MoveRecord, ...]
    result: Literal["1-0", "0-1", "1/2-1/2"]
    reason: str
    detail: str
    fault: FaultRecord | None
    notes: tuple[FaultRecord, ...]
    output_first: str
    output_second: str
    sandbox: str
    rules: str
    host: str
    versions: Mapping[str, str]
    started: str
    ended: str
    mover: Seat = "first"
    unanswered: float = 0.0
    #: What was counted to decide the game; None if nothing was.
    margin: Margin | None = None

    @property
    def turns(self) -> int:
        """How many moves there are, opening included."""
        return len(self.moves)

    @property
    def score_first(self) -> float:
        """Points of first: 1, 0.5 or 0."""
        return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[self.result]

    @property
    def seconds_first(self) -> float:
        """Wall-clock seconds of first's moves."""
        return self._seconds("first")

    @property
    def seconds_second(self) -> float:
        """Wall-clock seconds of second's moves."""
        return self._seconds("second")

    def _seconds(self, seat: Seat) -> float:
        own = self.moves[0 if seat == self.mover else 1 :: 2]
        last = self.unanswered if self.fault is not None and self.fault.player == seat else 0.0
        return round(math.fsum(move.wall for move in own) + last, 6)
