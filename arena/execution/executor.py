"""Executors: how they are opened, the tasks that they perform, and the outcomes of tasks.

`open_executor` is the only place that chooses between them: tasks are performed in this process, or on local worker
processes, one to a core.
"""

import contextlib
import logging
import os
import select
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeAlias, TypeVar

from arena.errors import BadSettings, OutputError, Starved, Void
from arena.execution import worker as worker_process
from arena.execution.worker import READY, receive, send
from arena.process.spawned_process import Interrupt
from arena.referee.players import PlayerFactory, ProcessPlayers, Setup
from arena.sandbox.level import Level, require
from results.text import counted

__all__ = [
    "Executor",
    "Failed",
    "LocalWorkers",
    "Lost",
    "Ok",
    "Outcome",
    "Setup",
    "Task",
    "attempt",
    "check_count",
    "cores",
    "open_executor",
]

_log = logging.getLogger(__name__)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: After so many workers in a row that end without a task, we give up.
_MOST_FAILED_STARTS: Final = 3


class Task(Protocol[T_co]):
    """Something to do with players. It can be pickled, and it carries no path that matters on another machine."""

    def perform(self, players: ProcessPlayers) -> T_co:
        """Do it; every exception is a failure of ours."""
        ...


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """The task was performed."""

    task: Task[T]
    result: T


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """We failed: the reason in one line, and the traceback. `starved`: only because the machine withheld the CPU."""

    task: Task[T]
    reason: str
    detail: str
    starved: bool = False


@dataclass(frozen=True, slots=True)
class Lost(Generic[T]):
    """The process that performed the task ended."""

    task: Task[T]
    reason: str


Outcome: TypeAlias = Ok[T] | Failed[T] | Lost[T]


class Executor(Protocol):
    """Performs tasks, several at a time if it can. A context manager: leaving it ends every process."""

    @property
    def level(self) -> Level:
        """How well players are confined."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """Yield one outcome for each task, in the order in which they end.

        Tasks are taken one by one when there is room for them. None instead of a task means: there is no task before
        another outcome is known. An executor can run several times.
        """
        ...


def attempt(task: Task[T], players: ProcessPlayers) -> Ok[T] | Failed[T]:
    """Perform a task. An exception is a failure of ours; another attempt may succeed."""
    try:
        return Ok(task, task.perform(players))
    except OutputError:
        raise  # our output cannot be written: another attempt would not help
    except Exception as error:  # noqa: BLE001 - the border between our failures and a player's
        return Failed(task, str(error), traceback.format_exc(), isinstance(error, Starved))


def open_executor(
    setup: Setup, *, workers: int | None, players: Callable[[PlayerFactory], PlayerFactory] | None = None,
    interrupt: Interrupt | None = None,
) -> Executor:  # fmt: skip
    """An executor with this many local worker processes; with None, one that performs tasks in this process.

    `players` wraps the factory of players, so that it can make some of them itself, and `interrupt` may end the wait
    for a player; both only without workers.
    """
    if workers is None:
        return _InlineExecutor(ProcessPlayers(setup, wrap=players, interrupt=interrupt))
    if players is not None or interrupt is not None:
        raise ValueError("players that are made in this process cannot play on workers")
    return LocalWorkers(setup, workers=workers)


class _InlineExecutor:
    """Performs one task after the other in this process."""

    def __init__(self, players: ProcessPlayers) -> None:
        self._players = players

    @property
    def level(self) -> Level:
        return self._players.level

    def __enter__(self) -> Self:
        self._players.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._players.__exit__(kind, error, trace)

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        for task in tasks:
            if task is not None:
                yield attempt(task, self._players)


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


def check_count(workers: int) -> None:
    """Raise `BadSettings` if there are more workers than cores."""
    if workers > len(cores()):
        raise BadSettings(
            f"{workers} workers on {counted(len(cores()), 'core')} would take time from players; use fewer"
        )


class LocalWorkers:
    """An executor on worker processes; a worker that ends is replaced.

    A worker gets its next task before the outcome of its last one is yielded, so that it need not wait until that is
    stored.
    """

    def __init__(self, setup: Setup, *, workers: int) -> None:
        """Start the workers; they are ready when they are first used."""
        check_count(workers)
        self.level: Level = "none" if setup.rules is None else require()
        self._setup = setup
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        for core in cores()[:workers]:
            self._workers.append(_Worker(core, setup))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        for worker in self._workers:
            worker.end()

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """Yield one outcome for each task, in the order in which they end."""
        while self._feed(tasks) or any(worker.task is not None for worker in self._workers):
            for index in self._readable():
                outcome = self._outcome(index)
                self._feed(tasks)
                if outcome is not None:
                    yield outcome

    def _feed(self, tasks: Iterator[Task[T] | None]) -> bool:
        """Give a task to every idle worker; returns whether there may be more tasks."""
        for worker in self._workers:
            if worker.is_ready and worker.task is None:
                task = next(tasks, None)
                if task is None:
                    return False
                worker.give(task)
        return True

    def _readable(self) -> list[int]:
        """The workers that have sent something, or have ended."""
        poll = select.poll()
        by_descriptor = {worker.fileno(): index for index, worker in enumerate(self._workers)}
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        return [by_descriptor[descriptor] for descriptor, _ in poll.poll()]

    def _outcome(self, index: int) -> Outcome[Any] | None:
        """The outcome of this worker's task; None if the worker has just become ready, or had no task."""
        worker = self._workers[index]
        try:
            message = worker.receive()
        except (EOFError, OSError):
            return self._replace(index)
        if message == READY:
            return None
        self._failed_starts = 0
        assert isinstance(message, Ok | Failed)
        assert worker.task is not None
        task, worker.task = worker.task, None
        return replace(message, task=task)

    def _replace(self, index: int) -> Lost[Any] | None:
        worker = self._workers[index]
        how = worker.end(patience=1.0)  # it has closed its socket: wait to see how it ends
        _log.warning("a worker process ended: %s; another one takes its place", how)
        # One that has become ready and ends before its first task has not started either.
        self._failed_starts = self._failed_starts + 1 if worker.task is None else 0
        if self._failed_starts >= _MOST_FAILED_STARTS:
            raise Void(f"worker processes do not start: {how}")
        self._workers[index] = _Worker(worker.core, self._setup)
        return None if worker.task is None else Lost(worker.task, f"the worker process ended: {how}")


class _Worker:
    """The coordinator's end of one worker process."""

    def __init__(self, core: int, setup: Setup) -> None:
        self.core = core
        self.task: Task[Any] | None = None
        self.is_ready = False
        self._pid, self._socket = worker_process.start(core)
        self._send(setup)

    def fileno(self) -> int:
        return self._socket.fileno()

    def give(self, task: Task[Any]) -> None:
        self.task = task
        self._send(task)

    def receive(self) -> object:
        message = receive(self._socket)
        self.is_ready = True
        return message

    def end(self, *, patience: float = 0.0) -> str:
        """Kill it, and with it its players, unless it ends by itself within these seconds; returns how it ended."""
        if not self._pid:
            return ""
        self._socket.close()
        descriptor = os.pidfd_open(self._pid)
        select.select([descriptor], [], [], patience)
        os.close(descriptor)
        os.kill(self._pid, signal.SIGKILL)
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        code = os.waitstatus_to_exitcode(status)
        return signal.Signals(-code).name if code < 0 else f"exit {code}"

    def _send(self, message: object) -> None:
        with contextlib.suppress(OSError):  # a worker that has ended is noticed when its answer is received
            send(self._socket, message)
