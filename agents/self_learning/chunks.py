"""Chunks of self-play: tasks with seeds of their own, and the files that hold what was played.

A chunk is named by generation and number; its seed is a hash of the run's seed and that name. Its file carries a key
made of everything that decides its content, so that a file of other weights or settings is never mistaken for it.
"""

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from agents.self_learning.arrays import Damaged, pack, unpack, write_atomic
from agents.self_learning.learner import Chunk, learner_class

__all__ = ["PlayedChunk", "Task", "play_task", "read_chunk", "seed_of"]


def seed_of(run_seed: int, *parts: int | str) -> int:
    """A seed of 63 bits for one purpose; distinct parts give distinct seeds."""
    text = json.dumps([run_seed, *parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One chunk to be played, by weights in a file."""

    game: str
    learner: str
    generation: int
    number: int
    seed: int
    settings: dict[str, Any]
    weights: str
    weights_hash: str
    path: str

    @property
    def key(self) -> str:
        """The hash of everything that decides what is played."""
        content = {name: value for name, value in asdict(self).items() if name not in ("weights", "path")}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def as_json(self) -> str:
        """The task as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Self:
        """The task that `as_json` wrote."""
        return cls(**json.loads(line))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedChunk:
    """A chunk with its cost: CPU seconds of the play, and seconds that the worker had waited for it."""

    chunk: Chunk
    seconds: float
    waited: float


def play_task(task: Task, *, waited: float = 0.0) -> None:
    """Play a chunk and store it, as a whole or not at all."""
    kind = learner_class(task.learner)
    settings = kind.settings_class.of(task.settings)
    weights = Path(task.weights).read_bytes()
    began = time.process_time()
    chunk = kind(task.game, settings).play(weights, generation=task.generation, seed=task.seed, settings=settings)
    header = {
        "key": task.key,
        "games": chunk.games,
        "positions": chunk.positions,
        "nodes": chunk.nodes,
        "stages": dict(chunk.seconds),
        "examples": [list(moves) for moves in chunk.examples],
        "starts": list(chunk.starts),
        "seconds": time.process_time() - began,
        "waited": waited,
    }
    write_atomic(Path(task.path), pack(header, {"rows": chunk.rows}))


def read_chunk(task: Task) -> PlayedChunk | None:
    """The stored chunk of a task; None if it has not been played, or with other weights or settings."""
    try:
        found = unpack(Path(task.path).read_bytes())
    except (FileNotFoundError, Damaged):
        return None
    header = found.header
    if header["key"] != task.key:
        return None
    chunk = Chunk(
        rows=found.arrays["rows"], games=header["games"], positions=header["positions"], nodes=header["nodes"],
        seconds=header["stages"], examples=tuple(map(tuple, header["examples"])), starts=tuple(header["starts"]),
    )  # fmt: skip
    return PlayedChunk(chunk=chunk, seconds=header["seconds"], waited=header["waited"])
