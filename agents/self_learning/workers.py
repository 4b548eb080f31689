"""Worker processes of self-play: one thread each, fed with tasks through pipes, dead when their parent is dead."""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from agents.self_learning.chunks import Task, play_task
from agents.self_learning.errors import TrainingError

__all__ = ["WorkerPool", "child_environment", "die_with", "serve"]

#: How often a task is tried before the run stops.
_ATTEMPTS: Final = 3
_PR_SET_PDEATHSIG: Final = 1
_LOG_TAIL: Final = 4096


def child_environment() -> dict[str, str]:
    """The environment of a child process: one thread everywhere, the same modules, the same order of sets."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    folders = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    return os.environ | threads | {"PYTHONPATH": folders, "PYTHONHASHSEED": "0"}


def die_with(parent: int) -> None:
    """Let the Linux kernel kill this process when its parent ends, however that happens."""
    with contextlib.suppress(AttributeError, OSError):  # other systems: the end of stdin ends a worker too
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)


def serve() -> None:
    """The loop of a worker: a task a line on stdin, its key on stdout when it is stored."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    waiting = time.monotonic()
    for line in sys.stdin:
        task = Task.from_json(line)
        play_task(task, waited=time.monotonic() - waiting)
        waiting = time.monotonic()
        sys.stdout.write(f"{task.key}\n")
        sys.stdout.flush()


class _Worker:
    """One worker process and the task it has."""

    def __init__(self, log: Path) -> None:
        command = [sys.executable, "-P", "-s", "-m", "agents.self_learning", "self-play", "--parent", str(os.getpid())]
        with log.open("ab") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=child_environment()
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self.output = self._process.stdin, self._process.stdout
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        """Start a task. A worker that has died shows it at its output."""
        self.task = task
        with contextlib.suppress(BrokenPipeError):
            self._input.write(f"{task.as_json()}\n".encode())
            self._input.flush()

    def is_done(self) -> bool:
        """Whether the task was stored; False if the worker has died. Only called when its output can be read."""
        return bool(os.read(self.output.fileno(), 4096))

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(BrokenPipeError):
            self._input.close()
        self.output.close()


class WorkerPool:
    """Plays tasks on several processes; a context manager. What was played is in the files of the tasks."""

    def __init__(self, number: int, *, log: Path) -> None:
        self._log = log
        self._waiting: deque[Task] = deque()
        self._failures: Counter[str] = Counter()
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._number = number

    def __enter__(self) -> Self:
        for _ in range(self._number):
            self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers.clear()
        self._selector.close()

    def submit(self, tasks: Iterable[Task]) -> None:
        """Play these tasks after those submitted before."""
        self._waiting.extend(tasks)
        self._give()

    def pump(self, seconds: float = 0.0) -> None:
        """Wait at most so long until a task is done, and start the next ones."""
        for key, _ in self._selector.select(seconds):
            worker: _Worker = key.data
            if worker.is_done():
                worker.task = None
            else:
                self._replace(worker)
        self._give()

    def _give(self) -> None:
        for worker in self._workers:
            if worker.task is None and self._waiting:
                worker.give(self._waiting.popleft())

    def _start(self) -> None:
        worker = _Worker(self._log)
        self._workers.append(worker)
        self._selector.register(worker.output, selectors.EVENT_READ, worker)

    def _replace(self, worker: _Worker) -> None:
        """Start another worker for one that has died; its task is played again."""
        self._selector.unregister(worker.output)
        self._workers.remove(worker)
        worker.kill()
        if (task := worker.task) is not None:
            self._failures[task.key] += 1
            if self._failures[task.key] >= _ATTEMPTS:
                raise TrainingError(
                    f"chunk {task.number} of generation {task.generation} failed {_ATTEMPTS} times: "
                    f"{self._last_words()} (more in {self._log})"
                )
            self._waiting.appendleft(task)
        self._start()

    def _last_words(self) -> str:
        lines = self._log.read_bytes()[-_LOG_TAIL:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "the worker died without a word"
