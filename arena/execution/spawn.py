"""Starting worker processes; light, so that the first of them can boot while we read our own modules."""

import os
import socket
import sys
from pathlib import Path

__all__ = ["early", "worker"]

#: By their cores.
_waiting: dict[int, tuple[int, socket.socket]] = {}


def early() -> None:
    """Start a worker on the first core that `worker` will give out later."""
    core = min(os.sched_getaffinity(0))
    _waiting[core] = _start(core)


def worker(core: int) -> tuple[int, socket.socket]:
    """The pid of a worker process on this core and our end of the socket to it."""
    return _waiting.pop(core) if core in _waiting else _start(core)


def _start(core: int) -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair()
    numbers = (os.getpid(), theirs.fileno(), core)
    command = [sys.executable, "-P", "-s", "-m", "arena.execution.worker", *map(str, numbers)]
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
