"""Honest agents that never look at the clock: the same seeds give the same games."""

import random

from agents import BaseAgent


class LastMove(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)[-1]


class Captures(BaseAgent):
    """Captures if it can, else plays any move."""

    def act(self, state):
        moves = list(state.legal_moves)
        return random.choice([move for move in moves if state.is_capture(move)] or moves)
