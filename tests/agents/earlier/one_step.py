"""An agent written for the earlier platform: it looks one move ahead."""

import random

from scripts.run_game import Evaluator

from agents import BaseAgent


class OneStep(BaseAgent):
    def reset(self):
        self.asked = 0

    def act(self, state):
        assert state.color == state.turn == self.turn
        values = [(Evaluator.eval(state.forward(move), self.turn) + 1e-6 * random.random(), move.uci(), move)
                  for move in state.legal_moves]  # fmt: skip
        return max(values)[2]

    def close(self):
        pass
