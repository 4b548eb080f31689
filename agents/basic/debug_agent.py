"""Agents for testing the arena itself: one is predictable, one fails."""

from agents.base import BaseAgent
from agents.options import number
from games.base import Color, Move, State

__all__ = ["FirstMoveAgent", "MalfunctionAgent"]


class FirstMoveAgent(BaseAgent):
    """Plays the first legal move, so the same moves of the opponent give the same game."""

    def act(self, state: State) -> Move:
        """The first move in the order of the rules."""
        return state.legal_moves[0]


class MalfunctionAgent(BaseAgent):
    """Raises in `act` with a given probability, else plays a random legal move."""

    def __init__(self, name: str, color: Color, probability: float = 0.5) -> None:
        super().__init__(name, color)
        self.probability = number("probability", probability, least=0, most=1)

    def act(self, state: State) -> Move:
        """A random legal move, or RuntimeError."""
        if self.rng.random() < self.probability:
            raise RuntimeError("malfunction, on purpose")
        return self.rng.choice(list(state.legal_moves))
