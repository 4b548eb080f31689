"""The agent `alphabeta`: deepening, a table of positions, captures followed to their end."""

from agents.alphabeta.search import alphabeta_engine
from agents.core.engine import Engine
from agents.core.searching_agent import DeepeningAgent
from games.base import State

__all__ = ["AlphaBetaAgent"]


class AlphaBetaAgent(DeepeningAgent):
    """Searches until it reaches `depth`, `nodes`, `seconds` or `cpu_seconds` (all per move), whichever comes first.

    Without any of them it spends its share of the time left for the game.
    """

    def engine(self, state: State) -> Engine:
        """The native search where there is one for the game, else the Python twin."""
        return alphabeta_engine(state, now=self.now)
