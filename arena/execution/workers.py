"""Local execution: tasks on worker processes, one to a core."""

import contextlib
import logging
import os
import select
import signal
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from arena.errors import BadSettings, Void
from arena.execution import spawn
from arena.execution.executor import Failed, Lost, Ok, Outcome, Task
from arena.execution.link import READY, Setup, receive, send
from arena.sandbox.launch import Rules
from arena.sandbox.level import Level, require
from games.base import Game

__all__ = ["Workers", "check_count", "cores"]

_log = logging.getLogger(__name__)

T = TypeVar("T")

#: So many workers in a row that die before they are ready: there is no use in trying on.
_MOST_STILLBORN: Final = 3


def cores() -> list[int]:
    """The cores that we may use."""
    return sorted(os.sched_getaffinity(0))


def check_count(workers: int) -> None:
    """`BadSettings` for more workers than cores."""
    if workers > len(cores()):
        raise BadSettings(f"{workers} workers on {len(cores())} cores would take time from players; use fewer")


class Workers:
    """Performs tasks on worker processes; one that dies is replaced. A context manager.

    A task is handed out before the outcome of the last one is, so that a worker need not wait until it is stored.
    """

    def __init__(self, game: Game, rules: Rules | None, *, needs: tuple[str, ...] = (), workers: int) -> None:
        """Workers start at once and are ready when they are first used."""
        check_count(workers)
        self.level: Level = "none" if rules is None else require()
        self._setup = Setup(game, rules, needs)
        self._workers: list[_Worker] = []
        self._stillborn = 0
        for core in cores()[:workers]:
            self._workers.append(_Worker(core, self._setup))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """One outcome for each task, in the order in which they end."""
        while self._feed(tasks) or any(worker.task is not None for worker in self._workers):
            for index in self._heard():
                outcome = self._outcome(index)
                self._feed(tasks)
                if outcome is not None:
                    yield outcome

    def _feed(self, tasks: Iterator[Task[T] | None]) -> bool:
        """Give a task to everybody who is ready for one; whether there may be more."""
        for worker in self._workers:
            if worker.is_ready and worker.task is None:
                task = next(tasks, None)
                if task is None:
                    return False
                worker.give(task)
        return True

    def _heard(self) -> list[int]:
        """The workers that have something to send, or are gone."""
        poll = select.poll()
        by_descriptor = {worker.fileno(): index for index, worker in enumerate(self._workers)}
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        return [by_descriptor[descriptor] for descriptor, _ in poll.poll()]

    def _outcome(self, index: int) -> Outcome[Any] | None:
        """What became of this worker's task; None if it has only become ready, or had none."""
        worker = self._workers[index]
        try:
            said = worker.receive()
        except (EOFError, OSError):
            return self._replace(index)
        if said == READY:
            self._stillborn = 0
            return None
        assert isinstance(said, Ok | Failed)
        assert worker.task is not None
        task, worker.task = worker.task, None
        return replace(said, task=task)

    def _replace(self, index: int) -> Lost[Any] | None:
        worker = self._workers[index]
        how = worker.end(patience=1.0)  # it has hung up: how it ends is worth knowing
        _log.warning("a worker process ended: %s; another one takes its place", how)
        if not worker.is_ready:
            self._stillborn += 1
            if self._stillborn >= _MOST_STILLBORN:
                raise Void(f"worker processes do not start: {how}")
        self._workers[index] = _Worker(worker.core, self._setup)
        return None if worker.task is None else Lost(worker.task, f"the worker process ended: {how}")


class _Worker:
    """Our end of a worker."""

    def __init__(self, core: int, setup: Setup) -> None:
        self.core = core
        self.task: Task[Any] | None = None
        self.is_ready = False
        self._pid, self._socket = spawn.worker(core)
        self.give(setup)

    def fileno(self) -> int:
        return self._socket.fileno()

    def give(self, what: Setup | Task[Any]) -> None:
        if not isinstance(what, Setup):
            self.task = what
        with contextlib.suppress(OSError):  # it is gone: that is noticed when it is listened to
            send(self._socket, what)

    def receive(self) -> object:
        said = receive(self._socket)
        self.is_ready = True
        return said

    def end(self, *, patience: float = 0.0) -> str:
        """Kill it, and with it its players, unless it ends by itself within these seconds; says how it ended."""
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
