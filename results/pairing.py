"""Games to be played, as schedules name them and results files keep them."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

__all__ = ["BYE", "Format", "Meeting", "PairCount", "Pairing"]

#: How the pairings of a league are found; a match is of two.
Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "knockout", "match"]

#: The number of nobody: who meets it has a bye.
BYE: Final = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: entrant numbers (from 1), its round (from 0), the opening it shares with its mirror."""

    key: str
    first: int
    second: int
    round: int
    opening: str

    @property
    def is_bye(self) -> bool:
        """Whether `first` meets nobody."""
        return self.second == BYE


@dataclass(frozen=True, slots=True)
class Meeting:
    """A drawn pairing and what became of it.

    `score` are the points of first, None for a game that is still to come or counts for nobody; `settled` means
    that nothing more will come of it.
    """

    pairing: Pairing
    score: float | None
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCount:
    """Games of `first` against `second`; wins, draws and losses are those of `first`."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    faults_first: int = 0
    faults_second: int = 0

    @property
    def points_first(self) -> float:
        """Points of first."""
        return self.wins + self.draws / 2

    @property
    def points_second(self) -> float:
        """Points of second."""
        return self.losses + self.draws / 2
