"""The two ways to limit a search beside its seconds: by depth and nodes, or by simulations."""

from typing import Final

from agents.core.report import Limits
from agents.core.searching_agent import E, SearchingAgent
from agents.options import whole
from games.base import Color

__all__ = ["LimitedByDepth", "LimitedBySimulations"]

_DEEPEST: Final = 64


class LimitedByDepth(SearchingAgent[E]):
    """Alpha-beta: `depth` and `nodes` are for one move."""

    def __init__(
        self, name: str, color: Color, *, depth: int | None, seconds: float | None, nodes: int | None, show: int
    ) -> None:
        super().__init__(name, color, seconds=seconds, show=show)
        self.depth = None if depth is None else whole("depth", depth, most=_DEEPEST)
        self.nodes = None if nodes is None else whole("nodes", nodes)

    @property
    def limited(self) -> bool:
        """Whether there is a limit on depth or nodes."""
        return self.depth is not None or self.nodes is not None

    def limits(self, seconds: float) -> Limits:
        """The limits of one search, and a seed for it."""
        return Limits(seconds=seconds, nodes=self.nodes, depth=self.depth or _DEEPEST, seed=self.seed())


class LimitedBySimulations(SearchingAgent[E]):
    """A search of a tree: `simulations` are for one move."""

    def __init__(
        self, name: str, color: Color, *, simulations: int | None, seconds: float | None, show: int = 0
    ) -> None:
        super().__init__(name, color, seconds=seconds, show=show)
        self.simulations = None if simulations is None else whole("simulations", simulations)

    @property
    def limited(self) -> bool:
        """Whether there is a limit on simulations."""
        return self.simulations is not None
