"""Keeping a player's process: how it is measured, weighed, frozen and ended, however it is spoken to."""

import contextlib
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from agents.seat import Fault
from arena.errors import Void
from arena.process.spawned_process import SpawnedProcess

__all__ = ["ChildProcess"]

_OUTPUT_BYTES: Final = 8 * 1024
_PONDERING_SECONDS: Final = 0.010
_LONGEST_POLL: Final = 3600.0  # seconds; poll takes no more than some weeks
_WEIGHING_SECONDS: Final = 0.1
_STOP_SECONDS: Final = 5.0
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_ALONE: Final = 3  # links of a process' folder of threads when it has one thread
_VMSTAT: Final = Path("/proc/vmstat")


class ChildProcess:
    """One child process of ours. A confined one can be frozen while nobody asks it anything."""

    def __init__(self, body: SpawnedProcess, *, now: Callable[[], float] = time.monotonic) -> None:
        self._body = body
        self._now = now
        self._oom_kills = _oom_kills()
        self._status: int | None = None
        self._usage: resource.struct_rusage | None = None
        self._output = b""
        self._waited = _open(f"/proc/{body.pid}/schedstat")  # of its first thread; kept open, for it is read often
        self._statm = _open(f"/proc/{body.pid}/statm")
        self._weight = self._anonymous()  # what it has from the zygote is not its own
        self._weighed = 0.0
        self._longest_poll = _LONGEST_POLL if body.memory is None else _WEIGHING_SECONDS
        self._own_waited = _open("/proc/thread-self/schedstat")
        self._stopped_at: float | None = None  # its CPU seconds when it was frozen
        os.set_blocking(body.output, False)
        self._poll = select.poll()
        self._poll.register(body.wire, select.POLLIN)
        self._poll.register(body.output, select.POLLIN)
        if body.watcher is not None:
            self._poll.register(body.watcher.fileno(), select.POLLIN)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._body.pid

    def cpu(self) -> float:
        """Seconds of CPU it has used so far, all threads together."""
        if self._usage is not None:
            return self._usage.ru_utime + self._usage.ru_stime
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # what clock_getcpuclockid computes
        except OSError:
            return 0.0

    def waits(self) -> dict[str, float]:
        """For each of its threads, seconds that it was ready to run but the machine ran something else."""
        if self._status is not None or self._waited < 0:
            return {}
        waits = {"": int(os.pread(self._waited, 64, 0).split()[1]) / 1e9}
        if not self._is_alone():
            for stat in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError, IndexError):
                    waits[stat.parent.name] = int(stat.read_text().split()[1]) / 1e9
        return waits

    def referee_wait(self) -> float:
        """Seconds that we ourselves were ready to go on but the machine ran something else: nobody's thinking time."""
        if self._status is not None or self._own_waited < 0:
            return 0.0
        return int(os.pread(self._own_waited, 64, 0).split()[1]) / 1e9

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
        self._status = os.waitstatus_to_exitcode(status)
        self._body.wire.close()
        if self._body.inlet is not None:
            self._body.inlet.close()
        os.close(self._body.output)
        for descriptor in (self._waited, self._own_waited, self._statm):
            if descriptor >= 0:
                os.close(descriptor)
        if self._body.watcher is not None:
            self._body.watcher.close()

    def ended_by_itself(self, *, patience: float = 1.0) -> str:
        """How the process ended, in words, after it hung up; `Void` if the machine ran out of memory.

        It is given a moment to die of what it did; one that only closed its connection is killed.
        """
        handle = os.pidfd_open(self.pid)
        died, _, _ = select.select([handle], [], [], patience)
        os.close(handle)
        self.end()
        if not died:
            return "closed its connection"
        status = self._status or 0
        if status >= 0:
            return f"exit status {status}"
        if -status == signal.SIGKILL and _oom_kills() > self._oom_kills and not self._is_over(self._peak()):
            raise Void("the machine ran out of memory and the Linux kernel ended a player's process")
        return f"signal {signal.Signals(-status).name}"

    def evidence(self) -> dict[str, str]:
        """What is known of a process that has ended."""
        assert self._usage is not None
        known = {
            "stderr": self.output(),
            "cpu": f"{self.cpu():.3f}",
            "peak_memory": str(self._usage.ru_maxrss * 1024),
            "exit": str(self._status),
        }
        if refused := self.refused():
            known["denied"] = refused
        return known

    def refused(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        return self._body.watcher.note() if self._body.watcher is not None else ""

    def freeze(self) -> None:
        """Stop it until `thaw`, if it is confined: only then it cannot undo that."""
        if not self._body.is_frozen_off_turn:
            return
        os.kill(self.pid, signal.SIGSTOP)
        state = self._stopped()
        if state.si_code == os.CLD_STOPPED:
            self._stopped_at = self.cpu()

    def thaw(self) -> None:
        """Let it run; raises `Fault` if it has computed meanwhile."""
        if self._stopped_at is None:
            return
        used = self.cpu() - self._stopped_at
        if used > _PONDERING_SECONDS:
            raise Fault("pondering", f"used {used * 1e3:.0f} ms of CPU while it was the opponent's turn")
        self._stopped_at = None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)

    def _is_heard(self, deadline: float) -> bool:
        """Wait until there is something on the wire; False at the deadline. Serves all else meanwhile."""
        while (left := deadline - self._now()) > 0:
            self._weigh_now_and_then()
            for descriptor, event in self._poll.poll(min(left, self._longest_poll) * 1000):
                if descriptor == self._body.output:
                    self._drain()
                elif descriptor == self._body.wire.fileno():
                    return True
                elif event & select.POLLIN and self._body.watcher is not None:
                    self._body.watcher.serve()
                else:
                    self._poll.unregister(descriptor)  # nobody is left who could be refused anything
        return False

    def _anonymous(self) -> int:
        """Bytes of memory that belong to no file; 0 when it is gone."""
        try:
            _, resident, shared, *_ = os.pread(self._statm, 128, 0).split()
        except (OSError, ValueError):
            return 0
        return (int(resident) - int(shared)) * _PAGE

    def _is_over(self, weight: int) -> bool:
        return self._body.memory is not None and weight - self._weight > self._body.memory

    def _peak(self) -> int:
        return self._usage.ru_maxrss * 1024 if self._usage is not None else 0

    def _weigh_now_and_then(self) -> None:
        """The limit of the Linux kernel counts only what can be written: this one counts all that is there."""
        if time.monotonic() < self._weighed + _WEIGHING_SECONDS:
            return
        self._weighed = time.monotonic()
        if self._is_over(self._anonymous()):
            raise Fault("memory", f"used more than {(self._body.memory or 0) >> 20} MB")

    def _stopped(self) -> os.waitid_result:
        """Wait until it has stopped or ended. One thread always does; of several, one could find a way not to."""
        how = os.WSTOPPED | os.WEXITED | os.WNOWAIT
        if self._is_alone() and (state := os.waitid(os.P_PID, self.pid, how)) is not None:
            return state
        deadline = time.monotonic() + _STOP_SECONDS
        while (state := os.waitid(os.P_PID, self.pid, how | os.WNOHANG)) is None:
            if time.monotonic() > deadline:
                raise Fault("pondering", "could not be stopped after its answer")
            select.select([], [], [], 0.0001)
        return state

    def _is_alone(self) -> bool:
        """Whether it has one thread only."""
        try:
            return os.stat(f"/proc/{self.pid}/task").st_nlink <= _ALONE  # noqa: PTH116 - timed: no time for a Path
        except OSError:
            return True

    def _drain(self) -> None:
        """Take what it printed, 64 KiB at the most, so that a flood cannot keep us here."""
        if self._status is not None:
            return
        try:
            chunk = os.read(self._body.output, 1 << 16)
        except BlockingIOError:
            return
        if not chunk:
            with contextlib.suppress(KeyError):  # it closed its output; do not wake up for that for ever
                self._poll.unregister(self._body.output)
        self._output = (self._output + chunk)[-_OUTPUT_BYTES:]


def _open(path: str) -> int:
    """A descriptor to read from; -1 where there is no such file (a Linux kernel without schedstats)."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _oom_kills() -> int:
    try:
        lines = _VMSTAT.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
