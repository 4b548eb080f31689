"""Negamax that skips lines which cannot change the choice: alpha-beta pruning."""

from collections import Counter
from collections.abc import Sequence

from agents.search.negamax_search_agent import NegamaxSearchAgent
from games.base import Color, Move, State

__all__ = ["ABPNegamaxSearchAgent"]

_INFINITY = float("inf")


class ABPNegamaxSearchAgent(NegamaxSearchAgent):
    """Chooses the same moves as negamax of the same depth, and visits far fewer states."""

    def __init__(self, name: str, color: Color, depth: int = 4, evaluation: str = "share") -> None:
        super().__init__(name, color, depth=depth, evaluation=evaluation)
        self.cutoffs: Counter[Move] = Counter()

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The choice of negamax. Moves that caused many cutoffs are tried first."""
        self.cutoffs.clear()
        return super().choose(state, moves)

    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:
        """Like negamax, but only a bound for a move that is not above `floor`."""
        return -self.alpha_beta(self.forward(state, move), depth - 1, alpha=-_INFINITY, beta=-floor)

    def alpha_beta(self, state: State, depth: int, *, alpha: float, beta: float) -> float:
        """The value of `state` for the side to move, exact between `alpha` and `beta`, else a bound.

        `alpha` is what this side can already get elsewhere, `beta` is what the opponent will allow.
        """
        moves = list(state.legal_moves)
        if depth == 0 or not moves:
            return self.leaf(state, depth, choices=len(moves))
        moves.sort(key=self.cutoffs.__getitem__, reverse=True)
        best = -_INFINITY
        for move in moves:
            value = -self.alpha_beta(self.forward(state, move), depth - 1, alpha=-beta, beta=-alpha)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                # The opponent will avoid this state: another line is better for it.
                self.cutoffs[move] += 1
                break
        return best
