"""Search every line of play to a fixed depth: what is good for one side is equally bad for the other."""

from agents.evaluation import ZERO_SUM
from agents.options import one_of, whole
from agents.search.base import DeepeningAgent
from games.base import Color, Move, State

__all__ = ["NegamaxSearchAgent"]

#: How much more a finished game counts per turn of depth left: sooner wins and later losses are better.
SOONER = 0.01

#: The value of each legal move of a state. It decides only between states of equal value: two different shares of
#: material always differ by more than all the moves of a chess position together.
FREEDOM = 1e-7


class NegamaxSearchAgent(DeepeningAgent):
    """Searches `depth` turns of both sides, each playing its best."""

    def __init__(self, name: str, color: Color, depth: int = 3, evaluation: str = "share") -> None:
        super().__init__(name, color, depth=whole("depth", depth), evaluation=evaluation)
        self.evaluate = one_of("evaluation", evaluation, ZERO_SUM)

    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:  # noqa: ARG002
        """The value of a move is minus the opponent's value of the state after it."""
        return -self.negamax(self.forward(state, move), depth - 1)

    def leaf(self, state: State, depth: int, *, choices: int) -> float:
        """The value for the side to move of a state where the search ends with `depth` turns left."""
        return self.evaluate(state, state.turn) * (1 + SOONER * depth) + FREEDOM * choices

    def negamax(self, state: State, depth: int) -> float:
        """The value of `state` for the side to move, searched `depth` turns deep."""
        moves = list(state.legal_moves)
        if depth == 0 or not moves:
            return self.leaf(state, depth, choices=len(moves))
        return max(-self.negamax(self.forward(state, move), depth - 1) for move in moves)
