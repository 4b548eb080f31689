"""A module that computes for ever in its import."""

from agents import BaseAgent

while True:
    pass


class Late(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))
