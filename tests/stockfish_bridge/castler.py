"""An agent for testing engines: it makes the special moves that an 8x8 engine does not know."""

from agents.base import BaseAgent
from games.base import Move, State


class Castler(BaseAgent):
    """Castles whenever it can, else promotes whenever it can, else plays a random legal move."""

    def act(self, state: State) -> Move:
        moves = list(state.legal_moves)
        castling = [move for move in moves if state.is_castling(move)]
        promoting = [move for move in moves if move.promotion]
        return self.rng.choice(castling or promoting or moves)
