"""A module whose import computes without end."""

from agents import BaseAgent

while True:
    pass


class Late(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))
