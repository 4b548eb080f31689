"""Pairs of games with one opening and the seats swapped, as they come in."""

from collections import Counter
from typing import TypeAlias

from results.record import GameRecord

__all__ = ["Mirrors", "Pentanomial", "content"]

#: How many mirrored pairs of games brought 0, 0.5, 1, 1.5 and 2 points.
Pentanomial: TypeAlias = tuple[int, int, int, int, int]


class Mirrors:
    """Counts the points of one entrant in mirrored pairs: games of the same two with the same seed.

    A game without its mirror is left out, and so is a pair that repeats an earlier one game by game.
    """

    def __init__(self, agent: str) -> None:
        self.pairs = 0  # repeated ones included
        self._agent = agent
        self._waiting: dict[tuple[int, str, str], list[GameRecord]] = {}
        self._seen: set[int] = set()
        self._counts: Counter[float] = Counter()

    def add(self, record: GameRecord) -> None:
        """One more game; those of others are left out."""
        first, second = record.first.name, record.second.name
        if self._agent not in (first, second) or first == second:
            return
        if mirrored := self._waiting.get((record.seed, second, first)):
            self._pair(mirrored.pop(0), record)
        else:
            self._waiting.setdefault((record.seed, first, second), []).append(record)

    def _pair(self, one: GameRecord, two: GameRecord) -> None:
        self.pairs += 1
        # Of the two, the one that the entrant began comes first, so that the order of their ends does not matter.
        began, answered = (one, two) if one.first.name == self._agent else (two, one)
        key = hash((content(began), content(answered)))
        if key not in self._seen:
            self._seen.add(key)
            self._counts[began.score_first + 1 - answered.score_first] += 1

    @property
    def counts(self) -> Pentanomial:
        """Pairs by their points: 0, 0.5, 1, 1.5, 2."""
        counts = self._counts
        return counts[0.0], counts[0.5], counts[1.0], counts[1.5], counts[2.0]


def content(record: GameRecord) -> tuple[object, ...]:
    """What makes two games the same: who sat where, the start, the moves, the result."""
    moves = tuple(move.text for move in record.moves)
    return record.first.name, record.second.name, record.start, moves, record.result
