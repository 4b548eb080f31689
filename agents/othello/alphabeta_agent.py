"""Alpha-beta for Othello: the choice of minimax from far fewer states, the better the order of moves."""

from types import ModuleType
from typing import ClassVar, Final

from agents.budget import Deadline
from agents.options import one_of
from agents.othello.classic import EVERYWHERE, AlphaBeta, Choice, Ordering, square
from agents.othello.deepening import DeepeningPlayer
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloAlphaBetaAgent"]

_ORDERINGS: Final[dict[str, Ordering]] = {"none": "none", "position": "position", "intuition": "intuition"}


class OthelloAlphaBetaAgent(DeepeningPlayer):
    """Searches `depth` turns, or as deep as `seconds` allow, or both; without either, 6 turns."""

    #: The limits of a move if the options set none.
    default_limits: ClassVar = {"depth": 6}

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        evaluation: str = "map_b", ordering: str = "none", ending: str = "result",
    ) -> None:  # fmt: skip
        if depth is None and seconds is None:
            depth = self.default_limits["depth"]
        super().__init__(name, color, depth=depth, seconds=seconds, evaluation=evaluation, ending=ending)
        self.ordering = one_of("ordering", ordering, _ORDERINGS)

    def choose_natively(
        self, native: ModuleType, state: OthelloState, depth: int, first: str | None, deadline: Deadline
    ) -> Choice | None:
        """The choice of the native search; None if there was not enough time."""
        found = native.alphabeta(
            state.text, self.map.weights, depth=depth, first=-1 if first is None else square(first),
            results=self.results, ordering=self.ordering, ordered=EVERYWHERE, seconds=deadline.left,
        )  # fmt: skip
        return None if found is None else Choice(*found)

    def choose_in_python(self, state: OthelloState, depth: int, first: str | None, deadline: Deadline) -> Choice:
        """The choice of the search in Python."""
        search = AlphaBeta(self.map, self.ordering, results=self.results, check=deadline.check)
        return search.choice(state, depth, first=first)
