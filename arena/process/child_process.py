"""A child process: measured, frozen between requests, ended; and the meter of what a request has cost."""

import contextlib
import logging
import mmap
import os
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.seat import Answer, Fault, Late
from arena.errors import Starved, Void
from arena.process.charge import Charge, charged
from arena.process.spawned_process import Interrupt, SpawnedProcess

if TYPE_CHECKING:
    import resource  # only Unix has it; commands that read results import this module on every system

    from arena.process.plain_process import PlainProcess

__all__ = ["ChildProcess", "Meter"]

_log = logging.getLogger(__name__)

_OUTPUT_BYTES: Final = 8 * 1024
_PONDERING_SECONDS: Final = 0.010
_LONGEST_POLL: Final = 3600.0  # seconds; poll() accepts some weeks at most
_MEMORY_SECONDS: Final = 0.1  # between two checks of the memory
_CHILD_SIGNAL: Final = frozenset((getattr(signal, "SIGCHLD", 0),))
_LOOK_SECONDS: Final = 0.0002  # before the first look at a process that should stop; then twice as long each time
_LONGEST_LOOK_SECONDS: Final = 0.05
_STOP_SECONDS: Final = 5.0
_END_SECONDS: Final = 60.0
_PAGE: Final = mmap.PAGESIZE
_ONE_THREAD_LINKS: Final = 3  # links of /proc/PID/task when the process has one thread
_VMSTAT: Final = Path("/proc/vmstat")
_SHORT_SECONDS: Final = 0.005  # for a shorter move the wait is too small to be read
_NEARLY_SECONDS: Final = 0.0005  # less time than this is not worth waiting for
_DOUBT_SECONDS: Final = 0.001  # between two looks at a thread that may still wait for the machine


