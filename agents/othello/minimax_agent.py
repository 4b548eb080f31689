"""Minimax for Othello: every line to a fixed depth."""

from collections.abc import Callable
from types import ModuleType

from agents.othello.deepening import DeepeningPlayer
from agents.othello.plain import Choice, Minimax
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloMinimaxAgent"]


class OthelloMinimaxAgent(DeepeningPlayer):
    """The best move `depth` turns deep by a count of discs or a map of weights.

    A side that must pass does so, and that is a turn. (The first version of the earlier study took such a position for
    won by the other side; that is not offered here: it is wrong, and seldom matters.)
    """

    def __init__(
        self, name: str, color: Color, depth: int = 4, evaluation: str = "discs", ending: str = "result"
    ) -> None:
        super().__init__(name, color, depth=depth, seconds=None, evaluation=evaluation, ending=ending)

    def natively(self, core: ModuleType, text: str, *, depth: int, first: int, seconds: float) -> Choice | None:
        """The choice of the native search; None if there was no time for it."""
        found = core.minimax(text, self.map.weights, depth=depth, first=first, results=self.results, seconds=seconds)
        return None if found is None else Choice(*found)

    def plainly(self, state: OthelloState, *, depth: int, first: str | None, check: Callable[[], None]) -> Choice:
        """The same in Python."""
        return Minimax(self.map, self.results, check).choice(state, depth, first=first)
