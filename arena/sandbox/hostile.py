"""The agent that `arena doctor` plays: it tries one forbidden thing. Staged and confined like a participant's file."""

import ctypes
import os
import signal
import socket
import threading
import time
from pathlib import Path

from agents import BaseAgent
from games.base import Color, Move, State

__all__ = ["Hostile"]

_PTRACE_TRACEME = 0
_CAPABILITY_VERSION = 0x20080522
_OPEN_FILES = 256


class Hostile(BaseAgent):
    """Does in its first move what its option `tries` names, then plays on as if nothing had happened.

    Every attempt is harmless where it succeeds. What it should not be able to see, it raises if it sees it.
    """

    def __init__(self, name: str, color: Color, *, tries: str, marker: str = "") -> None:
        super().__init__(name, color)
        self._tries = tries
        self._marker = marker
        self._spun = 0.0
        self._waited = 0.0

    def act(self, state: State) -> Move:
        """Try it, then make the first move there is."""
        getattr(self, f"try_{self._tries}")()
        move = state.legal_moves[0]
        self._waited, self._spun = time.monotonic(), time.process_time()
        return move

    def try_read(self) -> None:
        """Read a file of the system."""
        Path("/etc/passwd").read_bytes()

    def try_read_quietly(self) -> None:
        """Read a file of the system where nobody is told of it."""
        try:
            Path("/etc/passwd").read_bytes()
        except PermissionError:
            return
        raise RuntimeError("read /etc/passwd")

    def try_write(self) -> None:
        """Make a file where everybody may."""
        Path(self._marker).write_text("an agent was here")

    def try_list(self) -> None:
        """Look around."""
        os.listdir("/")  # noqa: PTH208 - the plainest way

    def try_chmod(self) -> None:
        """Change its own source."""
        Path(__file__).chmod(0o755)

    def try_socket(self) -> None:
        """Open a network connection."""
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()

    def try_fork(self) -> None:
        """Start a process."""
        if os.fork() == 0:
            os._exit(0)

    def try_exec(self) -> None:
        """Become another program."""
        os.execv("/bin/true", ["true"])  # noqa: S606 - the attempt

    def try_kill(self) -> None:
        """Signal the referee; the signal 0 only asks whether one could."""
        os.kill(os.getppid(), 0)

    def try_ptrace(self) -> None:
        """Take part in debugging."""
        ctypes.CDLL(None).ptrace(_PTRACE_TRACEME, 0, None, None)

    def try_peek(self) -> None:
        """Read the memory of the referee, none of it."""
        ctypes.CDLL(None).process_vm_readv(os.getppid(), None, 0, None, 0, 0)

    def try_priority(self) -> None:
        """Push itself forward."""
        os.setpriority(os.PRIO_PROCESS, 0, -5)

    def try_memory(self) -> None:
        """Take more memory than there is."""
        bytearray(64 << 30)

    def try_threads(self) -> None:
        """Start more threads than allowed; they wait."""
        done = threading.Event()
        for _ in range(40):
            threading.Thread(target=done.wait, daemon=True).start()
        done.set()

    def try_hang(self) -> None:
        """Never answer, deaf to signals."""
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass

    def try_ponder(self) -> None:
        """Compute in the opponent's turn, and find out whether that worked."""
        if not self._waited:
            threading.Thread(target=_spin, daemon=True).start()
            return
        away, used = time.monotonic() - self._waited, time.process_time() - self._spun
        if used > away / 4:
            raise RuntimeError(f"computed {used:.3f} s of the opponent's {away:.3f} s")

    def try_descriptors(self) -> None:
        """Find something that was left open."""
        for number in range(4, _OPEN_FILES):
            try:
                os.fstat(number)
            except OSError:
                continue
            raise RuntimeError(f"descriptor {number} is open")

    def try_capabilities(self) -> None:
        """Find a privilege."""
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
        sets = (ctypes.c_uint32 * 6)()
        if ctypes.CDLL(None).capget(header, sets) != 0 or any(sets):
            raise RuntimeError("there is a capability left")


def _spin() -> None:
    while True:
        pass
