"""A Python agent in a plain subprocess, for systems other than Linux: spoken to over pipes, not confined."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Final

from agents.child import FRAME, REPORT, TAG_BYTES
from agents.seat import Ended, Fault
from arena.errors import Void
from arena.process.spawn import trusted_environment

__all__ = ["PlainProcess"]

_OUTPUT_BYTES: Final = 8 * 1024


class PlainProcess:
    """The process of a trusted agent. It is not confined, and not frozen between requests.

    It has the methods of `AgentProcess` that a player and its meter need. What only the Linux kernel can tell, such as
    waits for a core and stacks, is missing. Its CPU time is what it says itself.
    """

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self.on_report: Callable[[bytes], None] | None = None
        self._now = now
        self._printed: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._output = ""
        self._cpu = 0.0
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-m", "agents.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._printed, env=os.environ | trusted_environment(),
            )  # fmt: skip
        except OSError as error:
            self._printed.close()
            raise Void(f"cannot start a player's process: {error}") from error
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, request: str, arguments: Mapping[str, object]) -> bytes:
        """Send a request; returns the tag that the reply must have. Raises `Ended` when the process has ended."""
        tag, inlet = os.urandom(TAG_BYTES), self._process.stdin
        assert inlet is not None
        message = tag + json.dumps({request: arguments}).encode()
        try:
            inlet.write(FRAME.pack(len(message), 0.0) + message)
            inlet.flush()
        except OSError as error:
            raise Ended("the process has ended") from error
        return tag

    def receive(self, tag: bytes, *, deadline: float) -> tuple[bytes, str] | None:
        """The kind and the text of the reply, None at the deadline. Raises `Ended` when the process has ended."""
        while True:
            try:
                reply = self._replies.get(timeout=max(0.0, min(deadline - self._now(), threading.TIMEOUT_MAX)))
            except queue.Empty:
                return None
            if not reply:
                raise Ended("the process has ended")
            kind, payload = reply[TAG_BYTES : TAG_BYTES + 1], reply[TAG_BYTES + 1 :]
            if reply[:TAG_BYTES] != tag:
                raise Fault("protocol", "sent a message that answers no request")
            if kind != REPORT:
                return kind, payload.decode("utf-8", "backslashreplace")
            if self.on_report is not None:
                self.on_report(payload)

    def cpu(self) -> float:
        """The seconds of CPU that it said it had used, when it answered last."""
        return self._cpu

    def waits(self) -> dict[str, float]:
        """Nothing: it is not known how long it waited for a core."""
        return {}

    def queued(self) -> dict[str, str]:
        """Nothing: it is not known whether it waits for a core."""
        return {}

    def referee_wait(self) -> float:
        """Zero: it is not known."""
        return 0.0

    def output(self) -> str:
        """The end of what it printed, raw; empty until it has ended."""
        return self._output

    def refused(self) -> str:
        """Nothing: it may make every call."""
        return ""

    def stack(self) -> str:
        """Nothing: it is not asked what it is running."""
        return ""

    def end(self) -> None:
        """Kill it, if it still runs; never raises."""
        if self._printed.closed:
            return
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # what could not be written is lost
                stream.close()
        size = self._printed.seek(0, os.SEEK_END)
        self._printed.seek(max(0, size - _OUTPUT_BYTES))
        self._output = self._printed.read(_OUTPUT_BYTES).decode("utf-8", "replace")
        self._printed.close()

    def ended_by_itself(self, *, patience: float = 1.0) -> str:
        """End a process that closed its connection; returns how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        how = self._process.poll()
        self.end()
        if how is None:
            return "closed its connection"
        return f"exit status {how}" if how >= 0 else f"signal {-how}"

    def evidence(self) -> dict[str, str]:
        """What is known about a process that has ended."""
        return {"stderr": self._output, "cpu": f"{self._cpu:.3f}", "exit": str(self._process.returncode)}

    def _read(self) -> None:
        """Read messages, and with each the CPU time that the process has used; in a thread of its own."""
        outlet = self._process.stdout
        assert outlet is not None
        while len(head := outlet.read(FRAME.size)) == FRAME.size:
            length, self._cpu = FRAME.unpack(head)
            self._replies.put(outlet.read(length))
        self._replies.put(b"")
