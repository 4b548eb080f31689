"""Worker processes: a killed one costs at most the task that it performs."""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadSettings, Void
from arena.execution import executor as executors
from arena.execution import worker
from arena.execution.executor import Executor, Lost, Ok, Setup, cores, open_executor
from arena.sandbox.launch import Rules
from games.base import load

Find = Callable[[int | Path], Sequence[int]]

#: A game that kills the worker that plays it, if it starts with a king in the corner.
DEADLY = """
import os, sys
from dataclasses import dataclass
from typing import ClassVar
from games.microchess import Microchess

@dataclass(frozen=True, kw_only=True)
class Deadly(Microchess):
    name: ClassVar[str] = "deadly_rules.deadly"

    def position(self, text):
        # Only in workers, not in the coordinator and not in players.
        if "arena.execution.executor" in sys.modules and "click" not in sys.modules and "k3" in text:
            os.kill(os.getpid(), 9)
        return super().position(text)

game = Deadly
"""


@pytest.fixture
def chores(faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The tasks, in a folder of their own. There are always two cores."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(faulty))
    two = (cores() * 2)[:2]
    monkeypatch.setattr(executors, "cores", lambda: two)
    return importlib.import_module("chores")


def opened(count: int = 1, *, rules: Rules | None = None) -> Executor:
    return open_executor(Setup(load("microchess"), rules), workers=count)


@pytest.fixture
def await_text(processes: Any) -> Callable[[Path], str]:
    """What is in a file, as soon as there is one."""

    def wait(path: Path) -> str:
        assert processes.until(lambda: path.exists() and path.read_text())
        return path.read_text()

    return wait


@pytest.fixture
def children(processes: Any) -> Callable[[], list[int]]:
    """Our workers. One that is exiting is not a leak; one that has just been forked has no command line yet."""

    def find() -> list[int]:
        found = [(child, child.command) for child in processes.children()]
        workers = [child for child, command in found if not command or "arena.execution.worker" in command]
        return [child.pid for child in workers if child.runs]

    return find


def kill(pid: int) -> None:
    """Kill a child and wait until it has ended, without reaping it."""
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def kinds(outcomes: Sequence[object]) -> list[str]:
    return [type(outcome).__name__ for outcome in outcomes]


@pytest.mark.parametrize(("chore", "words", "how"), [("Dies", (), "SIGKILL"), ("Exits", (3,), "exit 3")])
def test_a_worker_that_ends_during_its_task_is_replaced(
    chores: Any, chore: str, words: tuple[int, ...], how: str
) -> None:
    deadly = getattr(chores, chore)(*words)
    with opened() as executor:
        outcomes = list(executor.run(iter([chores.Adds(1), deadly, chores.Adds(2)])))
    assert kinds(outcomes) == ["Ok", "Lost", "Ok"]
    lost = outcomes[1]
    assert isinstance(lost, Lost)
    assert lost.task is deadly
    assert lost.reason == f"the worker process ended: {how}"


def test_any_number_of_workers_may_end_during_tasks(chores: Any) -> None:
    with opened(2) as executor:
        outcomes = list(executor.run(iter([chores.Dies()] * 8 + [chores.Adds(1)])))
    assert sorted(kinds(outcomes)) == ["Lost"] * 8 + ["Ok"]


def test_a_worker_killed_during_its_task_loses_only_this_task(
    chores: Any, tmp_path: Path, await_text: Callable[[Path], str]
) -> None:
    def tasks() -> Iterator[Any]:
        yield chores.Stays(tmp_path / "told", tmp_path / "never")
        kill(int(await_text(tmp_path / "told")))
        yield chores.Adds(1)
        yield chores.Adds(2)

    with opened(2) as executor:
        outcomes = list(executor.run(tasks()))
    assert sorted(kinds(outcomes)) == ["Lost", "Ok", "Ok"]


def test_an_idle_worker_that_is_killed_is_replaced_and_nothing_is_lost(
    chores: Any, tmp_path: Path, await_text: Callable[[Path], str], children: Callable[[], list[int]]
) -> None:
    outcomes: list[Any] = []
    killed: list[int] = []

    def tasks() -> Iterator[Any]:
        yield chores.Stays(tmp_path / "told", tmp_path / "go")
        # A second task is requested: so the other worker is ready and idle.
        busy = int(await_text(tmp_path / "told"))
        killed.extend(pid for pid in children() if pid != busy)
        kill(killed[0])
        (tmp_path / "go").touch()
        while not outcomes:
            yield None
        for _ in range(4):
            yield chores.Tells()

    with opened(2) as executor:
        for outcome in executor.run(tasks()):
            outcomes.append(outcome)
    assert kinds(outcomes) == ["Ok"] * 5
    assert len(killed) == 1
    assert killed[0] not in [outcome.result for outcome in outcomes]


def test_a_worker_killed_between_two_runs_costs_a_task_at_most(chores: Any) -> None:
    with opened() as executor:
        (told,) = executor.run(iter([chores.Tells()]))
        assert isinstance(told, Ok)
        kill(told.result)
        outcomes = list(executor.run(iter([chores.Adds(1), chores.Adds(2)])))
    assert kinds(outcomes) == ["Lost", "Ok"]


def test_a_worker_killed_while_it_boots_is_replaced_and_nothing_is_lost(
    chores: Any, caplog: pytest.LogCaptureFixture, children: Callable[[], list[int]]
) -> None:
    with opened() as executor:
        (pid,) = children()
        kill(pid)
        assert kinds(list(executor.run(iter([chores.Adds(1), chores.Adds(2)])))) == ["Ok", "Ok"]
    assert caplog.messages == ["a worker process ended: SIGKILL; another one takes its place"]


@pytest.mark.parametrize("count", [1, 2])
def test_three_workers_in_a_row_that_do_not_start_are_a_failure_of_ours(
    chores: Any, monkeypatch: pytest.MonkeyPatch, children: Callable[[], list[int]], count: int
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with opened(count) as executor, pytest.raises(Void, match="worker processes do not start: exit 1"):
        list(executor.run(iter([chores.Adds(1)])))
    assert children() == []


#: A program that says it is ready, as a worker does, when there is a file, and ends.
READY_AND_GONE = """#!{python}
import pathlib, pickle, socket, struct, sys, time

while not pathlib.Path({told!r}).exists():
    time.sleep(0.005)
ready = pickle.dumps("ready")
socket.socket(fileno=int(sys.argv[-2])).sendall(struct.pack("!I", len(ready)) + ready)
"""


def test_workers_that_end_idle_again_and_again_while_another_one_plays_are_a_failure_of_ours(
    chores: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, told = tmp_path / "program", tmp_path / "told"
    program.write_text(READY_AND_GONE.format(python=sys.executable, told=str(told)))
    program.chmod(0o755)

    def tasks() -> Iterator[Any]:
        yield chores.Stays(told, tmp_path / "never")
        while True:
            yield None  # nothing to do before the first task has ended

    with opened(1) as executor:
        monkeypatch.setattr(sys, "executable", str(program))
        monkeypatch.setattr(executor, "_workers", [*executor._workers, executors._Worker(0, executor._setup)])
        with pytest.raises(Void, match="worker processes do not start: exit 0"):
            list(executor.run(tasks()))


def test_failed_starts_are_forgotten_when_a_worker_starts(chores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = iter(["/bin/false", "/bin/false", sys.executable] * 3)
    start = worker.start

    def flaky_start(core: int) -> object:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", next(starts))
            return start(core)

    monkeypatch.setattr(worker, "start", flaky_start)
    with opened() as executor:
        assert kinds(list(executor.run(iter([chores.Dies(), chores.Dies(), chores.Adds(1)])))) == ["Lost", "Lost", "Ok"]
    assert next(starts, None) is None


@pytest.mark.parametrize("rules", [None, Rules()])
def test_no_process_is_left_behind(
    chores: Any, tmp_path: Path, processes_of: Find, is_gone: Callable[[Path], bool],
    children: Callable[[], list[int]], rules: Rules | None,
) -> None:  # fmt: skip
    with opened(2, rules=rules) as executor:
        list(executor.run(iter([chores.Adds(1), chores.Dies(), chores.Adds(2)])))
        assert processes_of(tmp_path)
    assert children() == []
    assert is_gone(tmp_path)


def test_no_process_is_left_behind_after_an_interrupted_run(
    chores: Any, tmp_path: Path, is_gone: Callable[[Path], bool],
    await_text: Callable[[Path], str], children: Callable[[], list[int]],
) -> None:  # fmt: skip
    def leave() -> None:
        with opened(2, rules=Rules()) as executor:
            for _ in executor.run(iter([chores.Adds(1), chores.Stays(tmp_path / "told", tmp_path / "never")])):
                await_text(tmp_path / "told")
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    assert children() == []
    assert is_gone(tmp_path)


def test_unused_workers_end_too(
    chores: Any, tmp_path: Path, is_gone: Callable[[Path], bool], children: Callable[[], list[int]]
) -> None:
    with opened(2):
        pass
    assert children() == []
    assert is_gone(tmp_path)


def test_more_workers_than_cores_are_refused() -> None:
    few = len(cores())
    with pytest.raises(BadSettings, match=f"{few + 1} workers on {few} cores would take time from players; use fewer"):
        opened(few + 1)


def test_more_workers_than_cores_are_refused_in_one_line(arena: Any, is_gone: Callable[[Path], bool]) -> None:
    ran = arena("league", "random", "first_move", "--workers", "1000")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"arena: 1000 workers on {len(cores())} cores would take time from players; use fewer\n"
    assert is_gone(arena.folder)


def test_a_pairing_that_kills_three_workers_is_suspended_and_the_others_are_played(
    arena: Any, monkeypatch: pytest.MonkeyPatch, is_gone: Callable[[Path], bool]
) -> None:
    package = arena.folder / "deadly_rules"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "deadly.py").write_text(DEADLY)
    (arena.folder / "openings").write_text("k3/4/4/1R2/3K w - - 0 1\n1k2/4/4/R3/3K w - - 0 1\n")
    monkeypatch.setenv("PYTHONPATH", str(arena.folder))
    words = ("league", "first_move", "random", "--game", "deadly_rules.deadly", "--openings", "openings")
    ran = arena(*words, "--rounds", "3", "--turns", "4", "--name", "cup", "--workers", "1")
    assert ran.code == 1
    assert "cup: 2 of 6 games" in ran.out
    assert ran.err.count("void: ") == 4 * 3
    assert "we failed to play first_move against random; " in ran.err
    assert "Traceback" not in ran.err
    assert is_gone(arena.folder)


def test_all_that_belongs_to_a_game_stays_on_the_core_of_its_worker(arena: Any, processes: Any) -> None:
    words = ("league", "random", "first_move", "--rounds", "2000", "--name", "cup", "--json")
    process = arena.start(*words, stdout=subprocess.DEVNULL)
    # A worker goes to its core before it starts a zygote: with a zygote for each, all have gone there.
    assert processes.until(lambda: len(processes.zygotes(arena.folder)) >= len(cores()))
    allowed: dict[int, set[int]] = {}

    def look() -> bool:
        for found in processes.of_games(arena.folder):
            with suppress(ProcessLookupError):  # its game is over
                allowed[found.pid] = os.sched_getaffinity(found.pid)
        return len(processes.confined(arena.folder)) > 0 and len(allowed) >= 2 * len(cores()) + 2

    assert processes.until(look)  # workers, their zygotes, and at least two players
    process.kill()
    process.communicate()
    assert {len(cores_of_one) for cores_of_one in allowed.values()} == {1}
    assert set.union(*allowed.values()) == set(cores())
