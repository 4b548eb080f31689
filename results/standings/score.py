"""The score of an entrant over several games, with its error, and mirrored pairs of games. Pure."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from results.record import GameRecord
from results.standings.elo import NORMAL_95

__all__ = ["Mirrors", "Pentanomial", "Score", "content", "distinct", "score"]

#: The number of mirrored pairs with 0, 0.5, 1, 1.5 and 2 points.
Pentanomial: TypeAlias = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws and losses of one side.

    >>> score = Score(wins=12, draws=4, losses=4)
    >>> f"{score.mean:.2f} ± {score.error:.2f} over {score.games}"
    '0.70 ± 0.18 over 20'
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for each win, 0.5 for each draw."""
        return self.wins + self.draws / 2

    @property
    def mean(self) -> float:
        """Points per game; 0.5 without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval around the mean; 0.5 without games.

        An imaginary win and an imaginary loss are added to the variance: twenty wins out of twenty are strong
        evidence, not certainty.
        """
        if not self.games:
            return 0.5
        wins, losses, games = self.wins + 1, self.losses + 1, self.games + 2
        mean = (wins + self.draws / 2) / games
        squares = wins * (1 - mean) ** 2 + self.draws * (0.5 - mean) ** 2 + losses * mean**2
        return NORMAL_95 * math.sqrt(squares / games / self.games)


def score(records: Iterable[GameRecord], *, agent: str) -> Score:
    """The score of the entrant of this name in the games that it played."""
    won = {1.0: 0, 0.5: 0, 0.0: 0}
    for record in records:
        if record.first.name == agent:
            won[record.score_first] += 1
        elif record.second.name == agent:
            won[1 - record.score_first] += 1
    return Score(wins=won[1.0], draws=won[0.5], losses=won[0.0])


def distinct(records: Iterable[GameRecord]) -> list[GameRecord]:
    """The games without repetitions: deterministic agents play the same game again and again.

    Two games are the same if the same players, in the same seats, made the same moves from the same start with the
    same result.
    """
    kept: dict[tuple[object, ...], GameRecord] = {}
    for record in records:
        kept.setdefault(content(record), record)
    return list(kept.values())


class Mirrors:
    """Counts the points of one entrant in mirrored pairs: two games with the same seed and swapped seats.

    A game without its mirror is not counted, nor is a pair that repeats an earlier pair.
    """

    def __init__(self, agent: str) -> None:
        self.pairs = 0  # including pairs that repeat others
        self._agent = agent
        self._waiting: dict[tuple[int, str, str], list[GameRecord]] = {}
        self._seen: set[int] = set()
        self._counts: Counter[float] = Counter()

    def add(self, record: GameRecord) -> None:
        """Add a game; games of other entrants are ignored."""
        first, second = record.first.name, record.second.name
        if self._agent not in (first, second) or first == second:
            return
        if mirrored := self._waiting.get((record.seed, second, first)):
            self._pair(mirrored.pop(0), record)
        else:
            self._waiting.setdefault((record.seed, first, second), []).append(record)

    def _pair(self, one: GameRecord, two: GameRecord) -> None:
        self.pairs += 1
        # The game in which the entrant was first comes first, so that the order in which they ended does not matter.
        as_first, as_second = (one, two) if one.first.name == self._agent else (two, one)
        key = hash((content(as_first), content(as_second)))
        if key not in self._seen:
            self._seen.add(key)
            self._counts[as_first.score_first + 1 - as_second.score_first] += 1

    @property
    def counts(self) -> Pentanomial:
        """The number of pairs with 0, 0.5, 1, 1.5 and 2 points."""
        counts = self._counts
        return counts[0.0], counts[0.5], counts[1.0], counts[1.5], counts[2.0]


def content(record: GameRecord) -> tuple[object, ...]:
    """What makes two games the same: players, start, moves, result."""
    moves = tuple(move.text for move in record.moves)
    return record.first.name, record.second.name, record.start, moves, record.result
