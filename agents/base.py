"""The class a participant writes."""

import random
from abc import ABC, abstractmethod

from games.base import Color, Move, State

__all__ = ["BaseAgent"]


class BaseAgent(ABC):
    """A player of games. Only `act` must be written; one object plays one game.

    `time_left` holds the true seconds left for the game, set before each `act`.
    `rng` is seeded by the arena: an agent that uses it (or `random`) plays the same game again from the same seed.
    """

    name: str
    color: Color
    time_left: float = float("inf")
    rng: random.Random

    def __new__(cls, *_args: object, **_options: object) -> "BaseAgent":
        """Make the agent and its `rng`."""
        agent = super().__new__(cls)
        # Not in __init__: an agent that does not call super().__init__ still gets its rng.
        agent.rng = random.Random(random.getrandbits(64))
        return agent

    def __init__(self, name: str, color: Color, **options: int | float | str) -> None:
        if options:
            raise TypeError(f"{type(self).__name__} takes no option called {', '.join(sorted(options))}")
        self.name = name
        self.color = color

    @property
    def opponent_color(self) -> Color:
        """The other side."""
        return not self.color

    @property
    def turn(self) -> Color:
        """The agent's own colour, under its name on the earlier platform."""
        return self.color

    def reset(self) -> None:
        """Called once before the game; its time is not charged."""

    @abstractmethod
    def act(self, state: State) -> Move:
        """The move to play in `state`, where it is this agent's turn."""

    def close(self) -> None:
        """Called once after the game."""
