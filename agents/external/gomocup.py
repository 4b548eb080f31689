"""The Gomocup (piskvork) protocol: playing against Gomoku programs, which Gomocup calls brains."""

import contextlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from agents.external.gomocup_syntax import (
    COMMENTS,
    FAILURES,
    OPPONENT,
    OWN,
    RULE,
    About,
    Stone,
    info_line,
    read_point,
    split_line,
)
from agents.external.protocol import Starts, quoted
from agents.seat import Channel, Ended, Fault, History, Late, Times
from games.base import BLACK, WHITE, Color, Game
from games.errors import BadParameters

__all__ = ["Gomocup"]

_NAME_CHARACTERS: Final = 100
_SYMBOLS: Final = {"X": BLACK, "O": WHITE}
_OPTIONS: Final = ("max_memory", "newline", "turn")
#: What comes before the LF at the end of each line that is sent. CR LF is the standard; some brains refuse the CR.
_NEWLINES: Final = {"crlf": "\r", "lf": ""}
#: The share of its remaining time that a brain may use for one move: so it never runs out of time.
_TURN_SHARE: Final = 1 / 20
#: Where more time is added during the game: the part of a move's time that the brain is told of.
_TURN_MARGIN: Final = 0.8
#: How long a brain may be silent before a command is repeated: the least for a move, the most for other commands.
_LEAST_PATIENCE_SECONDS: Final = 1.0
_MOST_PATIENCE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class _Reply:
    """The line that answers a command, and whether the command had to be repeated."""

    line: str
    is_repeated: bool


