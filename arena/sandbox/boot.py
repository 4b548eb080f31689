"""Starting a zygote's process; light, so that it can boot while others read their modules."""

import os
import socket
import sys
from typing import Final

from arena.process.environment import bare_environment

__all__ = ["CONTROL", "discard", "early", "zygote"]

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
