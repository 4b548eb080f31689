"""Checks of game parameters; their messages name the allowed values."""

import math

__all__ = ["check_number", "check_whole"]


def check_whole(name: str, value: object, *, lowest: int, highest: int) -> None:
    """Raise `ValueError` unless this is a whole number from `lowest` to `highest`."""
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise ValueError(f"{name} is a whole number from {lowest} to {highest}, not {value!r}")


def check_number(name: str, value: object, *, highest: int) -> None:
    """Raise `ValueError` unless this is a number from `-highest` to `highest`."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.fabs(value) <= highest:
        raise ValueError(f"{name} is a number from -{highest} to {highest}, not {value!r}")
