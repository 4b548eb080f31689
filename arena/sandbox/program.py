"""Lines to and from a native program in its lock-down."""

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import Final

from agents.seat import Ended, Fault, Late
from arena.body import Body

__all__ = ["Program"]

_LINE_BYTES: Final = 64 * 1024
_ERROR_BYTES: Final = 8 * 1024


class Program:
    """A `Channel` to a program that `Zygote.start_program` started; a call of its that breaks a rule is a `Fault`."""

    def __init__(self, body: Body, *, now: Callable[[], float] = time.monotonic) -> None:
        self._body = body
        self._now = now
        self._buffer = b""
        self._errors = b""
        self._is_closed = False
        self._poll = select.poll()
        descriptors = [body.wire.fileno(), body.output, *([body.watcher.fileno()] if body.watcher else [])]
        for descriptor in descriptors:
            self._poll.register(descriptor, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._body.pid

    def send(self, line: str) -> None:
        """Send one line; raises `Ended` when the program is gone."""
        try:
            self._body.wire.sendall(f"{line}\n".encode())
        except OSError as error:
            raise Ended("the program is gone") from error

    def receive(self, deadline: float) -> str:
        """The next line; raises `Late` at the deadline, `Ended` when the program is gone."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > _LINE_BYTES:
                raise Fault("protocol", f"sent a line of more than {_LINE_BYTES} bytes")
            left = deadline - self._now()
            if left <= 0:
                raise Late("no line in time")
            for descriptor, event in self._poll.poll(min(left, 3600.0) * 1000):
                self._serve(descriptor, event)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def errors(self) -> str:
        """The last of what it wrote to its standard error, raw."""
        return self._errors.decode("utf-8", "replace")

    def refused(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        return self._body.watcher.note() if self._body.watcher is not None else ""

    def close(self) -> None:
        """End the program; never raises and leaves no process."""
        if self._is_closed:
            return
        self._is_closed = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._body.wire.close()
        os.close(self._body.output)
        if self._body.watcher is not None:
            self._body.watcher.close()

    def _serve(self, descriptor: int, event: int) -> None:
        if descriptor == self._body.wire.fileno():
            self._read_line()
        elif descriptor == self._body.output:
            chunk = os.read(descriptor, 1 << 16) if event & select.POLLIN else b""
            self._errors = (self._errors + chunk)[-_ERROR_BYTES:]
            if not chunk:
                self._poll.unregister(descriptor)
        elif event & select.POLLIN and self._body.watcher is not None:
            self._body.watcher.serve()
        else:
            self._poll.unregister(descriptor)

    def _read_line(self) -> None:
        try:
            chunk = self._body.wire.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError as error:
            raise Ended("the program is gone") from error
        if not chunk:
            raise Ended("the program is gone")
        self._buffer += chunk
