"""JSON lines: our own protocol, for all games and all languages."""

import json
import math
from collections.abc import Mapping
from typing import ClassVar, Final

from agents.external.protocol import Starts, quoted, refuse_options
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters

__all__ = ["PROTOCOL", "JsonLines"]

#: The version of the protocol; increased when a program that follows the README would stop working.
PROTOCOL: Final = 1

_NAME_CHARACTERS: Final = 100
_MOVE_CHARACTERS: Final = 64
_SEEDS: Final = 1 << 32  # every language can represent these numbers exactly


class JsonLines:
    """One JSON object per line, both ways. Each request contains the whole game, so a program can join at any time."""

    games: ClassVar[tuple[str, ...]] = ()
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters) -> None:
        refuse_options("json", options)
        self._game = game
        self._name = ""

    @property
    def name(self) -> str:
        """The name in the program's reply to the last `start`."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Do nothing: the `start` message contains everything."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """Send the game, its parameters and the start position, and wait until the program is ready."""
        _send(
            channel, type="start", protocol=PROTOCOL, game=self._game.name, parameters=dict(self._game.parameters),
            color="first" if color == self._game.first else "second", start=start, seed=seed % _SEEDS,
        )  # fmt: skip
        line = channel.receive(deadline)
        reply = _object(line)
        if reply.get("type") != "ready":
            raise Fault("protocol", f"answered start with {quoted(line)}, not with an object of type ready")
        name = reply.get("name")
        # A lone surrogate could not be stored.
        self._name = name[:_NAME_CHARACTERS].encode("utf-8", "replace").decode() if isinstance(name, str) else ""

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move. Non-ASCII characters in the reply are replaced."""
        _send(
            channel, type="move", moves=list(history.moves), position=history.state.text,
            legal=[str(move) for move in history.state.legal_moves],
            own=_seconds(times.own), opponent=_seconds(times.opponent), **_added(times),
        )  # fmt: skip
        line = channel.receive(deadline)
        move = _object(line).get("move")
        if not isinstance(move, str):
            raise Fault("protocol", f"answered with {quoted(line)}, which has no string as its move")
        # One character more than a move may have, so that a longer text is still too long.
        return move[: _MOVE_CHARACTERS + 1].encode("ascii", "replace").decode()

    def end(self, channel: Channel) -> None:
        """Send `end`: the program exits."""
        _send(channel, type="end")


def _added(times: Times) -> dict[str, object]:
    """What is added to the time during the game, if anything is."""
    added = {"increment": times.increment or None, "moves_to_go": times.moves_to_go}
    return {key: value for key, value in added.items() if value is not None}


def _send(channel: Channel, **message: object) -> None:
    channel.send(json.dumps(message, separators=(",", ":")))


def _object(line: str) -> Mapping[str, object]:
    """The JSON object in a line. Only its strings are ever used."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Fault("protocol", f"answered with {quoted(line)}, which is not JSON") from error
    if not isinstance(found, dict):
        raise Fault("protocol", f"answered with {quoted(line)}, which is not a JSON object")
    return found


def _seconds(left: float) -> float | None:
    return round(float(left), 3) if math.isfinite(left) else None
