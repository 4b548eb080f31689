"""Runs of the tiny learner, in this process and in processes of their own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.self_learning import checkpoint
from agents.self_learning.recipe import Recipe
from agents.self_learning.run import Run, RunOptions
from agents.self_learning.run_folder import RunFolder

HERE = Path(__file__).parent
TINY: dict[str, object] = {
    "game": "gomoku:size=5", "learner": "tiny_learner:TinyLearner", "generations": 4, "chunks": 3, "memory": 2000,
    "batch": 32, "passes": 2.0, "validation": 0.1, "games": 4,
}  # fmt: skip


@pytest.fixture(autouse=True)
def with_tiny_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every process find the tiny learner."""
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., RunFolder]:
    """A new run of the tiny learner; keywords replace its settings."""

    def make(name: str = "run", **settings: object) -> RunFolder:
        folder = RunFolder(tmp_path / name)
        folder.create(Recipe.of({**TINY, **settings}))
        return folder

    return make


@pytest.fixture
def train() -> Callable[..., list[dict[str, Any]]]:
    """Train a run in this process; returns its events."""

    def run(folder: RunFolder, *, workers: int = 1, **more: Any) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        report = more.pop("report", lambda event: events.append(dict(event)))
        gate = more.pop("gate", None)
        Run(folder, RunOptions(workers=workers, **{"minutes": None, **more}), report=report, gate=gate).train()
        return events

    return run


class Trainee:
    """A run in a process of its own that can be killed at any of its events."""

    def __init__(self, folder: RunFolder, *, workers: int = 1) -> None:
        command = [sys.executable, "-P", "-s", "-m", "agents.self_learning", "run", str(folder.path)]
        command.append("--given=tiny_learner:TinyLearner")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *filter(os.path.isabs, sys.path)])}
        self._process = subprocess.Popen(
            [*command, "--workers", str(workers)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment,
        )  # fmt: skip
        self.pid = self._process.pid

    def events(self) -> Iterator[dict[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def end(self) -> tuple[int, str]:
        """The exit code and what was printed to stderr."""
        _, errors = self._process.communicate()
        return self._process.returncode, errors


@pytest.fixture
def start() -> Iterator[Callable[..., Trainee]]:
    """Start a run in a process of its own."""
    started: list[Trainee] = []

    def begin(folder: RunFolder, *, workers: int = 1) -> Trainee:
        started.append(Trainee(folder, workers=workers))
        return started[-1]

    yield begin
    for trainee in started:
        trainee.kill()


@pytest.fixture(scope="session")
def outcome() -> Callable[[RunFolder], dict[str, Any]]:
    """Everything that must be the same to the bit: net, optimiser, memory, counts, weights of all generations."""

    def read(folder: RunFolder) -> dict[str, Any]:
        state = checkpoint.newest(folder.checkpoints)
        assert state is not None
        totals = {name: getattr(state.totals, name) for name in ("games", "positions", "nodes", "steps")}
        curve = [
            {key: row[key] for key in ("generation", "games", "rows", "losses", "validation", "rate")}
            for row in folder.notes.read("curve").values()
        ]
        return {
            "generation": state.generation,
            "arrays": {name: array.tobytes() for name, array in state.arrays.items()},
            "weights": [path.read_bytes() for path in sorted((folder.path / "weights").glob("*.bin"))],
            "memory": (state.memory, folder.memory.read_bytes()),
            "validation": (state.validation, folder.validation.read_bytes()),
            "totals": totals,
            "curve": curve,
            "examples": folder.notes.read("examples"),
        }

    return read
