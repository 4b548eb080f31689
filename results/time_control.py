"""Time controls: how much time a player has, and what is added to it while the game goes on."""

import re
from dataclasses import dataclass
from typing import Final, Self

__all__ = ["MOST_SECONDS", "TimeControl"]

MOST_SECONDS: Final = 1e6
_NUMBER: Final = r"(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
_TEXT: Final = re.compile(rf"(?:(?P<moves>[0-9]{{1,7}})/)?(?P<seconds>{_NUMBER})(?:\+(?P<increment>{_NUMBER}))?")
_PER_MOVE: Final = "/move"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`seconds` for the game, or for every `moves` moves of a player; `increment` seconds are added after each move.

    At the end of a period the next `seconds` are added to what is left. If `is_per_move`, every move has `seconds`, and
    what a move leaves is lost.

    >>> str(TimeControl.read("10+0.1")), str(TimeControl.read("40/60")), TimeControl.read("400").words
    ('10+0.1', '40/60', '400 s')
    """

    seconds: float
    increment: float = 0.0
    moves: int | None = None
    is_per_move: bool = False

    @classmethod
    def read(cls, text: str) -> Self:
        """The time control in a text: `60`, `10+0.1`, `40/60`, `40/60+0.5`, `1/move`; `ValueError` for other texts."""
        per_move = text.endswith(_PER_MOVE)
        found = _TEXT.fullmatch(text.removesuffix(_PER_MOVE).strip())
        if found is None or (per_move and (found["moves"] or found["increment"])):
            raise ValueError(f"{text!r} is not a time control")
        seconds, increment = float(found["seconds"]), float(found["increment"] or 0)
        moves = None if found["moves"] is None else int(found["moves"])
        if not 0 < seconds <= MOST_SECONDS or increment > MOST_SECONDS or moves == 0:
            raise ValueError(f"{text!r} is not a possible time control")
        return cls(seconds, increment, moves, is_per_move=per_move)

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        increment = f"+{_short(self.increment)}" if self.increment else ""
        return f"{moves}{_short(self.seconds)}{increment}{_PER_MOVE if self.is_per_move else ''}"

    @property
    def is_plain(self) -> bool:
        """Whether it is only a number of seconds for the whole game."""
        return not self.increment and self.moves is None and not self.is_per_move

    @property
    def words(self) -> str:
        """The time control for readers: `60 s for every 40 moves`."""
        if self.is_per_move:
            return f"{self.seconds:g} s for each move"
        period = "" if self.moves is None else f" for every {'move' if self.moves == 1 else f'{self.moves} moves'}"
        return f"{self.seconds:g} s{period}" + (f" + {self.increment:g} s for each move" if self.increment else "")

    def charge(self, left: float, cost: float, *, move: int) -> float:
        """What a player has for its next move after its `move`-th (from 1) cost this; 0 if its time is used up."""
        left -= cost
        if left <= 0.0:
            return 0.0
        if self.is_per_move:
            return self.seconds
        is_new_period = self.moves is not None and move % self.moves == 0
        return left + self.increment + (self.seconds if is_new_period else 0.0)

    def moves_to_go(self, made: int) -> int | None:
        """The moves that the time must last for, after so many; None for the whole game."""
        if self.is_per_move:
            return 1
        return None if self.moves is None else self.moves - made % self.moves

    def most(self, moves: int | None) -> float | None:
        """The most seconds for so many moves of a player; None if there is no bound, since the game has none."""
        if self.is_plain:
            return self.seconds
        if moves is None:
            return None
        if self.is_per_move:
            return self.seconds * moves
        return self.increment * moves + self.seconds * (1 if self.moves is None else -(-moves // self.moves))


def _short(number: float) -> str:
    return f"{number:.9f}".rstrip("0").rstrip(".")
