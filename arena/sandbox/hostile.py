"""The agent of `arena doctor`, which tries one forbidden thing; it is staged and confined like any other agent."""

import ctypes
import os
import signal
import socket
import threading
import time
from pathlib import Path

from agents import BaseAgent
from agents.child import STACK
from games.base import Color, Move, State

__all__ = ["Hostile"]

_PTRACE_TRACEME = 0
_CAPABILITY_VERSION = 0x20080522
_OPEN_FILES = 256


class Hostile(BaseAgent):
    """Makes in each move the attempt that its option `tries` names, then plays on.

    An attempt that succeeds is harmless. If it finds out something that should be hidden, it raises an exception.
    """

    def __init__(self, name: str, color: Color, *, tries: str, marker: str = "") -> None:
        super().__init__(name, color)
        self._tries = tries
        self._marker = marker
        self._answered = 0.0
        self._longest_pause = 0.0

    def act(self, state: State) -> Move:
        """Make the attempt, then play the first legal move."""
        getattr(self, f"try_{self._tries}")()
        move = state.legal_moves[0]
        self._answered = time.monotonic()
        return move

    def try_read(self) -> None:
        """Read a file of the system."""
        Path("/etc/passwd").read_bytes()

    def try_read_quietly(self) -> None:
        """Read a file of the system where only Landlock can refuse that."""
        try:
            Path("/etc/passwd").read_bytes()
        except PermissionError:
            return
        raise RuntimeError("read /etc/passwd")

    def try_write(self) -> None:
        """Write a file in a folder where everybody may."""
        Path(self._marker).write_text("an agent was here")

    def try_list(self) -> None:
        """List the root folder."""
        os.listdir("/")  # noqa: PTH208 - the plain system call

    def try_chmod(self) -> None:
        """Change the mode of its own source."""
        Path(__file__).chmod(0o755)

    def try_socket(self) -> None:
        """Open a network connection."""
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()

    def try_fork(self) -> None:
        """Start a process."""
        if os.fork() == 0:
            os._exit(0)

    def try_exec(self) -> None:
        """Execute a program."""
        os.execv("/bin/true", ["true"])  # noqa: S606 - the attempt

    def try_kill(self) -> None:
        """Signal the referee; signal 0 only tests whether that is allowed."""
        os.kill(os.getppid(), 0)

    def try_ptrace(self) -> None:
        """Call ptrace."""
        ctypes.CDLL(None).ptrace(_PTRACE_TRACEME, 0, None, None)

    def try_peek(self) -> None:
        """Read the memory of the referee, zero bytes of it."""
        ctypes.CDLL(None).process_vm_readv(os.getppid(), None, 0, None, 0, 0)

    def try_priority(self) -> None:
        """Raise its priority."""
        os.setpriority(os.PRIO_PROCESS, 0, -5)

    def try_memory(self) -> None:
        """Allocate more memory than it may use."""
        bytearray(64 << 30)

    def try_threads(self) -> None:
        """Start more threads than allowed; they wait."""
        done = threading.Event()
        for _ in range(40):
            threading.Thread(target=done.wait, daemon=True).start()
        done.set()

    def try_hang(self) -> None:
        """Never answer, and ignore signals."""
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass

    def try_ponder(self) -> None:
        """Compute during the opponent's turn, and check whether that worked.

        A frozen process has one long pause. On a busy machine a running process has many short ones.
        """
        if not self._answered:
            threading.Thread(target=self._compute, daemon=True).start()
            return
        away = time.monotonic() - self._answered
        time.sleep(0.02)  # so that the thread runs once more
        if self._longest_pause < away / 2:
            raise RuntimeError(f"computed in the opponent's turn: paused {self._longest_pause:.3f} of {away:.3f} s")

    def _compute(self) -> None:
        """Compute for ever, and note the longest time between two steps."""
        last = time.monotonic()
        while True:
            now = time.monotonic()
            self._longest_pause = max(self._longest_pause, now - last)
            last = now

    def try_descriptors(self) -> None:
        """Find a descriptor that was left open. The last one it should have is for the stack of a hang."""
        for number in range(STACK + 1, _OPEN_FILES):
            try:
                os.fstat(number)
            except OSError:
                continue
            raise RuntimeError(f"descriptor {number} is open")

    def try_capabilities(self) -> None:
        """Find a capability."""
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
        sets = (ctypes.c_uint32 * 6)()
        if ctypes.CDLL(None).capget(header, sets) != 0 or any(sets):
            raise RuntimeError("a capability is left")
