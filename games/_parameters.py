"""The parameters of a game as the fields of a dataclass, and their checks; messages name the allowed values."""

import math
from dataclasses import asdict, dataclass
from typing import ClassVar

from games.base import Parameters

__all__ = ["Rules", "check_number", "check_whole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The base of a game whose parameters are the fields of its class."""

    version: ClassVar[int] = 1
    seconds: ClassVar[float] = 400.0

    @property
    def parameters(self) -> Parameters:
        """All parameters, defaults included."""
        return asdict(self)


def check_whole(name: str, value: object, *, lowest: int, highest: int) -> None:
    """Raise `ValueError` unless this is a whole number from `lowest` to `highest`."""
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise ValueError(f"{name} is a whole number from {lowest} to {highest}, not {value!r}")


def check_number(name: str, value: object, *, highest: int) -> None:
    """Raise `ValueError` unless this is a number from `-highest` to `highest`."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.fabs(value) <= highest:
        raise ValueError(f"{name} is a number from -{highest} to {highest}, not {value!r}")
