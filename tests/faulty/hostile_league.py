"""Agents that try to disturb a whole league."""

from agents import BaseAgent


class Spams(BaseAgent):
    """Prints without end."""

    def act(self, state):
        while True:
            print("spam " * 20_000)


class Dices(BaseAgent):
    """Plays a random move."""

    def act(self, state):
        return self.rng.choice(list(state.legal_moves))
