"""Starts the processes of zygotes. Light, so that one can boot while its parent still imports its modules."""

import os
import socket
import sys
from typing import Final

from arena.process.spawn import bare_environment

__all__ = ["CONTROL", "discard", "start", "start_early"]

#: The zygote's file descriptor of the socket to the referee.
CONTROL: Final = 3

#: Zygotes that were started early.
_started: list[tuple[int, socket.socket]] = []


def start_early() -> None:
    """Start a zygote; `start` returns it later."""
    _started.append(_spawn())


def start() -> tuple[int, socket.socket]:
    """The PID of a zygote that waits for its game and libraries, and our end of the socket to it."""
    return _started.pop() if _started else _spawn()


def discard() -> None:
    """End the zygotes that were started early and not used."""
    while _started:
        pid, control = _started.pop()
        control.close()
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def _spawn() -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-P", "-s", "-m", "arena.sandbox.zygote", str(os.getpid())]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), CONTROL),
    ]
    pid = os.posix_spawn(sys.executable, command, bare_environment(), file_actions=actions, setsid=True)
    theirs.close()
    return pid, ours
