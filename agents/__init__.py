"""Players: the class a participant writes, and the agents that come with the arena."""

from agents.base import BaseAgent

__all__ = ["BaseAgent"]
