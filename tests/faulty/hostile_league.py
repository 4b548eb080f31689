"""Agents that do their worst to a whole league."""

from agents import BaseAgent


class Spams(BaseAgent):
    """Prints for ever."""

    def act(self, state):
        while True:
            print("spam " * 20_000)
