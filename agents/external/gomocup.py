"""The protocol of Gomocup (piskvork): brains that play Gomoku."""

import contextlib
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from agents.external.dialect import Starts
from agents.seat import Channel, Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, Color, Game
from games.errors import BadParameters

__all__ = ["Gomocup"]

_MOVE: Final = re.compile(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", re.ASCII)
_QUOTED: Final = re.compile(r'\b(name|version)\s*=\s*"([^"]*)"', re.ASCII | re.IGNORECASE)
_CHATTER: Final = ("MESSAGE", "DEBUG", "SUGGEST")
_REFUSALS: Final = ("ERROR", "UNKNOWN")
_SHOWN_CHARACTERS: Final = 100
_SYMBOLS: Final = {"X": BLACK, "O": WHITE}
_OPTIONS: Final = ("max_memory", "turn")
#: The share of its time that a brain is told for one move: one that takes all of it every time never runs out.
_TURN_SHARE: Final = 1 / 20
#: How long a brain may be silent before it is told again, at the least for a move and at the most for anything else.
_LEAST_PATIENCE_SECONDS: Final = 1.0
_MOST_PATIENCE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class _Heard:
    """The line that was waited for, and whether the brain had to be told again."""

    line: str
    is_repeated: bool


class Gomocup:
    """One brain; options: `turn`, most seconds a move, and `max_memory`, MiB: limits that it is told of, not held to.

    Some brains lose a command that arrives right after their own answer. So one that stays silent is told once more,
    the position as a whole by `BOARD`. If it had been thinking it will answer twice: the first answer is the move, and
    for the next one it starts afresh: what comes before the `OK` is old.
    """

    games: ClassVar[tuple[str, ...]] = ("gomoku",)
    starts: ClassVar[Starts] = "anywhere"

    def __init__(
        self, game: Game, options: Mapping[str, int | float | str], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        _check(options)
        self._game = game
        self._turn_seconds = float(options.get("turn", math.inf))
        self._memory_bytes = int(float(options.get("max_memory", 0)) * 2**20)
        self._now = now
        self._name = ""
        self._match_seconds: float | None = None
        self._told: dict[str, int] = {}
        #: The stones on the brain's board, as `BOARD` lists them; none if that is not certain, nor that it is silent.
        self._stones: tuple[str, ...] | None = ()

    @property
    def name(self) -> str:
        """The brain's name and version, as far as it says them."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Ask who it is; a brain that does not say so has no name."""
        # Half the time: a brain that is silent here may still know how to play.
        half = self._now() + (deadline - self._now()) / 2
        with contextlib.suppress(Late):
            self._name = _name(self._exchange(channel, ["ABOUT"], _is_statement, deadline=half).line)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """An empty board; the protocol has no word for colours, and none for a seed."""
        self._match_seconds = None
        self._start(channel, deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """A move for the position; the last move tells it to a brain that knows the rest."""
        known = self._start(channel, deadline) if self._stones is None else self._stones
        turn_seconds = min(self._turn_seconds, times.own * _TURN_SHARE)
        self._tell_limits(channel, times.own, turn_seconds)
        stones = self._listed(history)
        whole = ["BOARD", *stones, "DONE"] if stones else ["BEGIN"]
        is_told_by_move = stones and stones[-1].endswith(",2") and stones[:-1] == known
        self._stones = None
        heard = self._exchange(
            channel,
            [f"TURN {stones[-1].removesuffix(',2')}"] if is_told_by_move else whole,
            lambda line: _MOVE.fullmatch(line) is not None,
            again=whole,
            patience=max(2 * turn_seconds, _LEAST_PATIENCE_SECONDS),
            deadline=deadline,
        )
        move = ",".join(str(int(number)) for number in heard.line.split(","))
        self._stones = None if heard.is_repeated else (*stones, f"{move},1")
        return move

    def end(self, channel: Channel) -> None:
        """Tell it to end."""
        with contextlib.suppress(Ended):
            _send(channel, ["END"])

    def _start(self, channel: Channel, deadline: float) -> tuple[str, ...]:
        """Have the brain clear its board; what it said before its `OK` is forgotten. The stones that are left: none."""
        start = f"START {self._game.parameters['size']}"
        # Of a brain that has answers left to give, an ERROR may be one of them.
        accepted = ("OK",) if self._stones is None else ("OK", "ERROR")
        heard = self._exchange(channel, [start], lambda line: _word(line) in accepted, deadline=deadline)
        if _word(heard.line) != "OK":
            raise Fault("protocol", f"answered {heard.line[:_SHOWN_CHARACTERS]!r} to {start!r}")
        _send(channel, ["INFO rule 0", "INFO game_type 1"])
        if self._memory_bytes:
            _send(channel, [f"INFO max_memory {self._memory_bytes}"])
        self._told = {}
        self._stones = ()
        return self._stones

    def _tell_limits(self, channel: Channel, own_seconds: float, turn_seconds: float) -> None:
        """What has changed of the limits, in milliseconds."""
        if self._match_seconds is None:
            self._match_seconds = own_seconds
        limits = {"timeout_match": self._match_seconds, "timeout_turn": turn_seconds, "time_left": own_seconds}
        for key, seconds in limits.items():
            # Zero means no limit in one of them and no time in another.
            milliseconds = max(int(seconds * 1000), 1)
            if self._told.get(key) != milliseconds:
                _send(channel, [f"INFO {key} {milliseconds}"])
                self._told[key] = milliseconds

    def _listed(self, history: History) -> tuple[str, ...]:
        """The stones as `x,y,1` for the brain's own and `x,y,2` for the opponent's, in the order they came."""
        start = self._game.position(history.start)
        placed = [
            (f"{x},{y}", _SYMBOLS[symbol])
            for y, row in enumerate(start.text.split()[0].split("/"))
            for x, symbol in enumerate(row)
            if symbol in _SYMBOLS
        ]
        movers = (start.turn, not start.turn)
        placed += [(move, movers[turn % 2]) for turn, move in enumerate(history.moves)]
        return tuple(f"{place},{1 if color == history.state.turn else 2}" for place, color in placed)

    def _exchange(
        self,
        channel: Channel,
        lines: Sequence[str],
        accepts: Callable[[str], bool],
        *,
        again: Sequence[str] = (),
        patience: float = _MOST_PATIENCE_SECONDS,
        deadline: float,
    ) -> _Heard:
        """Say something and wait for the line that answers it; say it, or `again`, once more if none comes soon."""
        left = deadline - self._now()
        until = deadline - left + min(patience, left / 4)
        is_repeated, complaint = False, ""
        _send(channel, lines)
        while True:
            try:
                line = channel.receive(until).strip()
            except Late:
                if is_repeated and complaint:
                    raise Fault("protocol", f"answered {complaint!r} to {lines[0]!r}") from None
                if is_repeated:
                    raise
                is_repeated, until = True, deadline
                _send(channel, again or lines)
                continue
            if line and accepts(line):
                return _Heard(line, is_repeated)
            if _word(line) in _REFUSALS:
                complaint = line[:_SHOWN_CHARACTERS]


def _check(options: Mapping[str, int | float | str]) -> None:
    for option, value in options.items():
        if option not in _OPTIONS:
            raise BadParameters(f"gomocup has no option {option!r}; there are {', '.join(_OPTIONS)}")
        if isinstance(value, str) or not 0 < value <= 1e6:
            raise BadParameters(f"{option} must be a number above 0 and up to 1000000, not {value!r}")


def _send(channel: Channel, lines: Sequence[str]) -> None:
    for line in lines:
        # The protocol wants CR and LF; the channel adds the latter.
        channel.send(f"{line}\r")


def _name(about: str) -> str:
    """The name and version of an answer to `ABOUT`; all of it if it has another form, nothing if it is a refusal."""
    if _word(about) in _REFUSALS:
        return ""
    quoted = {key.lower(): value for key, value in _QUOTED.findall(about)}
    name = f"{quoted['name']} {quoted.get('version', '')}".strip() if "name" in quoted else about
    return name[:_SHOWN_CHARACTERS]


def _word(line: str) -> str:
    """The first word, in capitals."""
    return line.upper().partition(" ")[0].rstrip(":")


def _is_statement(line: str) -> bool:
    return _word(line) not in _CHATTER
