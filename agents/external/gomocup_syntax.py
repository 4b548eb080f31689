"""The text of the Gomocup (piskvork) protocol, for both sides: command words, points, stones, limits, names."""

import re
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias, cast

__all__ = [
    "COMMENTS", "FAILURES", "LIMITS", "OPPONENT", "OWN", "RULE", "About", "Owner", "Stone", "info_line",
    "read_number", "read_point", "split_line",
]  # fmt: skip

#: Whose stone a line of `BOARD` describes, seen from the brain; 3 marks a stone in addition and can be ignored.
Owner: TypeAlias = Literal["1", "2", "3"]
OWN: Final = "1"
OPPONENT: Final = "2"
#: The value of `INFO rule` for our rules: five or more in a row win.
RULE: Final = "0"
#: The keys of `INFO` that carry a time limit, in milliseconds.
LIMITS: Final = ("timeout_match", "timeout_turn", "time_left")
#: The first words of replies that report a failure.
FAILURES: Final = ("ERROR", "UNKNOWN")
#: The first words of lines that a brain may send at any time.
COMMENTS: Final = ("MESSAGE", "DEBUG", "SUGGEST")

_POINT: Final = re.compile(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", re.ASCII)
_STONE: Final = re.compile(r"([0-9]{1,3}\s*,\s*[0-9]{1,3})\s*,\s*([123])", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,12}")
_QUOTED: Final = re.compile(r'\b(name|version)\s*=\s*"([^"]*)"', re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stone:
    """One line of `BOARD`; the point is written as in our Gomoku: column, row."""

    point: str
    owner: Owner

    @classmethod
    def read(cls, line: str) -> Self | None:
        """The stone in a line; None if the line has another form."""
        found = _STONE.fullmatch(line)
        point = None if found is None else read_point(found[1])
        return None if found is None or point is None else cls(point, cast(Owner, found[2]))

    def __str__(self) -> str:
        return f"{self.point},{self.owner}"


@dataclass(frozen=True, slots=True)
class About:
    """The reply to `ABOUT`."""

    name: str
    version: str

    @classmethod
    def read(cls, line: str) -> Self:
        """The name and version in a line; the whole line is the name if it has another form. A failure has none."""
        if split_line(line)[0] in FAILURES:
            return cls("", "")
        found = {key.lower(): value for key, value in _QUOTED.findall(line)}
        return cls(found["name"], found.get("version", "")) if "name" in found else cls(line, "")

    def __str__(self) -> str:
        name, version = (text.replace('"', "'") for text in (self.name, self.version))
        return f'name="{name}", version="{version}"'


def split_line(line: str) -> tuple[str, str]:
    """The first word of a line in upper case, without a colon behind it, and the rest of the line."""
    word, _, rest = line.partition(" ")
    return word.upper().rstrip(":"), rest.strip()


def read_point(text: str) -> str | None:
    """The point `x,y` that makes up the text, as our Gomoku writes it; None if the text is anything else."""
    found = _POINT.fullmatch(text)
    return None if found is None else f"{int(found[1])},{int(found[2])}"


def info_line(key: str, value: int | str) -> str:
    """An `INFO` line."""
    return f"INFO {key} {value}"


def read_number(text: str) -> int | None:
    """The whole number that makes up the text: a size or milliseconds; None if the text is anything else."""
    return int(text) if _NUMBER.fullmatch(text) else None
