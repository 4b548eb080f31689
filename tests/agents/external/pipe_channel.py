"""A channel to a real process, without a sandbox."""

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Sequence
from typing import Self

from agents.seat import Ended, Late


class PipeChannel:
    """Starts a process and kills it at the end."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._buffer = b""
        self.sent: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def send(self, line: str) -> None:
        self.sent.append(line)
        try:
            self._input.write(f"{line}\n".encode())
        except OSError as error:
            raise Ended("the program has exited") from error

    def receive(self, deadline: float) -> str:
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._output], [], [], left)[0]:
                raise Late("no line in time")
            chunk = os.read(self._output.fileno(), 1 << 16)
            if not chunk:
                raise Ended("the program has exited")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._input.close()
        self._output.close()
