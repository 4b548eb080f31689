"""The agent `gomoku`: it sees fives, fours and open threes, and looks for wins by them before anything else."""

from agents.core.engine import Engine
from agents.core.native import NativeTextSearch, extension
from agents.core.searching_agent import DeepeningAgent
from agents.gomoku.search import PythonGomokuSearch
from games.gomoku import GomokuState

__all__ = ["GomokuAgent"]


class GomokuAgent(DeepeningAgent):
    """Searches until it reaches `depth`, `nodes`, `seconds` or `cpu_seconds` (all per move), whichever comes first.

    Without any of them it spends its share of the time left for the game. In a report, a win with a line to the five is
    proven; a win with a line of one move holds only against the replies that alpha-beta looked at.
    """

    plays = GomokuState

    def engine(self, _state: GomokuState) -> Engine:
        """The native search if it was built, else the Python twin."""
        native = extension("agents.gomoku._native")
        return PythonGomokuSearch(now=self.now) if native is None else NativeTextSearch(native.Searcher().search)
