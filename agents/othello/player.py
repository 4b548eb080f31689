"""What the Othello agents share."""

from agents.core.searching_agent import SearchingAgent
from agents.othello.native import Engine, native
from games.othello import OthelloState

__all__ = ["OthelloPlayer"]


class OthelloPlayer(SearchingAgent[Engine]):
    """Plays Othello, by the native searches if there are any."""

    plays = OthelloState

    def engine(self, state: OthelloState) -> Engine:
        """The native searches, but not for states that may follow rules of their own."""
        return Engine(native() if type(state).__module__ == "games.othello" else None)
