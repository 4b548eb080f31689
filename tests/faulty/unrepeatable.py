"""An agent whose games cannot be repeated: it uses the system's random numbers, not the seeded ones."""

import random

from agents import BaseAgent


class Unrepeatable(BaseAgent):
    def act(self, state):
        return random.SystemRandom().choice(list(state.legal_moves))
