"""Minimax for Othello: every line to a fixed depth."""

from types import ModuleType

from agents.budget import Deadline
from agents.othello.classic import Choice, Minimax, square
from agents.othello.deepening import DeepeningPlayer
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloMinimaxAgent"]


class OthelloMinimaxAgent(DeepeningPlayer):
    """The best move `depth` turns deep, by a count of discs or a map of weights.

    A side that cannot move passes, and the pass is a turn. (The first version of the earlier study counted such a
    position as a win for the opponent. That is wrong and seldom matters, so it is not offered here.)
    """

    def __init__(
        self, name: str, color: Color, depth: int = 4, evaluation: str = "discs", ending: str = "result"
    ) -> None:
        super().__init__(name, color, depth=depth, seconds=None, evaluation=evaluation, ending=ending)

    def choose_natively(
        self, native: ModuleType, state: OthelloState, depth: int, first: str | None, deadline: Deadline
    ) -> Choice | None:
        """The choice of the native search; None if there was not enough time."""
        found = native.minimax(
            state.text, self.map.weights, depth=depth, first=-1 if first is None else square(first),
            results=self.results, seconds=deadline.left,
        )  # fmt: skip
        return None if found is None else Choice(*found)

    def choose_in_python(self, state: OthelloState, depth: int, first: str | None, deadline: Deadline) -> Choice:
        """The choice of the search in Python."""
        return Minimax(self.map, self.results, deadline.check).choice(state, depth, first=first)