class Gomocup:
    """The conversation with one brain.

    Options: `turn`, the most seconds for a move, and `max_memory` in MiB. The brain is told of both limits; they are
    not enforced. `newline` is `crlf` or `lf`: how the lines end that the brain gets.

    Some brains lose a command that arrives right after their own reply. So a command to which no reply comes is
    repeated once; a position is then sent as a whole with `BOARD`. A brain that was only slow replies twice: the
    first reply is its move, and before the next move it is sent `START` again. Lines before the `OK` are ignored.
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
        self._line_end = _NEWLINES[str(options.get("newline", "crlf"))]
        self._now = now
        self._name = ""
        self._match_seconds: float | None = None
        self._sent_limits: dict[str, int] = {}
        #: The stones on the brain's board; None if they are not certain or a late reply may still come.
        self._stones: tuple[Stone, ...] | None = ()

    @property
    def name(self) -> str:
        """The brain's name and version, as far as it reports them."""
        return self._name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Ask for the brain's name. A brain that does not reply has no name."""
        # Half the time: a brain that does not reply here may still be able to play.
        half = self._now() + (deadline - self._now()) / 2
        with contextlib.suppress(Late):
            about = About.read(self._exchange(channel, ["ABOUT"], _is_statement, deadline=half).line)
            self._name = f"{about.name} {about.version}".strip()[:_NAME_CHARACTERS]

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:  # noqa: ARG002
        """Set up an empty board. The protocol has neither colours nor a seed."""
        self._match_seconds = None
        self._start(channel, deadline)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """Ask for a move: with `TURN` if the brain knows all but the last move, else with the whole board."""
        known = self._start(channel, deadline) if self._stones is None else self._stones
        turn_seconds = min(self._turn_seconds, _share(times))
        self._send_limits(channel, times, turn_seconds)
        stones = self._list_stones(history)
        board = ["BOARD", *map(str, stones), "DONE"] if stones else ["BEGIN"]
        is_one_turn = stones and stones[-1].owner == OPPONENT and stones[:-1] == known
        self._stones = None
        reply = self._exchange(
            channel,
            [f"TURN {stones[-1].point}"] if is_one_turn else board,
            lambda line: read_point(line) is not None,
            again=board,
            patience=max(2 * turn_seconds, _LEAST_PATIENCE_SECONDS),
            deadline=deadline,
        )
        move = read_point(reply.line)
        assert move is not None
        self._stones = None if reply.is_repeated else (*stones, Stone(move, OWN))
        return move

    def end(self, channel: Channel) -> None:
        """Send `END`."""
        with contextlib.suppress(Ended):
            self._send(channel, ["END"])

    def _start(self, channel: Channel, deadline: float) -> tuple[Stone, ...]:
        """Clear the brain's board and return the stones on it: none. Lines before its `OK` are ignored."""
        start = f"START {self._game.parameters['size']}"
        # If late replies may still come, an ERROR may be one of them.
        accepted = ("OK",) if self._stones is None else ("OK", "ERROR")
        reply = self._exchange(channel, [start], lambda line: split_line(line)[0] in accepted, deadline=deadline)
        if split_line(reply.line)[0] != "OK":
            raise Fault("protocol", f"answered {quoted(reply.line)} to {start!r}")
        self._send(channel, [info_line("rule", RULE), info_line("game_type", 1)])
        if self._memory_bytes:
            self._send(channel, [info_line("max_memory", self._memory_bytes)])
        self._sent_limits = {}
        self._stones = ()
        return self._stones

    def _send_limits(self, channel: Channel, times: Times, turn_seconds: float) -> None:
        """Send the time limits that have changed, in milliseconds.

        The protocol knows neither increments nor periods: then only the limit of the turn says how long to think.
        """
        if self._match_seconds is None:
            self._match_seconds = times.own
        limits = {"timeout_turn": turn_seconds}
        if not times.increment and times.moves_to_go is None:
            limits = {"timeout_match": self._match_seconds, **limits, "time_left": times.own}
        for key, seconds in limits.items():
            # At least 1: zero means "no limit" for one key and "no time" for another.
            milliseconds = max(int(seconds * 1000), 1)
            if self._sent_limits.get(key) != milliseconds:
                self._send(channel, [info_line(key, milliseconds)])
                self._sent_limits[key] = milliseconds

    def _list_stones(self, history: History) -> tuple[Stone, ...]:
        """The stones of the start position, then those of the moves in their order."""
        start = self._game.position(history.start)
        placed = [
            (f"{x},{y}", _SYMBOLS[symbol])
            for y, row in enumerate(start.text.split()[0].split("/"))
            for x, symbol in enumerate(row)
            if symbol in _SYMBOLS
        ]
        movers = (start.turn, not start.turn)
        placed += [(move, movers[turn % 2]) for turn, move in enumerate(history.moves)]
        return tuple(Stone(point, OWN if color == history.state.turn else OPPONENT) for point, color in placed)

    def _send(self, channel: Channel, lines: Sequence[str]) -> None:
        for line in lines:
            channel.send(f"{line}{self._line_end}")  # the channel adds the LF

    def _exchange(
        self,
        channel: Channel,
        lines: Sequence[str],
        accepts: Callable[[str], bool],
        *,
        again: Sequence[str] = (),
        patience: float = _MOST_PATIENCE_SECONDS,
        deadline: float,
    ) -> _Reply:
        """Send lines and wait for an accepted reply; if none comes soon, send them, or `again`, once more."""
        left = deadline - self._now()
        until = deadline - left + min(patience, left / 4)
        is_repeated, failure = False, ""
        self._send(channel, lines)
        while True:
            try:
                line = channel.receive(until).strip()
            except Late:
                if is_repeated and failure:
                    raise Fault("protocol", f"answered {quoted(failure)} to {lines[0]!r}") from None
                if is_repeated:
                    raise
                is_repeated, until = True, deadline
                self._send(channel, again or lines)
                continue
            if line and accepts(line):
                return _Reply(line, is_repeated)
            if split_line(line)[0] in FAILURES:
                failure = line


def _share(times: Times) -> float:
    """The seconds for one move, so that the brain never runs out of time."""
    if times.moves_to_go is None and not times.increment:
        return times.own * _TURN_SHARE
    moves = min(1 / _TURN_SHARE, times.moves_to_go or math.inf)
    return min(times.own / moves + times.increment, times.own) * _TURN_MARGIN


def _check(options: Mapping[str, int | float | str]) -> None:
    for option, value in options.items():
        if option not in _OPTIONS:
            raise BadParameters(f"gomocup has no option {option!r}; its options are {', '.join(_OPTIONS)}")
        if option == "newline":
            if value not in _NEWLINES:
                raise BadParameters(f"newline must be {' or '.join(_NEWLINES)}, not {value!r}")
        elif isinstance(value, str) or not 0 < value <= 1e6:
            raise BadParameters(f"{option} must be a number above 0 and up to 1000000, not {value!r}")


def _is_statement(line: str) -> bool:
    return split_line(line)[0] not in COMMENTS
