"""What a coordinator and its workers send to each other. Both are processes of ours; neither runs an agent."""

import pickle
import socket
import struct
from dataclasses import dataclass
from typing import Final

from arena.sandbox.launch import Rules
from games.base import Game

__all__ = ["READY", "Setup", "receive", "send"]

#: Said once by a worker, before its first outcome.
READY: Final = "ready"
_LENGTH: Final = struct.Struct("!I")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker is told first; tasks follow."""

    game: Game
    rules: Rules | None
    needs: tuple[str, ...]


def send(wire: socket.socket, what: object) -> None:
    """Send an object to the other end."""
    message = pickle.dumps(what)
    wire.sendall(_LENGTH.pack(len(message)) + message)


def receive(wire: socket.socket) -> object:
    """The next object from the other end; raises `EOFError` when that is gone."""
    (length,) = _LENGTH.unpack(_receive(wire, _LENGTH.size))
    heard: object = pickle.loads(_receive(wire, length))  # noqa: S301 - see above
    return heard


def _receive(wire: socket.socket, length: int) -> bytes:
    parts = []
    while length:
        part = wire.recv(length)
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
