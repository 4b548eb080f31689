"""A process that has been spawned, as file descriptors and a PID, and how to spawn one that is not confined."""

import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agents.child import STACK, WIRE
from arena.errors import Void
from arena.process.spawn import trusted_environment
from arena.process.stack_dump import StackDump

__all__ = ["Interrupt", "SpawnedProcess", "Watcher", "start_unconfined_agent", "start_unconfined_program"]


class Watcher(Protocol):
    """Receives the system calls that a confined process may not make."""

    def fileno(self) -> int:
        """The descriptor that becomes readable when a call waits for a decision."""
        ...

    def serve(self) -> None:
        """Decide one call; raises `Fault` if the call breaks a rule."""

    def refused(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        ...

    def close(self) -> None:
        """Close the descriptors."""


class Interrupt(Protocol):
    """May end the wait for an answer of a process: the person at a table can take a move back while an agent thinks."""

    def fileno(self) -> int:
        """The descriptor that becomes readable when somebody wants something; -1 while nothing can end the wait."""
        ...

    def serve(self) -> None:
        """Read what somebody wants; an exception ends the wait, and with it the request."""


@dataclass(frozen=True, slots=True)
class SpawnedProcess:
    """A child process: its PID, our end of the socket to it, the pipe with its output, its memory limit in bytes."""

    pid: int
    wire: socket.socket
    output: int
    watcher: Watcher | None = None
    memory: int | None = None
    #: Where a program reads its input; None for a Python agent, which reads requests from the wire.
    inlet: socket.socket | None = None
    #: Where a Python agent says what it is running.
    stack: StackDump | None = None
    #: What may end the wait for its answer, if anything.
    interrupt: Interrupt | None = None

    @property
    def is_frozen_off_turn(self) -> bool:
        """Whether it is stopped between requests: only a confined process, which cannot undo that."""
        return self.watcher is not None


def start_unconfined_agent(*, stop_byte: int | None = None) -> SpawnedProcess:
    """Start a Python process for an agent in a session of its own, without any confinement.

    `stop_byte` is the descriptor of a file whose first byte asks its search to stop.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stack = StackDump()
    descriptors: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), WIRE),
        (os.POSIX_SPAWN_DUP2, stack.descriptor, STACK),
    ]
    command = [sys.executable, "-P", "-s", "-m", "agents.child", str(os.getpid())]
    if stop_byte is not None:
        descriptors.append((os.POSIX_SPAWN_DUP2, stop_byte, STACK + 1))
        command.append(str(STACK + 1))
    try:
        return replace(_spawn(command, descriptors, ours=ours, theirs=theirs, outputs=(1, 2)), stack=stack)
    except Void:
        stack.close()
        raise


def start_unconfined_program(command: Sequence[str]) -> SpawnedProcess:
    """Start a native program without any confinement; sockets to us are its standard input and output."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    inlet, entry = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    descriptors = [(os.POSIX_SPAWN_DUP2, entry.fileno(), 0), (os.POSIX_SPAWN_DUP2, theirs.fileno(), 1)]
    try:
        return replace(_spawn(command, descriptors, ours=ours, theirs=theirs, outputs=(2,)), inlet=inlet)
    finally:
        entry.close()


def _spawn(
    command: Sequence[str], descriptors: Sequence[tuple[object, ...]], *,
    ours: socket.socket, theirs: socket.socket, outputs: Sequence[int],
) -> SpawnedProcess:  # fmt: skip
    """Start a process with these descriptors; the `outputs` lead into a pipe to us."""
    reading, writing = os.pipe()
    actions = [*descriptors, *((os.POSIX_SPAWN_DUP2, writing, number) for number in outputs)]
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
