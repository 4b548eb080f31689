"""The simplest agent: a random legal move."""

from agents.base import BaseAgent
from games.base import Move, State

__all__ = ["RandomAgent"]


class RandomAgent(BaseAgent):
    """Plays a random legal move."""

    def act(self, state: State) -> Move:
        """A legal move; all are equally likely."""
        return self.rng.choice(list(state.legal_moves))
