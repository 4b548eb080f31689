"""What tests of several packages share: a view of processes, random games, and settings that do not depend on speed."""

import importlib.util
import os
import random
import runpy
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from games.base import Game, State

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Seconds after which a test that waits has failed: only a guard against waiting for ever, on the busiest machine.
GUARD_SECONDS = 300.0
PAUSE_SECONDS = 0.002
PF_EXITING = 4  # a flag of the Linux kernel in /proc/PID/stat
TICKS = os.sysconf("SC_CLK_TCK")

if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    # An example that takes long on a busy machine is not a failure.
    settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any-machine")


def pytest_configure() -> None:
    """Let commands be interrupted: a shell starts what runs in the background with Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def faulty() -> Path:
    """The folder of agents that misbehave."""
    return Path(__file__).parent / "faulty"


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One browser for all tests: playwright starts only once in a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield launched
        launched.close()


@dataclass(frozen=True)
class Process:
    """A process as it is when it is asked. One that has ended, or that is hidden from us, has empty answers."""

    pid: int

    def _read(self, name: str) -> str:
        try:
            return Path(f"/proc/{self.pid}/{name}").read_text(errors="replace")
        except OSError:
            return ""

    def _link(self, name: str) -> Path | None:
        try:
            return Path(f"/proc/{self.pid}/{name}").readlink()
        except OSError:
            return None

    def _stat(self, field: int) -> str:
        """A field of /proc/PID/stat, counted as `man proc` does; the name before it may hold anything."""
        fields = self._read("stat").rpartition(")")[2].split()
        return fields[field - 3] if fields else ""

    @property
    def is_ours(self) -> bool:
        """Whether it is a child of ours that runs, or has ended and we have not waited for it. PIDs are reused."""
        return self.parent == os.getpid()

    @property
    def runs(self) -> bool:
        """Whether it has not ended and does not end now; a stopped process runs."""
        return self.state not in ("", "Z", "X") and not int(self._stat(9) or 0) & PF_EXITING

    @property
    def state(self) -> str:
        """The letter of the Linux kernel: R, S, D, T (stopped), Z (ended); empty if the process is gone."""
        return self._stat(3)

    @property
    def parent(self) -> int:
        return int(self._stat(4) or 0)

    @property
    def leads_its_session(self) -> bool:
        return self._stat(6) == str(self.pid)

    @property
    def began(self) -> float:
        """Seconds after the machine was started, rounded up; 0 if the process is gone."""
        return (int(self._stat(22) or -1) + 1) / TICKS

    @property
    def cpu_seconds(self) -> float:
        return (int(self._stat(14) or 0) + int(self._stat(15) or 0)) / TICKS

    @property
    def command(self) -> list[str]:
        """Its command line. A process that has just been forked has none yet."""
        return self._read("cmdline").split("\0")[:-1]

    @property
    def folder(self) -> Path | None:
        return self._link("cwd")

    @property
    def program(self) -> str:
        """The file name of what it executes."""
        path = self._link("exe")
        return path.name if path is not None else ""

    @property
    def status(self) -> dict[str, str]:
        return dict(line.split(":\t", 1) for line in self._read("status").splitlines() if ":\t" in line)

    @property
    def is_confined(self) -> bool:
        """Whether it has more seccomp filters than we have: a container gives every process some."""
        own = int(Process(os.getpid()).status.get("Seccomp_filters", "0"))
        return int(self.status.get("Seccomp_filters", "0")) > own


class Processes:
    """The processes of this machine. Other tests and other users have processes too: name yours."""

    #: The modules that carry out games.
    GAME_MODULES = frozenset({"agents.child", "arena.sandbox.zygote", "arena.execution.worker"})

    def __call__(self, pid: int) -> Process:
        return Process(pid)

    def all(self) -> Iterator[Process]:
        """All that run, or have ended and nobody has waited for them."""
        return (Process(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())

    def within(self, folder: Path) -> list[Process]:
        """Those that run and whose working directory this is."""
        # Tests look again and again: most processes are elsewhere, and are asked for one thing only.
        return [process for process in self.all() if process.folder == folder and process.runs]

    def children(self, parent: int | None = None) -> list[Process]:
        """The running children of a process, ours by default."""
        found = []
        try:
            for task in Path(f"/proc/{parent or os.getpid()}/task").iterdir():
                found += [Process(int(pid)) for pid in (task / "children").read_text().split()]
        except OSError:  # the parent or a thread of it has ended
            pass
        return [process for process in found if process.runs]

    def of_games(self, owner: int | Path) -> list[Process]:
        """Those that carry out games of the referee with this pid, or in this folder, stopped ones too."""
        found = self.within(owner) if isinstance(owner, Path) else self.all()
        return [process for process in found if self._belongs(process, owner)]

    def _belongs(self, process: Process, owner: int | Path) -> bool:
        command = set(process.command)
        return bool(self.GAME_MODULES & command) and (isinstance(owner, Path) or str(owner) in command) and process.runs

    def zygotes(self, owner: int | Path) -> list[Process]:
        """The zygotes among them; players are forked from a zygote and have its command line."""
        return [
            process for process in self.of_games(owner)
            if "arena.sandbox.zygote" in process.command and process.leads_its_session and not process.is_confined
        ]  # fmt: skip

    def confined(self, owner: int | Path) -> list[Process]:
        """The players among them that have locked themselves down."""
        return [process for process in self.of_games(owner) if process.is_confined]

    def until(self, condition: Callable[[], object], *, seconds: float = GUARD_SECONDS) -> bool:
        """Wait until something holds; False if it does not within the guard against waiting for ever."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)
        return True


@pytest.fixture(scope="session")
def processes() -> Processes:
    """A look at processes."""
    return Processes()


@pytest.fixture
def interrupted() -> Callable[[Callable[[], object]], None]:
    """Call something that a signal interrupts after 50 ms: it must raise KeyboardInterrupt."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def with_alarm(call: Callable[[], object]) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # on a busy machine it may ring before the call
        call()

    def run(call: Callable[[], object]) -> None:
        before = signal.signal(signal.SIGALRM, stop)
        try:
            with pytest.raises(KeyboardInterrupt):
                with_alarm(call)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return run


@pytest.fixture(scope="session")
def othello_study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The native module of an earlier study of Othello, which no shipped module needs."""
    build = runpy.run_path(str(Path(__file__).parent / "games" / "native" / "build.py"))["build"]
    return build("othello_study", tmp_path_factory.mktemp("native"))


@pytest.fixture(scope="session")
def walk() -> Callable[[Game, int], Iterator[State]]:
    """All states of a random game; the seed decides the moves."""

    def states(game: Game, seed: int) -> Iterator[State]:
        rng = random.Random(seed)
        state = game.start(seed)
        yield state
        while moves := list(state.legal_moves):
            state = state.forward(rng.choice(moves))
            yield state

    return states
