"""The agent `uct`: hundreds of thousands of simulations, in a tree that is kept from move to move."""

from typing import Final

from agents.core.engine import Engine
from agents.core.knowledge import knowledge_of
from agents.core.searching_agent import SearchingAgent
from agents.options import number, one_of, whole
from agents.uct.search import UctSettings, uct_engine
from games.base import Color, State

__all__ = ["UCTAgent"]

#: How much to explore: evaluations differ less than results do.
_C_OF_EVALUATIONS: Final = 0.1
_C_OF_RESULTS: Final = 0.5
#: The statistics that RAVE shares between moves explore by themselves.
_C_OF_RAVE: Final = 0.05


class UCTAgent(SearchingAgent):
    """Runs `simulations`, or as many as `seconds`, `cpu_seconds` (all per move) or the time for the game allow.

    A simulation is evaluated `depth` turns from the root, as in `mcts`; with a depth of 0 it plays the game to its
    end. Below the tree, moves are `random`, or `weighted` by how good they look. `rave` is the number of visits up to
    which a move is judged mainly by simulations in which it was played later. The defaults of `depth` and `c` depend on
    the game.
    """

    heeds_depth = False

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, depth: int | None = None, c: float | None = None, amplify: int = 0,
        rave: float = 0, playout: str = "random", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, cpu_seconds=cpu_seconds, show=show)
        self.depth = None if depth is None else whole("depth", depth, least=0, most=1000)
        self.c = None if c is None else number("c", c, least=0)
        self.amplify = whole("amplify", amplify, least=0, most=1) == 1
        self.rave = number("rave", rave, least=0)
        self.weighted = one_of("playout", playout, {"random": False, "weighted": True})

    def engine(self, state: State) -> Engine:
        """The native search where there is one for the game, else the Python twin."""
        return uct_engine(state, self.settings(state), now=self.now)

    def settings(self, state: State) -> UctSettings:
        """The options, completed by what suits the game of `state`."""
        depth = knowledge_of(state).uct_depth if self.depth is None else self.depth
        c = self.c
        if c is None:
            c_of_results = _C_OF_RAVE if self.rave else _C_OF_RESULTS
            c = _C_OF_EVALUATIONS if depth and not self.amplify else c_of_results
        return UctSettings(depth=depth, c=c, rave=self.rave, amplify=self.amplify, weighted=self.weighted)
