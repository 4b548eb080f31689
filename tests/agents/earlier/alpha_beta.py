"""An agent written for the earlier platform: negamax with alpha-beta, and an eye on the clock."""

import time

import chess
from scripts.run_game import TIME_LIMIT, Evaluator

from agents import BaseAgent


class AlphaBeta(BaseAgent):
    def act(self, state):
        left = state.white_remain_sec if self.color == chess.WHITE else state.black_remain_sec
        assert 0 < left <= TIME_LIMIT
        self.until = time.perf_counter() + left
        return self.search(state, 3, -1000, 1000, 1.0 if self.color else -1.0)[1]

    def search(self, state, depth, alpha, beta, color):
        if depth == 0 or state.is_game_over() or time.perf_counter() > self.until:
            return color * Evaluator.eval_2(state, True), None
        best, chosen = -1000, None
        for move in state.legal_moves:
            value = -self.search(state.forward(move), depth - 1, -beta, -alpha, -color)[0]
            if value > best:
                best, chosen = value, move
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best, chosen
