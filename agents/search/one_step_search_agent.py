"""Look at the state after each own move, and play the best."""

from agents.search.base import DeepeningAgent
from games.base import Color, Move, State

__all__ = ["OneStepSearchAgent"]


class OneStepSearchAgent(DeepeningAgent):
    """Takes what it can get now; it does not see the reply."""

    def __init__(self, name: str, color: Color, evaluation: str = "share") -> None:
        super().__init__(name, color, depth=1, evaluation=evaluation)

    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:  # noqa: ARG002
        """The value of the state after `move` for this agent."""
        return self.evaluate(self.forward(state, move), self.color)
