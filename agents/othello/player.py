"""The base class of the Othello agents."""

from types import ModuleType

from agents.core.knowledge import knowledge_of
from agents.core.native import extension
from agents.core.searching_agent import SearchingAgent
from games.othello import OthelloState

__all__ = ["OthelloPlayer", "native"]


def native() -> ModuleType | None:
    """The native searches; None if they were not built or ARENA_KERNEL=python forbids them."""
    return extension("agents.othello._native")


class OthelloPlayer(SearchingAgent):
    """An agent that plays only Othello."""

    plays = OthelloState
    #: No game of Othello is longer, except for passes.
    deepest = 60

    def native_for(self, state: OthelloState) -> ModuleType | None:
        """The native searches; None for a state whose class may change the rules."""
        return None if knowledge_of(state).native_position is None else native()
