"""JSON lines: a protocol of our own, for any game and any language."""

import json
import math
from collections.abc import Mapping
from typing import ClassVar, Final

from agents.external.dialect import Starts
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Game, Parameters
from games.errors import BadParameters

__all__ = ["PROTOCOL", "JsonLines"]

#: Raised when a program that keeps to the README would no longer understand what it is told.
PROTOCOL: Final = 1

_NAME_CHARACTERS: Final = 100
_MOVE_CHARACTERS: Final = 64
_SHOWN_CHARACTERS: Final = 60
_SEEDS: Final = 1 << 32  # whole numbers of this size are the same in every language


class JsonLines:
    """One JSON object a line each way; every question tells the whole game, so a program may join at any time."""

    games: ClassVar[tuple[str, ...]] = ()
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters) -> None:
        if options:
            raise BadParameters(
                f"json has no option {next(iter(options))!r}; options of the program belong in its command"
            )
        self._game = game
        self._name = ""

    @property
    def name(self) -> str:
        """What the program said in its answer to the last start."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Nothing: the start of a game says it all."""

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """Tell what is played and wait until the program is ready for it."""
        _send(
            channel, type="start", protocol=PROTOCOL, game=self._game.name, parameters=dict(self._game.parameters),
            color="first" if color == self._game.first else "second", start=start, seed=seed % _SEEDS,
        )  # fmt: skip
        line = channel.receive(deadline)
        reply = _object(line)
        if reply.get("type") != "ready":
            raise Fault("protocol", f"answered the start with {_shown(line)}, not with an object of the type ready")
        name = reply.get("name")
        # A lone surrogate could not be stored.
        self._name = name[:_NAME_CHARACTERS].encode("utf-8", "replace").decode() if isinstance(name, str) else ""

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """The text of the move in the next line, non-ASCII replaced."""
        _send(
            channel, type="move", moves=list(history.moves), position=history.state.text,
            legal=[str(move) for move in history.state.legal_moves],
            own=_seconds(times.own), opponent=_seconds(times.opponent),
        )  # fmt: skip
        line = channel.receive(deadline)
        move = _object(line).get("move")
        if not isinstance(move, str):
            raise Fault("protocol", f"answered with {_shown(line)}, which has no text as its move")
        # One character more than a move may have, so that a longer text stays too long.
        return move[: _MOVE_CHARACTERS + 1].encode("ascii", "replace").decode()

    def end(self, channel: Channel) -> None:
        """The program is to exit now."""
        _send(channel, type="end")


def _send(channel: Channel, **message: object) -> None:
    channel.send(json.dumps(message, separators=(",", ":")))


def _object(line: str) -> Mapping[str, object]:
    """The JSON object in a line; of what it holds only texts are ever looked at."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Fault("protocol", f"answered with {_shown(line)}, which is no JSON") from error
    if not isinstance(found, dict):
        raise Fault("protocol", f"answered with {_shown(line)}, which is no JSON object")
    return found


def _shown(line: str) -> str:
    return repr(line[:_SHOWN_CHARACTERS])


def _seconds(left: float) -> float | None:
    return round(float(left), 3) if math.isfinite(left) else None
