"""A player's process as the Linux kernel knows it, and the plain way to start one."""

import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agents.child import WIRE
from arena.errors import Void
from arena.process.environment import trusted_environment

__all__ = ["SpawnedProcess", "Watcher", "start_plain", "start_plain_program"]


class Watcher(Protocol):
    """Hears of the calls that a confined process is refused."""

    def fileno(self) -> int:
        """The descriptor that becomes readable when there is something to hear."""
        ...

    def serve(self) -> None:
        """Answer one call; raises `Fault` if it breaks a rule."""

    def note(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        ...

    def close(self) -> None:
        """Let go of it."""


@dataclass(frozen=True, slots=True)
class SpawnedProcess:
    """A child process of ours: its pid, our end of the socket to it, the pipe with what it prints, its memory limit."""

    pid: int
    wire: socket.socket
    output: int
    watcher: Watcher | None = None
    memory: int | None = None
    #: Where a program reads what it is told; a Python player hears it from the wire.
    inlet: socket.socket | None = None

    @property
    def is_frozen_off_turn(self) -> bool:
        """Whether it is stopped while it is not asked: only where it cannot undo that."""
        return self.watcher is not None


def start_plain() -> SpawnedProcess:
    """A Python process that is not confined at all, in a process session of its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    places: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), WIRE),
    ]
    command = (sys.executable, "-P", "-s", "-m", "agents.child", str(os.getpid()))
    return _spawned(command, places, ours=ours, theirs=theirs, outputs=(1, 2))


def start_plain_program(command: Sequence[str]) -> SpawnedProcess:
    """A native program that is not confined at all, with our end of the wire as its input and output."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    inlet, entry = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    places = [(os.POSIX_SPAWN_DUP2, entry.fileno(), 0), (os.POSIX_SPAWN_DUP2, theirs.fileno(), 1)]
    try:
        return replace(_spawned(command, places, ours=ours, theirs=theirs, outputs=(2,)), inlet=inlet)
    finally:
        entry.close()


def _spawned(
    command: Sequence[str], places: Sequence[tuple[object, ...]], *,
    ours: socket.socket, theirs: socket.socket, outputs: Sequence[int],
) -> SpawnedProcess:  # fmt: skip
    """A process with these descriptors, and others that lead into a pipe of its own."""
    reading, writing = os.pipe()
    actions = [*places, *((os.POSIX_SPAWN_DUP2, writing, number) for number in outputs)]
    try:
        pid = os.posix_spawn(command[0], list(command), trusted_environment(), file_actions=actions, setsid=True)
    except OSError as error:
        ours.close()
        os.close(reading)
        raise Void(f"cannot start a player's process: {error}") from error
    finally:
        theirs.close()
        os.close(writing)
    return SpawnedProcess(pid, ours, reading)
