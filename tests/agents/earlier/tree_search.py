"""An agent written for the earlier platform: random games from each move, played in its environment."""

import random

from scripts.run_game import Environment, Evaluator, Move

from agents import BaseAgent


class TreeSearch(BaseAgent):
    def reset(self):
        self.env = Environment()

    def act(self, state):
        totals = {move.uci(): self.games(state.forward(move)) for move in state.legal_moves}
        return Move.from_uci(max(totals, key=totals.get))

    def games(self, state):
        return sum(self.game(state) for _ in range(2))

    def game(self, state):
        state = self.env.reset(state.fen(), max_turns=6)
        points, done = [0.5, 0.5], state.is_game_over()
        while not done:
            state, points, done, _ = self.env.step(random.choice(list(state.legal_moves)))
        return Evaluator.win_or_lose(state, self.turn) + points[0 if self.turn else 1]

    def close(self):
        self.env.render()
        self.env.close()
