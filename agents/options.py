"""Checks for the options of the bundled agents; an invalid value is a ValueError with a one-line message."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

__all__ = ["SWITCH", "number", "one_of", "whole"]

_Choice = TypeVar("_Choice")

#: The values of an option that is on or off, for `one_of`.
SWITCH: Final[Mapping[str, bool]] = MappingProxyType({"yes": True, "no": False})


def whole(option: str, value: object, *, least: int = 1, most: float = math.inf) -> int:
    """`value`, if it is a whole number from `least` to `most`."""
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{option} must be a whole number {_limits(least, most)}, not {value!r}")
    return value


def number(option: str, value: object, *, least: float, most: float = math.inf) -> float:
    """`value`, if it is a finite number from `least` to `most`."""
    if not isinstance(value, int | float) or not math.isfinite(value) or not least <= value <= most:
        raise ValueError(f"{option} must be a number {_limits(least, most)}, not {value!r}")
    return float(value)


def _limits(least: float, most: float) -> str:
    return f"of at least {least}" if math.isinf(most) else f"from {least} to {most}"


def one_of(option: str, value: object, choices: Mapping[str, _Choice]) -> _Choice:
    """The choice with the name `value`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{option} must be one of {', '.join(choices)}, not {value!r}")
    return choices[value]
