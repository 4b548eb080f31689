"""A module body is agent code too."""

from pathlib import Path

from agents import BaseAgent

Path("/etc/passwd").read_text()


class Reads(BaseAgent):
    def act(self, state):
        return next(iter(state.legal_moves))
