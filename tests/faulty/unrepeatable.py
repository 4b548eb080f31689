"""An agent whose games cannot be played again: its dice are the system's, not those it was given."""

import random

from agents import BaseAgent


class Unrepeatable(BaseAgent):
    def act(self, state):
        return random.SystemRandom().choice(list(state.legal_moves))
