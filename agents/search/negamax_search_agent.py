"""Look at every line of play to a fixed depth: what is good for one side is as bad for the other."""

from agents.evaluation import ZERO_SUM
from agents.options import one_of, whole
from agents.search.base import DeepeningAgent
from games.base import Color, Move, State

__all__ = ["NegamaxSearchAgent"]

#: How much more a decided game counts per turn of depth left: sooner wins and later losses are better.
SOONER = 0.01


class NegamaxSearchAgent(DeepeningAgent):
    """Searches `depth` turns of both sides, each playing its best."""

    def __init__(self, name: str, color: Color, depth: int = 3, evaluation: str = "share") -> None:
        super().__init__(name, color, depth=whole("depth", depth), evaluation=evaluation)
        self.evaluate = one_of("evaluation", evaluation, ZERO_SUM)

    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:  # noqa: ARG002
        """My value of a move is the opponent's value of what follows, negated."""
        return -self.negamax(self.forward(state, move), depth - 1)

    def negamax(self, state: State, depth: int) -> float:
        """The value of `state` for the side to move, `depth` turns deep."""
        moves = list(state.legal_moves) if depth else []
        if not moves:
            return self.evaluate(state, state.turn) * (1 + SOONER * depth)
        return max(-self.negamax(self.forward(state, move), depth - 1) for move in moves)
