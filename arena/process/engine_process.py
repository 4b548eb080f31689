"""Lines to and from a native program in its lock-down."""

import contextlib
import os
import select
import socket
import time
from collections.abc import Callable
from typing import Final

from agents.seat import Ended, Fault, Late
from arena.process.child_process import ChildProcess
from arena.process.spawned_process import SpawnedProcess

__all__ = ["EngineProcess"]

_LINE_BYTES: Final = 64 * 1024


class EngineProcess(ChildProcess):
    """A `Channel` to a program that `Zygote.start_program` started; a call of its that breaks a rule is a `Fault`."""

    def __init__(self, body: SpawnedProcess, *, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(body, now=now)
        self._weight = 0  # its exec gave back what it had from the zygote
        self._buffer = b""

    def send(self, line: str) -> None:
        """Send one line; raises `Ended` when the program is gone, `Fault` when it does not read."""
        data, inlet = memoryview(f"{line}\n".encode()), self._body.inlet
        assert inlet is not None
        try:
            while data:
                data = data[inlet.send(data, socket.MSG_DONTWAIT) :]
        except BlockingIOError as error:
            raise Fault("protocol", "does not read what it is sent") from error
        except OSError as error:
            raise Ended("the program is gone") from error

    def receive(self, deadline: float) -> str:
        """The next line; raises `Late` at the deadline, `Ended` when the program is gone."""
        if self._now() >= deadline:  # also when it never pauses
            raise Late("no line in time")
        while b"\n" not in self._buffer:
            _check(self._buffer)
            if not self._is_heard(deadline):
                raise Late("no line in time")
            self._read()
        self._weigh_now_and_then()
        line, _, self._buffer = self._buffer.partition(b"\n")
        _check(line)
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def close(self, *, patience: float = 0.0) -> None:
        """End the program, which may do so itself within these seconds; never raises and leaves no process."""
        if patience and self._status is None:
            with contextlib.suppress(OSError):
                handle = os.pidfd_open(self.pid)
                select.select([handle], [], [], patience)
                os.close(handle)
        self.end()

    def _read(self) -> None:
        try:
            chunk = self._body.wire.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError as error:
            raise Ended("the program is gone") from error
        if not chunk:
            raise Ended("the program is gone")
        self._buffer += chunk


def _check(line: bytes) -> None:
    if len(line) > _LINE_BYTES:
        raise Fault("protocol", f"sent a line of more than {_LINE_BYTES} bytes")
