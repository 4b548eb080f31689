"""How much CPU the players of a table got: whether its games say what the agents can do."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from results.text import counted

__all__ = ["LEAST_WAIT", "STARVED_SHARE", "Load", "is_starved"]

#: A game is starved if its players waited for a CPU in this share of the time of their moves, ...
STARVED_SHARE: Final = 0.2
#: ... and for this many seconds in all: less changes no game.
LEAST_WAIT: Final = 0.1
#: A table says so if more than one in so many games is starved.
_FEW: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The number of games and of starved ones; `wall` and `wait` are the seconds of the starved games."""

    games: int = 0
    starved: int = 0
    wall: float = 0.0
    wait: float = 0.0

    @classmethod
    def of(cls, times: Iterable[tuple[float, float]]) -> Self:
        """The load of games, each with the sums of its moves: wall time, and the time of waiting for a CPU."""
        known = list(times)
        starved = [(wall, wait) for wall, wait in known if is_starved(wall=wall, wait=wait)]
        return cls(
            games=len(known), starved=len(starved),
            wall=math.fsum(wall for wall, _ in starved), wait=math.fsum(wait for _, wait in starved),
        )  # fmt: skip

    @property
    def notes(self) -> list[str]:
        """A sentence for below the table, if many of its games had too little CPU."""
        if self.starved * _FEW <= self.games:
            return []
        share = min(1.0, self.wait / self.wall)
        return [
            f"{self.starved} of {counted(self.games, 'game')} ran with too little CPU: in {share:.0%} of the time of "
            "their moves, players waited for a core. On a free machine agents think more in the same time, and results "
            "may differ. Stop other programs, or use fewer --workers.".replace("%", " %")
        ]


def is_starved(*, wall: float, wait: float) -> bool:
    """Whether the players of a game waited too long for a CPU."""
    return wait >= LEAST_WAIT and wait >= STARVED_SHARE * wall
