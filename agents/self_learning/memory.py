"""The replay memory: a ring of samples in a memory-mapped file, which outlives the process that writes it.

The file holds samples only. How many were ever written stands in the checkpoint; after a kill the samples behind that
number are simply written again, and they are the same. A sample carries the generation in which it was played.
"""

import json
import os
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.self_learning.arrays import dtype_to_json, write_atomic
from agents.self_learning.errors import TrainingError
from agents.self_learning.learner import Rows

__all__ = ["Memory"]

#: Slots beyond the capacity, as a share of it: an older checkpoint still finds its samples.
_SPARE: Final = 0.25


class Memory:
    """The newest samples of a run. `written` is the number of samples ever added; older ones are replaced."""

    def __init__(self, path: Path, *, row: np.dtype[np.void], capacity: int, written: int = 0) -> None:
        self.capacity = capacity
        self.written = written
        self._slots = capacity + max(1, int(capacity * _SPARE))
        kind = np.dtype([("generation", "<u4"), ("sample", row)])
        self._check(path, kind)
        self._ring: np.memmap[Any, Any] = np.memmap(path, dtype=kind, mode="r+", shape=(self._slots,))

    def __len__(self) -> int:
        return min(self.written, self.capacity)

    def append(self, rows: Rows, *, generation: int) -> None:
        """Add samples; the cost does not depend on how many are there."""
        for start in range(0, len(rows), self._slots):
            part = rows[start : start + self._slots]
            places = np.arange(self.written, self.written + len(part)) % self._slots
            self._ring["sample"][places] = part
            self._ring["generation"][places] = generation
            self.written += len(part)

    def sample(self, rng: np.random.Generator, number: int, *, window: int = 0) -> Rows:
        """Samples drawn at random from the newest `window` ones (0: from all), at the same cost at any size."""
        reach = min(len(self), window or self.capacity)
        if not reach:
            raise ValueError("the memory is empty")
        places = rng.integers(self.written - reach, self.written, size=number) % self._slots
        found: Rows = self._ring["sample"][places]
        return found

    def newest(self, number: int) -> Rows:
        """The newest samples, the oldest of them first."""
        found: Rows = self._ring["sample"][self._places(min(number, len(self)))]
        return found

    def generations(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """The generation of every sample, the oldest first."""
        found: np.ndarray[Any, np.dtype[np.uint32]] = self._ring["generation"][self._places(len(self))]
        return found

    def check(self, generation: int) -> None:
        """Refuse to go on if a later generation has replaced samples that belong to this one."""
        if len(self) and int(self.generations().max()) > generation:
            raise TrainingError(
                f"the memory no longer holds the samples of generation {generation}: later ones have replaced them"
            )

    def flush(self) -> None:
        """Write everything to the disk, so that it survives a power cut too."""
        self._ring.flush()

    def _places(self, number: int) -> np.ndarray[Any, np.dtype[np.intp]]:
        return (np.arange(self.written - number, self.written) % self._slots).astype(np.intp)

    def _check(self, path: Path, kind: np.dtype[np.void]) -> None:
        """Create the file, or see that it is ours; its blocks are reserved, so that the disk cannot fill up later."""
        about = path.with_suffix(".json")
        described = json.dumps({"row": dtype_to_json(kind), "slots": self._slots}, sort_keys=True)
        if about.exists() and about.read_text(encoding="utf-8") != described:
            raise TrainingError(
                f"{path} was written with another kind or number of samples; start a new run with --name"
            )
        with path.open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, self._slots * kind.itemsize)
        if not about.exists():
            write_atomic(about, described.encode())
