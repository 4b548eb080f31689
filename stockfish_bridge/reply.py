"""What a UCI engine says, read by narrow rules. Pure."""

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["MATE", "Found", "Option", "read_bestmove", "read_name", "read_option", "read_score"]

#: What a mate on the board is worth, in the hundredths of a pawn in which other scores are given.
MATE: Final = 100_000
_WIDEST: Final = MATE // 2
_OPTION: Final = re.compile(r"option\s+name\s+(\S.*?)\s+type\s+(check|spin|combo|button|string)(?:\s+(.*))?", re.ASCII)
_SCORE: Final = re.compile(r"\bscore\s+(cp|mate)\s+(-?[0-9]{1,9})(?![0-9])(?:\s+(lowerbound|upperbound)\b)?", re.ASCII)
_MULTIPV: Final = re.compile(r"\bmultipv\s+(?!1\b)", re.ASCII)
_SPIN: Final = re.compile(r"\b(min|max)\s+(-?[0-9]{1,18})(?![0-9])", re.ASCII)
_NAME_LENGTH: Final = 100
_MOVE_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that the engine offers."""

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def text(self, value: int | float | str) -> str | None:
        """How `value` is written for this option; None if it cannot have it."""
        written = str(value)
        if self.kind == "check":
            return {"yes": "true", "true": "true", "no": "false", "false": "false"}.get(written.lower())
        if self.kind == "combo":
            return next((choice for choice in self.choices if choice.lower() == written.lower()), None)
        if self.kind == "spin" and not self._holds(value):
            return None
        return written

    def _holds(self, value: int | float | str) -> bool:
        if not isinstance(value, int):
            return False
        return (self.least is None or self.least <= value) and (self.most is None or value <= self.most)


@dataclass(frozen=True, slots=True)
class Found:
    """The end of a search: the move as the engine wrote it, and the last exact score for the side to move."""

    move: str
    score: int | None


def read_name(line: str) -> str | None:
    """The engine's name, cut to a bearable length, if this line tells it."""
    words = line.split(maxsplit=2)
    return words[2].strip()[:_NAME_LENGTH] if words[:2] == ["id", "name"] and len(words) == 3 else None


def read_option(line: str) -> Option | None:
    """The option that this line offers, if it does."""
    match = _OPTION.fullmatch(line.strip())
    if match is None:
        return None
    name, kind, rest = match[1], match[2], match[3] or ""
    if kind == "combo":
        choices = (choice.strip() for choice in re.split(r"(?:^|\s)var\s", rest)[1:])
        return Option(name, kind, choices=tuple(choices))
    bounds = {word: int(number) for word, number in _SPIN.findall(rest)} if kind == "spin" else {}
    return Option(name, kind, least=bounds.get("min"), most=bounds.get("max"))


def read_score(line: str) -> int | None:
    """The exact score of an `info` line about the best line of play; a mate in n is worth n less than `MATE`."""
    if not line.startswith("info ") or " string " in line or _MULTIPV.search(line):
        return None
    match = _SCORE.search(line)
    if match is None or match[3]:
        return None
    number = int(match[2])
    if match[1] == "cp":
        return max(-_WIDEST, min(_WIDEST, number))
    turns = min(abs(number), _WIDEST)
    return MATE - turns if number > 0 else turns - MATE


def read_bestmove(line: str) -> str | None:
    """The move of a `bestmove` line as it is written, empty if it has none; None for other lines."""
    words = line.split(maxsplit=2)
    if not words or words[0] != "bestmove":
        return None
    return words[1][:_MOVE_LENGTH] if len(words) > 1 else ""
