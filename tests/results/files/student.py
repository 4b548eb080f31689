"""An agent of a participant; its bytes are part of the fixture."""

from agents import BaseAgent


class Student(BaseAgent):
    """Plays the last legal move."""

    def act(self, state):
        return list(state.legal_moves)[-1]
