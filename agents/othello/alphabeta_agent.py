"""Alpha-beta for Othello: the choice of minimax from far fewer states, the better the order of moves."""

from collections.abc import Callable
from types import ModuleType
from typing import Final

from agents.options import one_of
from agents.othello.deepening import DEEPEST, DeepeningPlayer
from agents.othello.plain import EVERYWHERE, AlphaBeta, Choice, Ordering
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloAlphaBetaAgent"]

_DEPTH: Final = 6
_ORDERINGS: Final[dict[str, Ordering]] = {"none": "none", "position": "position", "intuition": "intuition"}


class OthelloAlphaBetaAgent(DeepeningPlayer):
    """Searches `depth` turns, or as deep as `seconds` allow, or both; without either 6 turns."""

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        evaluation: str = "map_b", ordering: str = "none", ending: str = "result",
    ) -> None:  # fmt: skip
        if depth is None:
            depth = _DEPTH if seconds is None else DEEPEST
        super().__init__(name, color, depth=depth, seconds=seconds, evaluation=evaluation, ending=ending)
        self.ordering = one_of("ordering", ordering, _ORDERINGS)

    def natively(self, core: ModuleType, text: str, *, depth: int, first: int, seconds: float) -> Choice | None:
        """The choice of the native search; None if there was no time for it."""
        found = core.alphabeta(
            text, self.map.weights, depth=depth, first=first, results=self.results, ordering=self.ordering,
            ordered=EVERYWHERE, seconds=seconds,
        )  # fmt: skip
        return None if found is None else Choice(*found)

    def plainly(self, state: OthelloState, *, depth: int, first: str | None, check: Callable[[], None]) -> Choice:
        """The same in Python."""
        return AlphaBeta(self.map, self.ordering, results=self.results, check=check).choice(state, depth, first=first)
