"""How long an engine may think about one move."""

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, cast, get_args

from agents.seat import Times
from games.base import WHITE, Color, Parameters
from games.errors import BadParameters
from stockfish_bridge.uci_syntax import Go

__all__ = ["CLOCK", "LIMITS", "Kind", "Limit", "read_limit"]

Kind: TypeAlias = Literal["nodes", "depth", "seconds", "clock"]

#: The options that are limits.
LIMITS: Final = get_args(Kind)
#: Reserved for the communication with the engine when it may use up all its seconds.
_LAG_SECONDS: Final = 0.05
#: More than any engine can count, and still a 64-bit number.
_MOST: Final = 10**15


@dataclass(frozen=True, slots=True)
class Limit:
    """The nodes, depth or seconds of one search, or the share of the game's clock that the engine is told of."""

    kind: Kind
    amount: float

    def go(self, times: Times, color: Color) -> Go:
        """The `go` command for a search by `color`, whose own time is `times.own`."""
        if self.kind == "seconds":
            return Go(movetime=_milliseconds(self.within(times).amount))
        if self.kind == "clock":
            own, opponent = _milliseconds(times.own * self.amount), _milliseconds(times.opponent)
            white, black = (own, opponent) if color == WHITE else (opponent, own)
            increment = int(1000 * times.increment * self.amount) or None  # both sides have the same
            return Go(wtime=white, btime=black, winc=increment, binc=increment, movestogo=times.moves_to_go)
        return Go(nodes=int(self.amount)) if self.kind == "nodes" else Go(depth=int(self.amount))

    def within(self, times: Times) -> "Limit":
        """This limit, with seconds cut to the player's remaining time. Call it before `share`."""
        if self.kind != "seconds":
            return self
        return replace(self, amount=max(0.001, min(self.amount, times.own - _LAG_SECONDS)))

    def share(self, part: float) -> "Limit":
        """A part of this limit. A depth cannot be split and stays the same."""
        if self.kind == "depth":
            return self
        amount = self.amount * part
        return replace(self, amount=max(1, round(amount)) if self.kind == "nodes" else amount)

    @property
    def option(self) -> dict[str, int | float | str]:
        """The limit as an option of an entrant."""
        return {"clock": "yes"} if self.kind == "clock" else {self.kind: self.amount}


#: All of the game's clock.
CLOCK: Final = Limit("clock", 1.0)


def _milliseconds(seconds: float) -> int:
    # To some engines 0 means no limit.
    return max(1, int(1000 * seconds))


def read_limit(options: Parameters, default: Limit) -> Limit:
    """The limit among an entrant's options; `BadParameters` for more than one limit or for a bad value."""
    if options.get("clock", "no") not in {"yes", "no"}:
        raise BadParameters(f"clock must be yes or no, not {options['clock']!r}")
    given = [kind for kind in LIMITS if kind in options and not (kind == "clock" and options[kind] == "no")]
    if not given:
        return default
    if len(given) > 1:
        raise BadParameters(f"more than one limit: give only one of {', '.join(given)}")
    kind = cast(Kind, given[0])
    return CLOCK if kind == "clock" else Limit(kind, _amount(kind, options[kind]))


def _amount(kind: Kind, value: object) -> int | float:
    if kind == "seconds":
        if not isinstance(value, int | float) or not math.isfinite(value) or not 0 < value <= _MOST:
            raise BadParameters(f"seconds must be a number above 0 and up to {_MOST:.0e}, not {value!r}")
        return float(value)
    if not isinstance(value, int) or not 1 <= value <= _MOST:
        raise BadParameters(f"{kind} must be a whole number from 1 to {_MOST:.0e}, not {value!r}")
    return value
