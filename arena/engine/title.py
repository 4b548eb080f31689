"""What a served agent is called."""

from dataclasses import dataclass

__all__ = ["Title"]


@dataclass(frozen=True, slots=True)
class Title:
    """The agent's name and the arena's version, both safe to show."""

    agent: str
    version: str
