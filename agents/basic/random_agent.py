"""The simplest agent: any legal move."""

from agents.base import BaseAgent
from games.base import Move, State

__all__ = ["RandomAgent"]


class RandomAgent(BaseAgent):
    """Plays a random legal move."""

    def act(self, state: State) -> Move:
        """Any legal move, each as likely as the others."""
        return self.rng.choice(list(state.legal_moves))
