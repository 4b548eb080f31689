"""An agent written for the earlier platform: negamax, values from White's view times the colour."""

from scripts.run_game import Evaluator

from agents import BaseAgent


class Negamax(BaseAgent):
    def reset(self):
        self.depth = 2

    def act(self, state):
        return self.search(state, self.depth, 1.0 if self.turn else -1.0)[1]

    def search(self, state, depth, color):
        if depth == 0 or state.is_game_over():
            return color * Evaluator.eval_2(state, True), None
        found = [(-self.search(state.forward(move), depth - 1, -color)[0], move) for move in state.legal_moves]
        return max(found, key=lambda each: each[0])
