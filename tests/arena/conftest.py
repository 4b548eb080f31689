"""Games played for real, in the fewest words."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Player
from arena.entrants.entrant import resolve
from arena.execution.executor import Lost, Ok, Outcome
from arena.process.charge import Charge
from arena.referee.clock import Clock
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.referee.task import GameTask
from arena.sandbox.launch import Rules
from games.base import Game, load
from results.record import EntrantRecord, FaultRecord, GameRecord
from results.store.store import Store


def make_job(game: Game, **changes: Any) -> Job:
    settings: dict[str, Any] = {
        "league": "test", "key": "1:1-2", "game": game,
        "first": EntrantRecord("one", "one", "", "h1", {}), "second": EntrantRecord("two", "two", "", "h2", {}),
        "seconds": 10.0, "start": game.start().text, "opening": (), "seed": 1, "seed_first": 2, "seed_second": 3,
    }  # fmt: skip
    return Job(**settings | changes)


@pytest.fixture
def job() -> Callable[..., Job]:
    """A job on microchess, or on another game, with some of its settings changed."""

    def make(game: str = "microchess", **changes: Any) -> Job:
        return make_job(load(game), **changes)

    return make


@pytest.fixture
def contest(job: Callable[..., Job], tmp_path: Path) -> Callable[..., GameRecord]:
    """Play two agents, named as on the command line, in real processes (or two players) against each other.

    They are confined if there are rules, else trusted.
    """

    def run(
        first: str | Player, second: str | Player, *,
        rules: Rules | None = None, startup: float = 30.0, charge: Charge = "wall", needs: tuple[str, ...] = (),
        **changes: Any,
    ) -> GameRecord:  # fmt: skip
        made = job(**changes)
        clock = Clock(made.seconds, charge=charge)

        def seat(who: str | Player) -> Player:
            if isinstance(who, str):
                entrant = resolve(who, home=tmp_path / "home")
                return players.program(entrant, charge=charge, startup=startup)
            return who

        with ProcessPlayers(Setup(made.game, rules, needs, tmp_path / "home")) as players:
            return play(made, {"first": seat(first), "second": seat(second)}, clock, sandbox=players.level)

    return run


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """Every line of its output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Shell:
    """`arena` as a person runs it: a real process in a folder of its own."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """A shell's, with submissions kept apart."""
        return os.environ | {"ARENA_HOME": str(self.folder / "home"), "COLUMNS": "160"}

    def start(self, *words: str, **how: Any) -> subprocess.Popen[str]:
        """Run a command in the background."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "arena", *words], cwd=self.folder, env=self.environment, text=True,
            stdin=how.pop("stdin", subprocess.DEVNULL), stdout=how.pop("stdout", subprocess.PIPE),
            stderr=how.pop("stderr", subprocess.PIPE), **how,
        )  # fmt: skip

    def __call__(self, *words: str, typed: str | None = None) -> Ran:
        """Run a command to its end."""
        stdin = subprocess.PIPE if typed is not None else subprocess.DEVNULL
        process = self.start(*words, stdin=stdin)
        out, err = process.communicate(typed, timeout=1800)
        return Ran(process.returncode, out, err)


@pytest.fixture
def arena(tmp_path: Path) -> Shell:
    """The command line, in an empty folder."""
    return Shell(tmp_path)


@pytest.fixture
def processes_of() -> Callable[[int | Path], Sequence[int]]:
    """Which processes carry out games of the referee with this pid, or in this folder, alive or stopped."""

    def find(owner: int | Path) -> Sequence[int]:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    folder = (entry / "cwd").readlink() if isinstance(owner, Path) else None
                    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                is_one = {b"agents.child", b"arena.sandbox.zygote", b"arena.execution.worker"} & set(words)
                if is_one and state != "Z" and (folder == owner or str(owner).encode() in words):
                    found.append(int(entry.name))
        return found

    return find


@pytest.fixture
def is_gone(processes_of: Callable[[Path], Sequence[int]]) -> Callable[[Path], bool]:
    """Whether the workers, zygotes and players in a folder are gone, or will be in a moment."""

    def wait(folder: Path) -> bool:
        deadline = time.monotonic() + 20
        while processes_of(folder):
            if time.monotonic() > deadline:
                return False
            os.sched_yield()
        return True

    return wait


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new results file."""
    with Store.open(tmp_path / "arena.db", create=True) as opened:
        yield opened


@dataclass
class Imagined:
    """An executor without processes: games have the results it is told, and end in an order of its dice.

    `verdict` says of first and second how their game ends: a result, who faults ("first" or "second"), or "lost".
    `meanwhile` is called with the number of ended games before each further one ends; `taken` are the keys of all
    games that it was given.
    """

    verdict: Callable[[str, str], str]
    hands: int = 1
    seed: int = 0
    meanwhile: Callable[[int], None] = lambda _: None
    taken: list[str] = field(default_factory=list)

    def run(self, tasks: Iterator[Any]) -> Iterator[Outcome[GameRecord]]:
        """One outcome for each task; a task is taken before the last outcome is given, as workers do."""
        rng, held = random.Random(self.seed), self._fill([], tasks)
        ended = 0
        while held:
            self.meanwhile(ended)
            task = held.pop(rng.randrange(len(held)))
            held = self._fill(held, tasks)
            yield self._outcome(task)
            ended += 1
            held = self._fill(held, tasks)

    def _fill(self, held: list[GameTask], tasks: Iterator[GameTask | None]) -> list[GameTask]:
        while len(held) < self.hands and (task := next(tasks, None)) is not None:
            self.taken.append(task.job.key)
            held.append(task)
        return held

    def _outcome(self, task: GameTask) -> Outcome[GameRecord]:
        said = self.verdict(task.first.name, task.second.name)
        if said == "lost":
            return Lost(task, "imagined")
        played = play(
            task.prepared(), {"first": ScriptedPlayer(), "second": ScriptedPlayer()}, Clock(1.0, charge="wall")
        )
        if said in ("first", "second"):
            fault = FaultRecord(said, "exit", "imagined", {})
            return Ok(task, replace(played, result="0-1" if said == "first" else "1-0", reason="fault", fault=fault))
        return Ok(task, replace(played, result=said))


@pytest.fixture
def imagine() -> type[Imagined]:
    """Leagues without processes."""
    return Imagined
