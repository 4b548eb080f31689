"""The agent `mushroom_greedy`: the greatest gain now, whatever comes after."""

from agents.base import BaseAgent
from agents.core.engine import GAME_OVER
from agents.mushroom.board import Board, written
from games.base import Move, State
from games.mushroom import MushroomState

__all__ = ["GreedyAgent"]

_SEED_BITS = 63


class GreedyAgent(BaseAgent):
    """Takes the rectangle with the greatest gain: own cells won plus opposing cells taken. Passes if there is none."""

    def act(self, state: State) -> Move:
        """The move with the greatest gain; `rng` decides between equal gains."""
        if not isinstance(state, MushroomState):
            raise ValueError(f"{self.name} plays Mushroom only")
        if state.is_game_over():
            raise ValueError(GAME_OVER)
        choices = Board.read(state.text).choices(self.rng.getrandbits(_SEED_BITS) | 1)
        return state.parse(written(choices[0].move))
