"""Alpha-beta on the search core: deepening, a table of positions, captures followed to their end."""

from agents._search.report import Engine, Limits, Report
from agents.options import whole
from agents.search.engine_agent import EngineAgent
from games.base import Color, State

__all__ = ["AlphaBetaAgent"]

_DEEPEST = 64


class AlphaBetaAgent(EngineAgent):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, whichever comes first.

    Without any of them it spends its share of the time that is left for the game.
    """

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, seconds=seconds, show=show)
        self.depth = None if depth is None else whole("depth", depth, most=_DEEPEST)
        self.nodes = None if nodes is None else whole("nodes", nodes)

    @property
    def limited(self) -> bool:
        """Whether there is a limit on depth or nodes."""
        return self.depth is not None or self.nodes is not None

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The best move by alpha-beta."""
        limits = Limits(seconds=seconds, nodes=self.nodes, depth=self.depth or _DEEPEST, seed=self.seed())
        return engine.alphabeta(state, limits)
