"""The agent `gomoku`: it sees fives, fours and open threes, and looks for wins by them before anything else."""

from agents.core.limited import LimitedByDepth
from agents.core.report import Report
from agents.gomoku.kernel import Engine, engine
from games.base import Color
from games.gomoku import GomokuState

__all__ = ["GomokuAgent"]


class GomokuAgent(LimitedByDepth[Engine]):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, whichever comes first.

    Without any of them it spends its share of the time that is left for the game. `report` tells how the last move
    was found, `form` by which form of the search. A win whose line goes on to the five is proven; one that alpha-beta
    claims by its first move alone holds against the answers it looked at.
    """

    plays = GomokuState

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, nodes=nodes, show=show)

    def engine(self, _state: GomokuState) -> Engine:
        """The search in its native form, or where there is none in Python."""
        return engine(now=self.now)

    def search(self, engine: Engine, state: GomokuState, *, seconds: float) -> Report:
        """The best move by threats and alpha-beta."""
        return engine.search(state, self.limits(seconds))
