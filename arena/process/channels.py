"""How child processes are spoken to: datagrams to a Python agent, lines of text to a program."""

import contextlib
import json
import os
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from agents.child import (
    DONE,
    ERROR,
    ERROR_BYTES,
    MOVE,
    MOVE_BYTES,
    NO_AGENT,
    OUT_OF_MEMORY,
    REPORT,
    REPORT_BYTES,
    TAG_BYTES,
)
from agents.seat import Ended, Fault, Late
from arena.process.child_process import ChildProcess
from arena.process.spawned_process import SpawnedProcess

__all__ = ["AgentProcess", "EngineProcess"]

_PAYLOAD_BYTES: Final = {
    MOVE: MOVE_BYTES, DONE: 0, **dict.fromkeys((ERROR, OUT_OF_MEMORY, NO_AGENT), ERROR_BYTES), REPORT: REPORT_BYTES,
}  # fmt: skip
_REPLY_BYTES: Final = TAG_BYTES + 1 + ERROR_BYTES
_LINE_BYTES: Final = 64 * 1024
#: How many reports are kept in a second, and how many may be sent during one request.
_REPORTS_A_SECOND: Final = 10
_MOST_REPORTS: Final = 1000


class AgentProcess(ChildProcess):
    """The process of a Python agent, which replies to one request at a time; a confined one is frozen in between.

    Reports that come before a reply go to `on_report`; of more than ten a second only the last one before a reply is
    kept. The same number of them is allowed whether or not somebody listens.
    """

    def __init__(
        self, spawned: SpawnedProcess, *, now: Callable[[], float] = time.monotonic,
        on_report: Callable[[bytes], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(spawned, now=now)
        self._on_report = on_report
        self._reports = 0
        self._dropped: bytes | None = None
        self._kept_at: deque[float] = deque(maxlen=_REPORTS_A_SECOND)

    def send(self, request: str, arguments: Mapping[str, object]) -> bytes:
        """Send a request; returns the tag that the reply must have.

        Raises `Ended` when the process has ended, `Fault` when it broke a rule since its last reply.
        """
        if self._receive() is not None:
            raise Fault("protocol", "sent a message without a request")
        self.thaw()
        self._reports, self._dropped = 0, None
        tag = os.urandom(TAG_BYTES)
        try:
            self._spawned.wire.send(tag + json.dumps({request: arguments}).encode(), socket.MSG_DONTWAIT)
        except BlockingIOError as error:
            raise Fault("protocol", "replied to requests without reading them") from error
        except OSError as error:
            raise Ended("the process has ended") from error
        return tag

    def receive(self, tag: bytes, *, deadline: float) -> tuple[bytes, str] | None:
        """The kind and the text of the reply, None at the deadline. The process is frozen when it has replied.

        Raises `Ended` when the process has ended, `Fault` when it breaks a rule.
        """
        while True:
            reply = self._receive() if self._wait_for_message(deadline) else None
            self._check_memory()
            if reply is None:
                return None
            kind, payload = reply[TAG_BYTES : TAG_BYTES + 1], reply[TAG_BYTES + 1 :]
            if kind != REPORT:
                self.freeze()
            if reply[:TAG_BYTES] != tag:
                raise Fault("protocol", "sent a message that answers no request")
            if kind not in _PAYLOAD_BYTES or len(payload) > _PAYLOAD_BYTES[kind]:
                raise Fault("protocol", f"sent a malformed message of {len(reply)} bytes")
            if kind != REPORT:
                self._keep_last()
                return kind, payload.decode("utf-8", "backslashreplace")
            self._take_report(payload)

    def _take_report(self, payload: bytes) -> None:
        self._reports += 1
        if self._reports > _MOST_REPORTS:
            raise Fault("protocol", f"sent more than {_MOST_REPORTS} reports about one move")
        now = self._now()
        if self._on_report is None or (len(self._kept_at) == _REPORTS_A_SECOND and now < self._kept_at[0] + 1):
            self._dropped = payload
            return
        self._kept_at.append(now)
        self._dropped = None
        self._on_report(payload)

    def _keep_last(self) -> None:
        """Pass the last report on after all: of a move that took little time it may be the only one."""
        if self._dropped is not None and self._on_report is not None:
            self._on_report(self._dropped)
        self._dropped = None

    def _receive(self) -> bytes | None:
        """The next message, if there is one; of a message that is too long, one byte more than is allowed."""
        try:
            message = self._spawned.wire.recv(_REPLY_BYTES + 1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise Ended("the process has ended") from error
        if not message:
            raise Ended("the process has ended")
        return message


class EngineProcess(ChildProcess):
    """The process of a program, as a `Channel`. A system call that breaks a rule raises `Fault`."""

    def __init__(self, spawned: SpawnedProcess, *, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(spawned, now=now)
        self._inherited_memory = 0  # its exec released what it had from the zygote
        self._buffer = b""

    def send(self, line: str) -> None:
        """Send one line; raises `Ended` when the program has ended, `Fault` when it does not read its input."""
        data, inlet = memoryview(f"{line}\n".encode()), self._spawned.inlet
        assert inlet is not None
        try:
            while data:
                data = data[inlet.send(data, socket.MSG_DONTWAIT) :]
        except BlockingIOError as error:
            raise Fault("protocol", "does not read its input") from error
        except OSError as error:
            raise Ended("the program has ended") from error

    def receive(self, deadline: float) -> str:
        """Return the next line; raises `Late` at the deadline, `Ended` when the program has ended."""
        if self._now() >= deadline:  # checked here too: a program that never pauses always has a line ready
            raise Late("no line in time")
        while b"\n" not in self._buffer:
            _check_length(self._buffer)
            if not self._wait_for_message(deadline):
                raise Late("no line in time")
            self._read()
        self._check_memory()
        line, _, self._buffer = self._buffer.partition(b"\n")
        _check_length(line)
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def close(self, *, patience: float = 0.0) -> None:
        """End the program, which has these seconds to end by itself; never raises and leaves no process."""
        if patience and self._status is None:
            with contextlib.suppress(OSError):
                handle = os.pidfd_open(self.pid)
                select.select([handle], [], [], patience)
                os.close(handle)
        self.end()

    def _read(self) -> None:
        try:
            chunk = self._spawned.wire.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError as error:
            raise Ended("the program has ended") from error
        if not chunk:
            raise Ended("the program has ended")
        self._buffer += chunk


def _check_length(line: bytes) -> None:
    if len(line) > _LINE_BYTES:
        raise Fault("protocol", f"sent a line of more than {_LINE_BYTES} bytes")
