"""A worker process, which performs tasks on one core with a zygote of its own: its start, its messages, its loop.

Light, so that the first worker can boot while the coordinator still imports its modules. Coordinator and workers are
processes of ours that run no agent, so they may send each other pickles.
"""

import contextlib
import os
import signal
import socket
import struct
import sys
from typing import Final

from arena.process.spawn import python_path
from arena.sandbox import boot

__all__ = ["READY", "main", "receive", "send", "start", "start_early"]

#: Sent once by a worker, before its first outcome.
READY: Final = "ready"
_LENGTH: Final = struct.Struct("!I")

#: Workers that were started early, by their cores.
_started: dict[int, tuple[int, socket.socket]] = {}


def start_early() -> None:
    """Start a worker on the first core; `start` returns it later."""
    core = min(os.sched_getaffinity(0))
    _started[core] = _spawn(core)


def start(core: int) -> tuple[int, socket.socket]:
    """The PID of a worker process on this core and our end of the socket to it."""
    return _started.pop(core) if core in _started else _spawn(core)


def _spawn(core: int) -> tuple[int, socket.socket]:
    ours, theirs = socket.socketpair()
    numbers = (os.getpid(), theirs.fileno(), core)
    command = [sys.executable, "-P", "-s", "-m", "arena.execution.worker", *map(str, numbers)]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),  # only the coordinator writes to standard output
    ]
    theirs.set_inheritable(True)
    # In a session of its own, so that only the coordinator receives Ctrl-C.
    pid = os.posix_spawn(
        sys.executable, command, os.environ | {"PYTHONPATH": python_path()}, file_actions=actions, setsid=True
    )
    theirs.close()
    return pid, ours


def send(wire: socket.socket, message: object) -> None:
    """Send an object to the other end."""
    import pickle  # not at the top: a worker starts faster without it

    data = pickle.dumps(message)
    wire.sendall(_LENGTH.pack(len(data)) + data)


def receive(wire: socket.socket) -> object:
    """The next object from the other end; raises `EOFError` when the other end is closed."""
    import pickle

    (length,) = _LENGTH.unpack(_receive(wire, _LENGTH.size))
    message: object = pickle.loads(_receive(wire, length))  # noqa: S301 - from a process of ours
    return message


def _receive(wire: socket.socket, length: int) -> bytes:
    parts = []
    while length:
        part = wire.recv(length)
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def main(parent: int, descriptor: int, core: int) -> None:
    """Perform tasks until the coordinator closes the socket; end with the coordinator."""
    os.sched_setaffinity(0, {core})  # before the zygote starts: its children inherit the core
    boot.start_early()
    # Only now, while the zygote boots: these imports take as long as it does.
    from arena.execution.executor import attempt
    from arena.referee.players import ProcessPlayers, Setup
    from arena.sandbox import linux

    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    os.set_inheritable(descriptor, False)
    with socket.socket(fileno=descriptor) as wire, contextlib.suppress(EOFError, ConnectionError):
        setup = receive(wire)
        assert isinstance(setup, Setup)
        with ProcessPlayers(setup) as players:
            boot.discard()
            send(wire, READY)
            while True:
                send(wire, attempt(receive(wire), players))  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
