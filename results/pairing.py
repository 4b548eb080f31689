"""Pairings (games to be played), meetings (pairings with their outcome) and counts of results."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

__all__ = ["BYE", "RATED", "Format", "Meeting", "PairCount", "Pairing", "RatedGame", "RecentGame"]

#: How the pairings of a league are made; a match has two entrants.
Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "knockout", "adaptive", "ladder", "match"]

#: Formats in which entrants play different numbers of games, against opponents of their strength: ratings decide.
RATED: Final[frozenset[str]] = frozenset({"adaptive", "ladder"})

#: The entrant number that stands for no opponent: a pairing with it is a bye.
BYE: Final = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played.

    Entrants are numbered from 1, rounds from 0. A game and its mirror (swapped seats) share the `opening`.
    """

    key: str
    first: int
    second: int
    round: int
    opening: str

    @property
    def is_bye(self) -> bool:
        """Whether `first` has no opponent."""
        return self.second == BYE


@dataclass(frozen=True, slots=True)
class Meeting:
    """A stored pairing and its outcome.

    `score` is the points of first; None if the game has not been played or does not count. `settled` means that the
    outcome is final.
    """

    pairing: Pairing
    score: float | None
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame:
    """What ratings need of a stored game: the numbers of the entrants, the points of first, the code of both."""

    first: int
    second: int
    points: float
    codes: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentGame:
    """A game of the last ones: who played, the points of first, and the CPU seconds of both."""

    first: str
    second: str
    points: float
    cpu_first: float
    cpu_second: float


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
