"""Honest agents that never look at the clock: the same dice give the same games."""

import random

from agents import BaseAgent


class LastMove(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)[-1]


class Captures(BaseAgent):
    """Takes what it can, else anything."""

    def act(self, state):
        moves = list(state.legal_moves)
        return random.choice([move for move in moves if state.is_capture(move)] or moves)
