"""The processes of a training run: `python -m agents.self_learning`, which speaks in lines of JSON."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from queue import SimpleQueue
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from arena.errors import BadSettings, TrainingFailed
from arena.process.spawn import python_path
from results.text import plain

__all__ = ["LearningProcess", "Line", "call"]

#: One line of the process; its key `event` says what it is about.
Line: TypeAlias = Mapping[str, Any]

_USAGE: Final = 2
_WORDS: Final = 1000


class LearningProcess:
    """One process of a run; a context manager. It never outlives this object or this process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        command, *rest = arguments
        words = [sys.executable, "-P", "-s", "-m", "agents.self_learning", command, *rest, "--parent", str(os.getpid())]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        fixed = {"PYTHONPATH": python_path(), "PYTHONHASHSEED": "0"}
        self._errors = TemporaryFile()  # noqa: SIM115 - closed with the process
        # In a session of its own: Ctrl-C is for us to handle.
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            env=os.environ | threads | fixed, start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid
        self._lines: SimpleQueue[Line | None] = SimpleQueue()
        # A thread, so that the process never waits until somebody reads what it says.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGKILL)  # everything that counts is on the disk
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()

    def lines(self) -> Iterator[Line]:
        """What the process says, until it ends; raises what it failed with."""
        while (line := self._lines.get()) is not None:
            yield line
        self._check(self._process.wait())

    def answer(self, value: Mapping[str, object]) -> None:
        """Answer a question of the process."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _check(self, code: int) -> None:
        if not code:
            return
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        why = plain(lines[-1], _WORDS) if lines else f"the training process ended with exit code {code}"
        if code == _USAGE:
            raise BadSettings(why)
        raise TrainingFailed(why if code > 0 else f"the training process was killed by signal {-code}")


def call(*arguments: str) -> Line:
    """Run a short command and return its last line."""
    with LearningProcess(arguments) as process:
        *_, last = process.lines()
        return last
