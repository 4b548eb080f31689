"""A played game, as it is stored."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Self, TypeAlias

from games.base import Margin
from results.time_control import TimeControl

__all__ = [
    "ClaimRecord", "ClaimedGame", "Dice", "EntrantRecord", "FaultRecord", "GameLine", "GameRecord", "GameSummary",
    "MoveRecord", "Phase", "Result", "Seat",
]  # fmt: skip

Seat: TypeAlias = Literal["first", "second"]
Dice: TypeAlias = Literal["", "seed", "secret"]
Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2"]
Phase: TypeAlias = Literal["load", "reset", "act", "close"]


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """The entrant in a seat: its name in the league, the agent as it was named, its content hash, its options.

    `path` is the path of the agent inside that content. `grants` are extra rights of its seat, such as more memory.
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
    """The text of a move and its seconds. Moves of the opening have 0 seconds."""

    text: str
    wall: float = 0.0
    cpu: float = 0.0
    wait: float = 0.0


#: Of a claim, so many moves of the expected line and so many candidates are stored.
_CLAIMED_LINE: Final = 8
_CLAIMED_MOVES: Final = 5
_CLAIMED_TEXT: Final = 80


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """What a player claimed about one of its moves: a small part of its last report (`--reports`).

    `turn` counts from 1. `value` is the expected score of the player, from 0 to 1; None if it named none. `line` are
    the first expected moves; `moves` are the moves that it looked at most, each with its share, best first. `text` is
    what else it said, such as the answer of a table of endings.
    """

    turn: int
    value: float | None = None
    depth: int = 0
    nodes: int = 0
    line: tuple[str, ...] = ()
    moves: tuple[tuple[str, float], ...] = ()
    text: str = ""

    @classmethod
    def of(
        cls, turn: int, *, value: float | None, depth: int, nodes: int, line: Sequence[str],
        weights: Mapping[str, float], text: str = "",
    ) -> Self:  # fmt: skip
        """A claim cut to what is stored; `weights` are visits or policy of the moves."""
        whole = math.fsum(weights.values())
        best = sorted(weights.items(), key=lambda item: -item[1])[:_CLAIMED_MOVES] if whole else []
        return cls(
            turn, None if value is None else round(value, 4), depth, nodes, tuple(line[:_CLAIMED_LINE]),
            tuple((move, round(weight / whole, 3)) for move, weight in best), text[:_CLAIMED_TEXT],
        )  # fmt: skip


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

    @property
    def is_help(self) -> bool:
        """Whether it is no fault but notes what a person had: hints, moves taken back, or no clock.

        Then `detail` is half a sentence whose subject is the player.
        """
        return self.rule in ("hint", "undo", "no-clock")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One finished game. `1-0` means that first won, whatever its colour.

    `mover` made the first of `moves`; it is `second` if the start position has second to move.
    `unanswered` is the time in seconds of a last request that ended in a fault.
    `versions` holds, under `first` and `second`, the name and version that an engine reported.
    `dice` says where the seeds of the players come from: the league's seed, or a random secret that is stored with the
    league, so that nobody can guess them; empty in records of earlier versions.
    `startup_first` and `startup_second` are the seconds that the players took to start; they are not charged.
    `notes` holds faults without a penalty, such as the reason why a trusted engine was restarted, and the help that a
    person had.
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
    result: Result
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
    dice: Dice = ""
    startup_first: float = 0.0
    startup_second: float = 0.0
    #: The time control if it is more than `seconds` for the whole game.
    control: TimeControl | None = None
    #: The counts that decided the game; None if nothing was counted.
    margin: Margin | None = None
    #: What the players claimed about their moves, by turn; empty without `--reports`.
    claims: tuple[ClaimRecord, ...] = ()

    @property
    def time_control(self) -> TimeControl:
        """The time of each player."""
        return self.control or TimeControl(self.seconds)

    @property
    def load(self) -> tuple[float, float]:
        """The wall-clock seconds of all moves, and for how much of that their players waited for a CPU."""
        return math.fsum(move.wall for move in self.moves), math.fsum(move.wait for move in self.moves)

    @property
    def turns(self) -> int:
        """The number of moves, opening included."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One stored game in a list. `faulty` broke the `rule`; `excluded` is the reason why it does not count."""

    id: int
    league: str
    first: str
    second: str
    result: str
    reason: str
    turns: int
    faulty: str | None
    rule: str | None
    excluded: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A counted game in one line, without its moves; `seconds` is the wall-clock time of all moves.

    `faulty` is the seat that broke `rule`; both are None without a fault.
    """

    id: int
    league: str
    game: str
    first: str
    second: str
    score_first: float
    reason: str
    turns: int
    seconds: float
    margin: Margin | None
    faulty: Seat | None
    rule: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedGame:
    """A counted game with what its players claimed; `mover` made the first move."""

    id: int
    first: str
    second: str
    mover: Seat
    score_first: float
    claims: tuple[ClaimRecord, ...]
