"""What happens while a run trains, as values; the command line shows them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.training.runs import CurvePoint, LadderPoint

__all__ = [
    "Changed", "ChunkPlayed", "GateDecided", "GenerationTrained", "LadderGame", "LadderPlayed", "OnTraining",
    "RunEnded", "RunStarted", "TrainingEvent",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """Training starts, or goes on after `generation`."""

    run: str
    recipe: Mapping[str, Any]
    generation: int
    minutes: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPlayed:
    """A chunk of self-play is in the memory: number `number` of `total` in its generation."""

    generation: int
    number: int
    total: int
    games: int
    positions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class GenerationTrained:
    """A generation is trained and stored."""

    point: CurvePoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """Settings were changed by `arena train set`; they hold from a generation on."""

    generation: int
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecided:
    """A new net has passed its gate, or not."""

    generation: int
    accepted: bool
    score: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderGame:
    """A game against an anchor was played: number `done` of `total`."""

    generation: int
    anchor: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LadderPlayed:
    """A generation has played against an anchor."""

    point: LadderPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """The time is used, or the generations are done."""

    generation: int
    seconds: float


TrainingEvent: TypeAlias = (
    RunStarted | ChunkPlayed | GenerationTrained | Changed | GateDecided | LadderGame | LadderPlayed | RunEnded
)
OnTraining: TypeAlias = Callable[[TrainingEvent], None]
