"""Starting worker processes; light, so that the first of them can boot while we read our own modules."""

import os
import socket
import sys
from pathlib import Path

__all__ = ["early", "worker"]

_waiting: list[tuple[int, socket.socket]] = []


def early() -> None:
    """Start a worker that `worker` will give out later."""
    _waiting.append(_start())


def worker() -> tuple[int, socket.socket]:
    """The pid of a worker process and our end of the socket to it."""
    return _waiting.pop() if _waiting else _start()


def _start() -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-s", "-m", "arena.worker", str(os.getpid()), str(theirs.fileno())]
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),  # nothing of it may come between our results
    ]
    theirs.set_inheritable(True)
    # In a session of its own: Ctrl-C is ours to hear.
    pid = os.posix_spawn(
        sys.executable, command, os.environ | {"PYTHONPATH": path}, file_actions=actions, setsid=True
    )  # fmt: skip
    theirs.close()
    return pid, ours
