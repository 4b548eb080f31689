"""How much an engine may think about one move."""

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, cast, get_args

from agents.seat import Times
from games.base import WHITE, Color, Parameters
from games.errors import BadParameters

__all__ = ["CLOCK", "LIMITS", "Kind", "Limit", "read_limit"]

Kind: TypeAlias = Literal["nodes", "depth", "seconds", "clock"]

#: The options that are limits.
LIMITS: Final = get_args(Kind)
#: What is left for the way to the engine and back when it is told to use up seconds.
_LAG_SECONDS: Final = 0.05
#: More than any engine counts, and still a 64-bit number.
_MOST: Final = 10**15


@dataclass(frozen=True, slots=True)
class Limit:
    """Nodes, depth or seconds of one search, or the part of the game's clock that the engine may plan with."""

    kind: Kind
    amount: float

    def words(self, times: Times, color: Color) -> str:
        """What `go` is told for a search by `color`, whose own time is `times.own`."""
        if self.kind == "seconds":
            return f"movetime {_milliseconds(self.within(times).amount)}"
        if self.kind == "clock":
            own, opponent = _milliseconds(times.own * self.amount), _milliseconds(times.opponent)
            white, black = (own, opponent) if color == WHITE else (opponent, own)
            return f"wtime {white} btime {black}"
        return f"{self.kind} {int(self.amount)}"

    def within(self, times: Times) -> "Limit":
        """This limit, seconds cut to what is left of the own time; to be asked before the limit is shared."""
        if self.kind != "seconds":
            return self
        return replace(self, amount=max(0.001, min(self.amount, times.own - _LAG_SECONDS)))

    def share(self, part: float) -> "Limit":
        """This part of the limit; a depth cannot be split and stays."""
        if self.kind == "depth":
            return self
        amount = self.amount * part
        return replace(self, amount=max(1, round(amount)) if self.kind == "nodes" else amount)

    @property
    def option(self) -> dict[str, int | float | str]:
        """The limit as an entrant's option."""
        return {"clock": "yes"} if self.kind == "clock" else {self.kind: self.amount}


#: The whole of the game's clock.
CLOCK: Final = Limit("clock", 1.0)


def _milliseconds(seconds: float) -> int:
    # Some engines take 0 for "no limit".
    return max(1, int(1000 * seconds))


def read_limit(options: Parameters, default: Limit) -> Limit:
    """The one limit among an entrant's options; `BadParameters` for two or for one that is none."""
    if options.get("clock", "no") not in {"yes", "no"}:
        raise BadParameters(f"clock is yes or no, not {options['clock']!r}")
    given = [kind for kind in LIMITS if kind in options and not (kind == "clock" and options[kind] == "no")]
    if not given:
        return default
    if len(given) > 1:
        raise BadParameters(f"one limit is enough: give {' or '.join(given)}, not all of them")
    kind = cast(Kind, given[0])
    return CLOCK if kind == "clock" else Limit(kind, _amount(kind, options[kind]))


def _amount(kind: Kind, value: object) -> int | float:
    if kind == "seconds":
        if not isinstance(value, int | float) or not math.isfinite(value) or not 0 < value <= _MOST:
            raise BadParameters(f"seconds is a number above 0, {_MOST:.0e} at most, not {value!r}")
        return float(value)
    if not isinstance(value, int) or not 1 <= value <= _MOST:
        raise BadParameters(f"{kind} is a whole number from 1 to {_MOST:.0e}, not {value!r}")
    return value
