"""A module that opens a forbidden file when it is imported."""

from pathlib import Path

from agents import BaseAgent

Path("/etc/passwd").read_text()


class Reads(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))
