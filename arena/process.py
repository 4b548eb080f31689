"""A player's process: how it is started, asked, listened to and ended."""

import contextlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from agents.child import DONE, ERROR, ERROR_BYTES, MOVE, MOVE_BYTES, TAG_BYTES
from agents.seat import Ended, Fault, Late
from arena.errors import Void

__all__ = ["Process"]

_LIMITS: Final = {MOVE: MOVE_BYTES, ERROR: ERROR_BYTES, DONE: 0}
_REPLY_BYTES: Final = TAG_BYTES + 1 + ERROR_BYTES
_OUTPUT_BYTES: Final = 8 * 1024
_VMSTAT: Final = Path("/proc/vmstat")


class Process:
    """One child process, in a process session of its own, that answers one request at a time."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._oom_kills = _oom_kills()
        self._status: int | None = None
        self._usage: resource.struct_rusage | None = None
        self._output = b""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        try:
            command = [sys.executable, "-P", "-s", "-m", "agents.child", str(theirs.fileno()), str(os.getpid())]
            self._popen = subprocess.Popen(  # noqa: S603 - our own loop
                command, stdin=subprocess.DEVNULL, stdout=writing, stderr=writing, env=_environment(),
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            ours.close()
            os.close(reading)
            raise Void(f"cannot start a player's process: {error}") from error
        finally:
            theirs.close()
            os.close(writing)
        self._wire = ours
        self._pipe = reading
        os.set_blocking(reading, False)
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)
        self._poll.register(reading, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._popen.pid

    def request(self, verb: str, words: Mapping[str, object], *, deadline: float) -> tuple[bytes, str]:
        """Ask, and give the kind and text of the reply.

        Raises `Late` at the deadline, `Ended` when the process is gone, `Fault` when it breaks the protocol.
        """
        if self._receive() is not None:
            raise Fault("protocol", "sent a message without being asked")
        tag = os.urandom(TAG_BYTES)
        try:
            self._wire.send(tag + json.dumps({verb: words}).encode())
        except OSError as error:
            raise Ended("the process is gone") from error
        reply = self._wait(deadline)
        kind, payload = reply[TAG_BYTES : TAG_BYTES + 1], reply[TAG_BYTES + 1 :]
        if reply[:TAG_BYTES] != tag:
            raise Fault("protocol", "sent a message that answers no request")
        if kind not in _LIMITS or len(payload) > _LIMITS[kind]:
            raise Fault("protocol", f"sent a malformed message of {len(reply)} bytes")
        return kind, payload.decode("utf-8", "backslashreplace")

    def cpu(self) -> float:
        """Seconds of CPU it has used so far, all threads together."""
        if self._usage is not None:
            return self._usage.ru_utime + self._usage.ru_stime
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # what clock_getcpuclockid computes
        except OSError:
            return 0.0

    def wait(self) -> float:
        """Seconds it was ready to run but the machine ran something else: the longest of its threads."""
        waits = [0.0]
        for stat in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, IndexError, ValueError):
                waits.append(int(stat.read_text().split()[1]) / 1e9)
        return max(waits)

    def output(self) -> str:
        """The last of what it printed, raw."""
        self._drain()
        return self._output.decode("utf-8", "replace")

    def end(self) -> None:
        """Kill it and everything in its session that it may have started; never raises."""
        if self._status is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status, self._usage = os.wait4(self.pid, 0)
        self._drain()
        self._status = self._popen.returncode = os.waitstatus_to_exitcode(status)
        self._wire.close()
        os.close(self._pipe)

    def ended_by_itself(self, *, patience: float = 1.0) -> str:
        """How the process ended, in words, after it hung up; `Void` if the machine ran out of memory.

        It is given a moment to die of what it did; one that only closed its connection is killed.
        """
        handle = os.pidfd_open(self.pid)
        died, _, _ = select.select([handle], [], [], patience)
        os.close(handle)
        if not died:
            self.end()
            return "closed its connection"
        self.end()
        status = self._status or 0
        if status >= 0:
            return f"exit status {status}"
        if -status == signal.SIGKILL and _oom_kills() > self._oom_kills:
            raise Void("the machine ran out of memory and the Linux kernel ended a player's process")
        return f"signal {signal.Signals(-status).name}"

    def evidence(self) -> dict[str, str]:
        """What is known of a process that has ended."""
        assert self._usage is not None
        return {
            "stderr": self.output(),
            "cpu": f"{self.cpu():.3f}",
            "peak_memory": str(self._usage.ru_maxrss * 1024),
            "exit": str(self._status),
        }

    def _wait(self, deadline: float) -> bytes:
        while True:
            left = deadline - self._now()
            if left <= 0:
                raise Late("no answer in time")  # even if one has just come
            for descriptor, _ in self._poll.poll(left * 1000):
                if descriptor == self._pipe:
                    self._drain()
                elif (reply := self._receive()) is not None:
                    if self._now() >= deadline:
                        raise Late("no answer in time")
                    return reply

    def _receive(self) -> bytes | None:
        """A message, if there is one; an over-long one stays over-long."""
        try:
            message = self._wire.recv(_REPLY_BYTES + 1, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            raise Ended("the process is gone") from error
        if not message:
            raise Ended("the process is gone")
        return message

    def _drain(self) -> None:
        """Take what it printed, 64 KiB at the most, so that a flood cannot keep us here."""
        if self._status is not None:
            return
        try:
            chunk = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return
        if not chunk:
            with contextlib.suppress(KeyError):  # it closed its output; do not wake up for that for ever
                self._poll.unregister(self._pipe)
        self._output = (self._output + chunk)[-_OUTPUT_BYTES:]


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    # A fixed hash seed, so that the order of sets is the same when a game is played again.
    return kept | threads | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def _oom_kills() -> int:
    try:
        lines = _VMSTAT.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
