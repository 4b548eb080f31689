"""Starting a zygote's process; light, so that it can boot while others read their modules."""

import os
import socket
import sys
from pathlib import Path
from typing import Final

__all__ = ["CONTROL", "bare_environment", "discard", "early", "zygote"]

#: The zygote's descriptor of the socket to its referee.
CONTROL: Final = 3

_waiting: list[tuple[int, socket.socket]] = []


def early() -> None:
    """Start a zygote that `zygote` will give out later."""
    _waiting.append(_start())


def zygote() -> tuple[int, socket.socket]:
    """The pid of a zygote that waits to be told its game and libraries, and our end of the socket to it."""
    return _waiting.pop() if _waiting else _start()


def discard() -> None:
    """End what nobody has asked for."""
    while _waiting:
        pid, control = _waiting.pop()
        control.close()
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def bare_environment() -> dict[str, str]:
    """An environment with nothing of ours: what a process starts with can be found in its memory for ever."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    # A fixed hash seed, so that the order of sets is the same when a game is played again.
    ours = {"LANG": "C.UTF-8", "PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    # Players and referee use the same form of the rules.
    return threads | ours | {name: os.environ[name] for name in ("ARENA_KERNEL",) if name in os.environ}


def _start() -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-P", "-s", "-m", "arena.sandbox.zygote", str(os.getpid())]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), CONTROL),
    ]
    pid = os.posix_spawn(sys.executable, command, bare_environment(), file_actions=actions, setsid=True)
    theirs.close()
    return pid, ours
