"""The kinds of values that options take, the same on the command line, in a league file and in Python."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arena.entrants.grants import LIBRARIES, check_memory, read_size
from arena.referee.openings import Opening
from results.standings.sprt import Sprt
from results.text import counted
from results.time_control import MOST_SECONDS, TimeControl

__all__ = [
    "FLAG", "LIBRARY_LIST", "MEMORY", "MOST_GAMES", "MOST_ROUNDS", "MOST_SECONDS", "OPENINGS", "SECONDS", "SEED",
    "SHARE", "SIZE", "SPRT", "TEXT", "TIME", "Kind", "one_of", "read_share", "whole", "whole_numbers",
]  # fmt: skip

MOST_ROUNDS: Final = 100_000
MOST_GAMES: Final = 1_000_000_000


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of value. `read` takes a value from Python or TOML; its `ValueError` says what the value must be.

    `parse` turns a text of the command line into a value for `read`. `store` and `restore` translate to and from JSON.
    `show` writes a value as the command line takes it.
    """

    read: Callable[[Any], Any]
    parse: Callable[[str], Any] = _same
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    #: How many words of the command line make one value; `read` then takes so many whole numbers.
    words: int = 1
    store: Callable[[Any], object] = _same
    restore: Callable[[Any], Any] = _same
    show: Callable[[Any], str] = str


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError("must be a text with visible characters")
    return value


def _seed(value: object) -> str:
    # An empty text is a seed too. So is a whole number: on the command line it is a text anyway.
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    return _text(value)


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= MOST_SECONDS:
        raise ValueError(f"must be a number of seconds above 0, {MOST_SECONDS:.0f} at most")
    return float(value)


def _time(value: object) -> TimeControl:
    if isinstance(value, TimeControl):
        return value
    try:
        found = TimeControl.read(value) if isinstance(value, str) else TimeControl(_seconds(value))
        if not found.is_per_move:  # that is the setting move-time
            return found
    except ValueError:
        pass
    raise ValueError(f"must be a number of seconds above 0, {MOST_SECONDS:.0f} at most, or as in 10+0.1 or 40/60")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _size(value: object) -> int:
    return read_size("" if isinstance(value, bool) else str(value))


def _memory(value: object) -> int:
    found = _size(value)
    check_memory(found)
    return found


def _share(value: object) -> float | None:
    if value is None or (isinstance(value, float) and 0 <= value <= 1):
        return value
    if isinstance(value, str):
        try:
            return read_share(value)
        except ValueError:
            pass
    raise ValueError('must be a share such as "10%", or "never"')


def read_share(text: str) -> float | None:
    """A share of one from `10%` or `10`; None from `never`; raises `ValueError` for other texts.

    A number below 1 needs its sign: `0.1` could mean 10 %.

    >>> read_share("12.5%"), read_share("5")
    (0.125, 0.05)
    """
    if text.strip().lower() == "never":
        return None
    found = re.fullmatch(r"(\d{1,3}(\.\d{1,6})?)( ?%)?", text.strip())
    if found is None or float(found[1]) > 100 or (not found[3] and float(found[1]) < 1):
        raise ValueError(f"{text!r} is not a share; write it as in 10%, or write never")
    return float(found[1]) / 100


def _libraries(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(item in LIBRARIES for item in value):
        raise ValueError(f"must be a list of some of {', '.join(LIBRARIES)}")
    return tuple(dict.fromkeys(value))


def _openings(value: object) -> Path | tuple[Opening, ...]:
    if isinstance(value, Path | str):
        if not Path(value).is_file():
            raise ValueError("must be an existing file with openings")
        return Path(value)
    if isinstance(value, list | tuple):
        return tuple(map(_opening, value))
    raise ValueError("must be a file with openings, or a list of them")


def _opening(item: object) -> Opening:
    """A start position, or a start position and moves."""
    start, moves = item if isinstance(item, list | tuple) and len(item) == 2 else (item, [])
    if not isinstance(start, str) or not isinstance(moves, list | tuple):
        raise ValueError("must be a list of openings: each is a position, or a position and a list of moves")
    if not all(isinstance(move, str) for move in moves):
        raise ValueError("must have moves that are texts")
    return Opening(start, tuple(moves))


def _shown_size(size: int) -> str:
    for unit, factor in (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if size and size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)


def _number_or_text(text: str) -> float | str:
    number = _number(text)
    return number if math.isfinite(number) else text


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _whole(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


TEXT: Final = Kind(read=_text, metavar="TEXT")
SEED: Final = Kind(read=_seed, metavar="TEXT")
SECONDS: Final = Kind(read=_seconds, parse=_number, metavar="SECONDS", show="{:g}".format)
TIME: Final = Kind(
    read=_time,
    parse=_number_or_text,
    metavar="TIME",
    store=lambda value: None if value is None else value.seconds if value.is_plain else str(value),
)
FLAG: Final = Kind(read=_flag, show=lambda value: "yes" if value else "no")
SIZE: Final = Kind(read=_size, metavar="SIZE", show=_shown_size)
MEMORY: Final = Kind(read=_memory, metavar="SIZE", show=_shown_size)
SHARE: Final = Kind(read=_share, metavar="PERCENT", show=lambda value: f"{100 * value:g}%")
LIBRARY_LIST: Final = Kind(read=_libraries, choices=LIBRARIES, store=list, restore=tuple, show=", ".join)
OPENINGS: Final = Kind(
    read=_openings,
    metavar="FILE",
    store=lambda value: [
        opening.start if not opening.moves else [opening.start, list(opening.moves)] for opening in value or ()
    ],
    restore=lambda stored: tuple(stored) or None,
    show=lambda value: str(value) if isinstance(value, Path) else counted(len(value), "opening"),
)
SPRT: Final = Kind(
    read=_same,
    store=lambda test: None if test is None else asdict(test),
    restore=lambda stored: None if stored is None else Sprt(**stored),
    show=lambda test: f"{test.elo0:g} {test.elo1:g} (alpha {test.alpha:g}, beta {test.beta:g}, {test.model})",
)


def whole_numbers(rule: type[Any], *, words: str, least: int, most: int) -> Kind:
    """A rule that is made of whole numbers in a range, written with spaces; `words` are their names."""
    names = words.split()

    def read(value: object) -> Any:
        is_list = isinstance(value, list | tuple) and len(value) == len(names)
        if not is_list or not all(type(item) is int and least <= item <= most for item in value):  # type: ignore[attr-defined]
            raise ValueError(f"must be {len(names)} whole numbers from {least} to {most} ({words})")
        return rule(*value)  # type: ignore[misc]

    return Kind(
        read=read, metavar=words, words=len(names), store=lambda found: None if found is None else list(found),
        show=lambda found: " ".join(map(str, found)),
    )  # fmt: skip


def one_of(choices: Sequence[str]) -> Kind:
    """One of some words."""

    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return str(value)

    return Kind(read=read, choices=tuple(choices))


def whole(*, least: int, most: int | None = None) -> Kind:
    """A whole number in a range."""
    wanted = f"a whole number from {least} to {most}" if most is not None else f"a whole number from {least} on"

    def read(value: object) -> int:
        # A bool is an int to Python; to a person it is not.
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not least <= value <= (math.inf if most is None else most):  # type: ignore[operator]
            raise ValueError(f"must be {wanted}")
        return value  # type: ignore[return-value]

    return Kind(read=read, parse=_whole, metavar="NUMBER")
