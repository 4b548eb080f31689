"""What the values in a league file must be: each reader gives the value or says in words what it must be."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from arena.entrants.entrant import LIBRARIES
from arena.entrants.size import check_memory, read_share, read_size

__all__ = [
    "MOST_ROUNDS", "MOST_SECONDS", "Reader", "flag", "libraries", "memory", "one_of", "seconds", "seed", "share",
    "size", "text", "whole",
]  # fmt: skip

#: Takes what TOML gave; `ValueError` says what it must be.
Reader: TypeAlias = Callable[[object], object]

MOST_ROUNDS: Final = 100_000
MOST_SECONDS: Final = 1e6


def text(value: object) -> str:
    """A line of text."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError("must be a text with visible characters")
    return value


def seed(value: object) -> str:
    """A text; a whole number is taken for one, as on the command line."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)


def whole(*, least: int, most: int | None = None) -> Reader:
    """A whole number in a range."""
    wanted = f"a whole number from {least} to {most}" if most is not None else f"a whole number from {least} on"

    def read(value: object) -> int:
        # A bool is an int to Python; to a person it is not.
        if (
            not isinstance(value, int)
            or isinstance(value, bool)
            or value < least
            or (most is not None and value > most)
        ):
            raise ValueError(f"must be {wanted}")
        return value

    return read


def seconds(value: object) -> float:
    """A time budget."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= MOST_SECONDS:
        raise ValueError(f"must be a number of seconds above 0, {MOST_SECONDS:.0f} at most")
    return float(value)


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def one_of(choices: Sequence[str]) -> Reader:
    """One of some words."""

    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return str(value)

    return read


def size(value: object) -> int:
    """An amount of memory in bytes."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        try:
            return read_size(str(value))
        except ValueError:
            pass
    raise ValueError('must be an amount of memory such as "512M" or "1G"')


def memory(value: object) -> int:
    """Enough memory for Python, in bytes."""
    found = size(value)
    try:
        check_memory(found)
    except ValueError as error:
        raise ValueError(f"must be more: {error}") from error
    return found


def share(value: object) -> str:
    """A share as it is written."""
    if isinstance(value, str):
        try:
            read_share(value)
        except ValueError:
            pass
        else:
            return value
    raise ValueError('must be a share such as "10%", or "never"')


def libraries(value: object) -> tuple[str, ...]:
    """Libraries that are loaded ahead."""
    if not isinstance(value, list) or not all(item in LIBRARIES for item in value):
        raise ValueError(f"must be a list of some of {', '.join(LIBRARIES)}")
    return tuple(dict.fromkeys(value))
