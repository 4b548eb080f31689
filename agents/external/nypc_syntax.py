"""The text of NYPC's protocol for Mushroom, for both sides: READY, INIT, TIME, OPP, FINISH and the moves."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = [
    "OK", "Finish", "Init", "Message", "OpponentMove", "Ready", "TimeToMove", "milliseconds", "read_corners",
    "read_message",
]  # fmt: skip

#: The reply to `READY`.
OK: Final = "OK"
_SEATS: Final = {"FIRST": True, "SECOND": False}
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_LONGEST_SECONDS: Final = 1_000_000.0
#: A move is the rows and columns of two opposite corners.
_CORNERS: Final = 4


@dataclass(frozen=True, slots=True)
class Ready:
    """The judge asks whether the program is ready and says which seat it has."""

    is_first: bool

    def __str__(self) -> str:
        return f"READY {'FIRST' if self.is_first else 'SECOND'}"


@dataclass(frozen=True, slots=True)
class Init:
    """The judge shows the rows of the start position."""

    rows: tuple[str, ...]

    def __str__(self) -> str:
        return f"INIT {' '.join(self.rows)}"


@dataclass(frozen=True, slots=True)
class TimeToMove:
    """The judge asks for a move; both times are the milliseconds left."""

    own: int
    opponent: int

    def __str__(self) -> str:
        return f"TIME {self.own} {self.opponent}"


@dataclass(frozen=True, slots=True)
class OpponentMove:
    """The opponent's last move and the milliseconds it took."""

    move: str
    milliseconds: int

    def __str__(self) -> str:
        return f"OPP {self.move} {self.milliseconds}"


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over; the program exits."""

    def __str__(self) -> str:
        return "FINISH"


#: Everything that the judge sends.
Message: TypeAlias = Ready | Init | TimeToMove | OpponentMove | Finish


def read_message(line: str) -> Message | None:
    """The judge's message in a line; None if the line does not follow the protocol."""
    word, *arguments = line.split() or [""]
    numbers = _read_numbers(arguments)
    if word == "READY" and arguments and arguments[0] in _SEATS:
        return Ready(_SEATS[arguments[0]])
    if word == "INIT":
        return Init(tuple(arguments))
    if word == "TIME" and len(numbers) == 2:
        return TimeToMove(*numbers)
    if word == "OPP" and len(numbers) == _CORNERS + 1:
        return OpponentMove(" ".join(arguments[:_CORNERS]), numbers[_CORNERS])
    return Finish() if word == "FINISH" else None


def read_corners(line: str) -> list[int] | None:
    """The four numbers of a move; None if the line is anything else."""
    numbers = _read_numbers(line.split()) if line.isascii() else []
    return numbers if len(numbers) == _CORNERS else None


def milliseconds(seconds: float) -> int:
    """Whole milliseconds; a game without a limit has a large number."""
    return int(min(seconds, _LONGEST_SECONDS) * 1000)


def _read_numbers(words: list[str]) -> list[int]:
    """The words as numbers; empty if one of them is not a number."""
    return [int(word) for word in words] if all(map(_NUMBER.fullmatch, words)) else []
