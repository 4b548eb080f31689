"""The agent `mushroom_greedy`: the most gain now, whatever comes after."""

from agents.base import BaseAgent
from agents.mushroom.board import Board, written
from games.base import Move, State
from games.mushroom import MushroomState

__all__ = ["GreedyAgent"]

_SEED_BITS = 63


class GreedyAgent(BaseAgent):
    """Takes the rectangle that gains most: own cells gained and the opponent's lost. Passes only if there is none."""

    def act(self, state: State) -> Move:
        """The most gainful move; the dice decide between equals."""
        if not isinstance(state, MushroomState):
            raise ValueError(f"{self.name} plays Mushroom only")
        if state.is_game_over():
            raise ValueError("there is no move to choose: the game is over")
        choices = Board.read(state.text).choices(self.rng.getrandbits(_SEED_BITS) | 1)
        return state.parse(written(choices[0].move))
