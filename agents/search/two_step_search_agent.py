"""Look at every reply to each own move, and expect the worst reply."""

from agents.search.base import DeepeningAgent
from games.base import Color, Move, State

__all__ = ["TwoStepSearchAgent"]


class TwoStepSearchAgent(DeepeningAgent):
    """Plays the move after which the opponent's best reply does the least harm."""

    def __init__(self, name: str, color: Color, evaluation: str = "share") -> None:
        super().__init__(name, color, depth=2, evaluation=evaluation)

    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:  # noqa: ARG002
        """The value of `move` for this agent after the best reply."""
        after = self.forward(state, move)
        replies = list(after.legal_moves) if depth == 2 else []
        if not replies:
            return self.evaluate(after, self.color)
        return min(self.evaluate(self.forward(after, reply), self.color) for reply in replies)
