"""Alpha-beta on the search core: deepening, a table of positions, captures followed to their end."""

from agents.core.kernel import Kernel
from agents.core.limited import LimitedByDepth
from agents.core.plain import Plain
from agents.core.report import Engine, Report
from games.base import Color, State

__all__ = ["AlphaBetaAgent"]


class AlphaBetaAgent(LimitedByDepth[Engine]):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, whichever comes first.

    Without any of them it spends its share of the time that is left for the game.
    """

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, nodes=nodes, show=show)

    def engine(self, state: State) -> Engine:
        """The core in its native form where there is one for the game, else in Python."""
        return Kernel.of(state) or Plain(now=self.now)

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The best move by alpha-beta."""
        return engine.alphabeta(state, self.limits(seconds))
