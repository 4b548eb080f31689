"""A match that goes on until a sequential test has decided it."""

from collections.abc import Iterable
from typing import Final

from results.record import GameRecord
from results.standings.mirrors import Mirrors
from results.standings.sprt import Sprt

__all__ = ["Sequential"]

#: After so many pairs, games that repeat each other will not decide anything.
_ENOUGH: Final = 20


class Sequential:
    """What the mirrored pairs of a match say about a test, as they come in; `games` are all games so far."""

    def __init__(self, test: Sprt, *, agent: str, records: Iterable[GameRecord] = ()) -> None:
        self._test = test
        self._mirrors = Mirrors(agent)
        self.games = 0
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> bool:
        """One more game; whether it is time to say how the test stands."""
        self.games += 1
        before = self._mirrors.pairs
        self._mirrors.add(record)
        return before < self._mirrors.pairs and self._mirrors.pairs % _ENOUGH == 0

    def is_over(self) -> bool:
        """Whether no more games are needed, or none of them would help."""
        return self.repeats() or self._test.verdict(self._mirrors.counts) is not None

    def repeats(self) -> bool:
        """Whether the games repeat each other so much that they decide nothing."""
        return self._mirrors.pairs >= _ENOUGH and sum(self._mirrors.counts) < self._mirrors.pairs / 4

    def text(self) -> str:
        """The state of the test in one line."""
        return self._test.text(self._mirrors.counts)

    def outcome(self) -> str:
        """The same when no more is played."""
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return self.text().replace("not decided yet", f"undecided after {games}")

    def as_dict(self) -> dict[str, object]:
        """The state of the test as JSON says it."""
        return self._test.as_dict(self._mirrors.counts)
