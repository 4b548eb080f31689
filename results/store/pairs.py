"""How two entrants fared with the seats this way round."""

from dataclasses import dataclass

__all__ = ["PairCount"]


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