class ChildProcess:
    """One child process. A confined one can be frozen between requests."""

    def __init__(self, spawned: SpawnedProcess, *, now: Callable[[], float] = time.monotonic) -> None:
        self._spawned = spawned
        self._now = now
        self._oom_kills = _oom_kills()
        self._status: int | None = None
        self._usage: resource.struct_rusage | None = None
        self._output = b""
        # Files of /proc that are read often are kept open.
        self._schedstat = _open(f"/proc/{spawned.pid}/schedstat")  # of its first thread
        self._statm = _open(f"/proc/{spawned.pid}/statm")
        self._own_schedstat = _open("/proc/thread-self/schedstat")
        self._inherited_memory = self._anonymous_memory()  # from the zygote; not charged to the process
        self._memory_checked = 0.0
        self._longest_poll = _LONGEST_POLL if spawned.memory is None else _MEMORY_SECONDS
        self._frozen_at: float | None = None  # its CPU seconds when it was frozen
        os.set_blocking(spawned.output, False)
        self._poll = select.poll()
        self._poll.register(spawned.wire, select.POLLIN)
        self._poll.register(spawned.output, select.POLLIN)
        if spawned.watcher is not None:
            self._poll.register(spawned.watcher.fileno(), select.POLLIN)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._spawned.pid

    def cpu(self) -> float:
        """The seconds of CPU that all its threads together have used so far."""
        if self._usage is not None:
            return self._usage.ru_utime + self._usage.ru_stime
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # what clock_getcpuclockid computes
        except OSError:
            return 0.0

    def waits(self) -> dict[str, float]:
        """For each of its threads, the seconds in which it was ready to run but the machine ran something else."""
        if self._status is not None or self._schedstat < 0:
            return {}
        waits = {"": int(os.pread(self._schedstat, 64, 0).split()[1]) / 1e9}
        if not self._has_one_thread():
            for stat in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError, IndexError):
                    waits[stat.parent.name] = int(stat.read_text().split()[1]) / 1e9
        return waits

    def queued(self) -> dict[str, str]:
        """Its threads that are ready to run; the value changes as soon as a thread has run.

        The Linux kernel adds a wait to `waits` only when it has ended. So a thread that is ready and has not run since
        may have waited for any time.
        """
        found = {}
        for thread in Path(f"/proc/{self.pid}/task").glob("*") if self._status is None else ():
            with contextlib.suppress(OSError, IndexError):
                ran = (thread / "schedstat").read_text()
                if (thread / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] == "R":
                    found[thread.name] = ran
        return found

    def referee_wait(self) -> float:
        """The seconds in which the referee itself was ready to run but the machine ran something else."""
        if self._status is not None or self._own_schedstat < 0:
            return 0.0
        return int(os.pread(self._own_schedstat, 64, 0).split()[1]) / 1e9

    def output(self) -> str:
        """The end of what it printed, raw."""
        self._drain()
        return self._output.decode("utf-8", "replace")

    def end(self) -> None:
        """Kill it and everything in its session; never raises."""
        if self._status is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        status = self._reap()
        self._drain()
        if self._spawned.stack is not None:
            self._spawned.stack.close()
        self._status = os.waitstatus_to_exitcode(status)
        self._spawned.wire.close()
        if self._spawned.inlet is not None:
            self._spawned.inlet.close()
        os.close(self._spawned.output)
        for descriptor in (self._schedstat, self._own_schedstat, self._statm):
            if descriptor >= 0:
                os.close(descriptor)
        if self._spawned.watcher is not None:
            self._spawned.watcher.close()

    def _reap(self) -> int:
        """The wait status of a process that was killed; it may be in a call that even a kill does not end at once."""
        handle = os.pidfd_open(self.pid)
        select.select([handle], [], [], _END_SECONDS)
        os.close(handle)
        pid, status, self._usage = os.wait4(self.pid, os.WNOHANG)
        if not pid:
            _log.warning("the process %d could not be ended; it is left behind", self.pid)
        return status if pid else signal.SIGKILL

    def ended_by_itself(self, *, patience: float = 1.0) -> str:
        """End a process that closed its connection; returns how it ended.

        That is `exit status 7`, `signal SIGSEGV`, or `closed its connection` if it did not end within a moment and was
        killed. Raises `Void` if the machine ran out of memory.
        """
        handle = os.pidfd_open(self.pid)
        ended, _, _ = select.select([handle], [], [], patience)
        os.close(handle)
        self.end()
        if not ended:
            return "closed its connection"
        status = self._status or 0
        if status >= 0:
            return f"exit status {status}"
        if -status == signal.SIGKILL and _oom_kills() > self._oom_kills and not self._is_over_limit(self._peak()):
            raise Void("the machine ran out of memory and the Linux kernel ended a player's process")
        return f"signal {signal.Signals(-status).name}"

    def evidence(self) -> dict[str, str]:
        """What is known about a process that has ended."""
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
        """The system calls that were refused without being a fault, one a line."""
        return self._spawned.watcher.refused() if self._spawned.watcher is not None else ""

    def stack(self) -> str:
        """What it is running now, as it says itself; empty if it does not say it, or is frozen or ended."""
        if self._spawned.stack is None or self._status is not None or self._frozen_at is not None:
            return ""
        return self._spawned.stack.take(self.pid)

    def freeze(self) -> None:
        """Stop it until `thaw`, if it is confined and so cannot undo that."""
        if not self._spawned.is_frozen_off_turn:
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _CHILD_SIGNAL)
        used = self.cpu()
        try:
            os.kill(self.pid, signal.SIGSTOP)
            state = self._wait_until_stopped(used)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if state.si_code == os.CLD_STOPPED:
            self._frozen_at = self.cpu()

    def thaw(self) -> None:
        """Let it run again; raises `Fault` if it has computed while it was frozen."""
        if self._frozen_at is None:
            return
        used = self.cpu() - self._frozen_at
        if used > _PONDERING_SECONDS and not self._has_ended():  # the end of a large process costs CPU time too
            raise Fault("pondering", f"used {used * 1e3:.0f} ms of CPU during the opponent's turn")
        self._frozen_at = None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)

    def _has_ended(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _wait_for_message(self, deadline: float) -> bool:
        """Wait until the wire is readable, and serve output and system calls meanwhile; False at the deadline."""
        interrupt = self._spawned.interrupt
        if interrupt is None or (handle := interrupt.fileno()) < 0:
            return self._wait(deadline, None)
        self._poll.register(handle, select.POLLIN)
        try:
            return self._wait(deadline, interrupt)
        finally:
            self._poll.unregister(handle)

    def _wait(self, deadline: float, interrupt: Interrupt | None) -> bool:
        while (left := deadline - self._now()) > 0:
            self._check_memory()
            for descriptor, event in self._poll.poll(min(left, self._longest_poll) * 1000):
                if descriptor == self._spawned.output:
                    self._drain()
                elif descriptor == self._spawned.wire.fileno():
                    return True
                elif interrupt is not None and descriptor == interrupt.fileno():
                    interrupt.serve()
                elif event & select.POLLIN and self._spawned.watcher is not None:
                    self._spawned.watcher.serve()
                else:
                    self._poll.unregister(descriptor)  # the watched process has ended
        return False

    def _anonymous_memory(self) -> int:
        """Bytes of memory that belong to no file; 0 when the process has ended."""
        try:
            _, resident, shared, *_ = os.pread(self._statm, 128, 0).split()
        except (OSError, ValueError):
            return 0
        return (int(resident) - int(shared)) * _PAGE

    def _is_over_limit(self, used: int) -> bool:
        return self._spawned.memory is not None and used - self._inherited_memory > self._spawned.memory

    def _peak(self) -> int:
        return self._usage.ru_maxrss * 1024 if self._usage is not None else 0

    def _check_memory(self) -> None:
        """Raise `Fault` if it uses too much memory. The limit of the Linux kernel counts only writable memory."""
        if time.monotonic() < self._memory_checked + _MEMORY_SECONDS:
            return
        self._memory_checked = time.monotonic()
        if self._is_over_limit(self._anonymous_memory()):
            raise Fault("memory", f"used more than {(self._spawned.memory or 0) >> 20} MB")

    def _wait_until_stopped(self, used: float) -> "os.waitid_result":
        """Wait until it has stopped or ended. It may be in a call that cannot be stopped, or one of its threads.

        The signal of its stop, which this thread blocks, ends our sleep. It does not come if the process belongs to
        another thread, or if the program around us handles these signals: then we look again and again, less and less
        often. Who wakes up thousands of times a second on its core can keep it from running, and so from stopping, for
        as long as that goes on: Linux 6.18 with groups of processes. Had it used `used` seconds of CPU before, and
        little more since, the machine holds it up, for example its disk.
        """
        how = os.WSTOPPED | os.WEXITED | os.WNOWAIT | os.WNOHANG
        deadline = time.monotonic() + _STOP_SECONDS
        sleep = _sleep_with_signal if signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL else time.sleep
        sleep(pause := _LOOK_SECONDS)
        while (state := os.waitid(os.P_PID, self.pid, how)) is None:
            if time.monotonic() > deadline:
                if self.cpu() - used > _PONDERING_SECONDS:
                    raise Fault("pondering", "could not be stopped after its answer")
                raise Starved("could not be stopped after its answer, and used no CPU time")
            sleep(pause := min(2 * pause, _LONGEST_LOOK_SECONDS))
        return state

    def _has_one_thread(self) -> bool:
        try:
            task = f"/proc/{self.pid}/task"
            return os.stat(task).st_nlink <= _ONE_THREAD_LINKS  # noqa: PTH116 - on the timed path; Path is slower
        except OSError:
            return True

    def _drain(self) -> None:
        """Read what it printed, at most 64 KiB, so that a flood cannot keep us here."""
        if self._status is not None:
            return
        try:
            chunk = os.read(self._spawned.output, 1 << 16)
        except BlockingIOError:
            return
        if not chunk:
            with contextlib.suppress(KeyError):  # it closed its output: poll() would report that for ever
                self._poll.unregister(self._spawned.output)
        self._output = (self._output + chunk)[-_OUTPUT_BYTES:]


class Meter:
    """What a process has been charged since this meter was made."""

    def __init__(self, process: "ChildProcess | PlainProcess", charge: Charge, now: Callable[[], float]) -> None:
        self._process = process
        self._charge = charge
        self._now = now
        self._cpu = process.cpu()
        self._waits = process.waits()  # with every clock: tables say where players had too little CPU
        self._referee = process.referee_wait()
        self._doubt: tuple[float, dict[str, str]] | None = None  # when it seemed late, and who was ready to run then
        self.began = now()

    def answer(self, text: str) -> Answer:
        """An answer with this text and the cost until now."""
        wall = self._now() - self.began
        wait = self._wait() if wall > _SHORT_SECONDS else 0.0
        return Answer(text, wall, max(0.0, self._process.cpu() - self._cpu), wait)

    def deadline(self, seconds: float) -> float:
        """The earliest time at which that many seconds can have been charged.

        Raises `Late` if they have been charged, `Starved` if the machine withheld the CPU for too long.
        """
        now, kill = self._now(), self.began + 3 * seconds + 5
        if self._doubt is None and self._charge == "fair" and self._left(seconds, now) < _NEARLY_SECONDS:
            self._doubt = now, self._process.queued()
        at, queued = self._doubt or (now, {})
        still_queued = queued.items() & self._process.queued().items() if queued else ()
        if still_queued and self._process.cpu() - self._cpu < seconds:  # how long it waited is known when it has run
            left = _DOUBT_SECONDS
        else:
            self._doubt = None
            left = self._left(seconds, at)
            if left < _NEARLY_SECONDS:
                raise Late("no answer in time")
        if now >= kill:
            raise Starved("the machine withheld the CPU from a player for too long")
        return min(kill, now + left)

    def _left(self, seconds: float, at: float) -> float:
        """What is left of that many seconds, as far as the Linux kernel has counted."""
        cpu = self._process.cpu() - self._cpu
        return seconds - charged(self._charge, wall=at - self.began, cpu=cpu, wait=self._wait())

    def held_up(self, error: Starved) -> Fault:
        """The fault of a player that the machine held up, if all its wall time is charged; else raises the error."""
        if self._charge != "wall":
            raise error
        return Fault("pondering", str(error))

    def _wait(self) -> float:
        """The wait of the thread that waited longest, and the wait of the referee before it could read the answer."""
        waits = self._process.waits()
        longest = max((wait - self._waits.get(thread, 0.0) for thread, wait in waits.items()), default=0.0)
        return longest + self._process.referee_wait() - self._referee


def _sleep_with_signal(seconds: float) -> None:
    """Sleep, at most until a child process stops or ends; the signal must be blocked."""
    signal.sigtimedwait(_CHILD_SIGNAL, seconds)


def _open(path: str) -> int:
    """A descriptor for reading; -1 if there is no such file (a Linux kernel without schedstats)."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _oom_kills() -> int:
    """How many processes the Linux kernel has killed for lack of memory."""
    try:
        lines = _VMSTAT.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
