"""An agent written for the earlier platform: it looks at the opponent's best reply too."""

from scripts.run_game import Evaluator, State

from agents import BaseAgent


class TwoStep(BaseAgent):
    def act(self, state):
        assert isinstance(state, State)
        return max(state.legal_moves, key=lambda move: (self.after(state.forward(move)), move.uci()))

    def after(self, state):
        if state.is_game_over():
            return Evaluator.eval(state, self.turn)
        return min(Evaluator.eval(state.forward(move), self.turn) for move in state.legal_moves)
