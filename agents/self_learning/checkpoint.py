"""Checkpoints: everything that a run needs to go on to the bit, in one file that is replaced as a whole.

Random states need no place in it: every random number of generation g derives from the seed of the run and g.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from agents.self_learning.arrays import Damaged, pack, unpack, write_atomic

__all__ = ["Checkpoint", "Totals", "newest", "save"]

_KEPT: Final = 3
_ENDING: Final = ".checkpoint"


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What a run has done so far; only work that entered the result counts. Seconds are CPU time."""

    games: int = 0
    positions: int = 0
    nodes: int = 0
    steps: int = 0
    play_seconds: float = 0.0
    train_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """CPU time of self-play and training."""
        return self.play_seconds + self.train_seconds

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(**{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The state of a run after a generation.

    `players` names, for each generation from 0, the one whose weights play after its gate. `memory` and `validation`
    are the numbers of samples ever written. `arrays` are the net and the optimiser; `settings` those in force.
    """

    generation: int
    memory: int
    validation: int
    totals: Totals = Totals()
    players: tuple[int, ...] = (0,)
    settings: Mapping[str, object] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Store a checkpoint, and remove all but the last few."""
    header = {
        "generation": checkpoint.generation,
        "memory": checkpoint.memory,
        "validation": checkpoint.validation,
        "totals": asdict(checkpoint.totals),
        "players": list(checkpoint.players),
        "settings": dict(checkpoint.settings),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / f"{checkpoint.generation:06}{_ENDING}", pack(header, checkpoint.arrays))
    for old in _stored(folder)[_KEPT:]:
        old.unlink(missing_ok=True)


def newest(folder: Path) -> Checkpoint | None:
    """The newest checkpoint that can be read; None if there is none."""
    for path in _stored(folder):
        try:
            found = unpack(path.read_bytes())
        except Damaged:
            continue
        header = found.header
        return Checkpoint(
            generation=header["generation"], memory=header["memory"], validation=header["validation"],
            totals=Totals(**header["totals"]), players=tuple(header["players"]), settings=header["settings"],
            arrays=found.arrays,
        )  # fmt: skip
    return None


def _stored(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"[0-9]*{_ENDING}"), reverse=True)
