"""The base class of all agents: participants write a subclass of it."""

import random
from abc import ABC, abstractmethod

from games.base import Color, Move, State

__all__ = ["BaseAgent"]


class BaseAgent(ABC):
    """An agent. A subclass must define `act`; one object plays one game.

    `time_left` is the number of seconds left for the game; it is set before each call of `act`.
    `rng` is seeded by the arena: use it (or `random`), and your games can be repeated.
    """

    name: str
    color: Color
    time_left: float = float("inf")
    rng: random.Random

    def __new__(cls, *_args: object, **_options: object) -> "BaseAgent":
        """Create the agent and its random generator."""
        agent = super().__new__(cls)
        # Not in __init__, so that agents that skip super().__init__() have a generator too.
        agent.rng = random.Random(random.getrandbits(64))
        return agent

    def __init__(self, name: str, color: Color, **options: int | float | str) -> None:
        if options:
            raise TypeError(f"{type(self).__name__} has no option {', '.join(sorted(options))}")
        self.name = name
        self.color = color

    @property
    def opponent_color(self) -> Color:
        """The colour of the opponent."""
        return not self.color

    @property
    def turn(self) -> Color:
        """The agent's own colour; the earlier platform used this name."""
        return self.color

    def reset(self) -> None:
        """Called once before the game; its time is not charged to the clock."""

    @abstractmethod
    def act(self, state: State) -> Move:
        """Return the move to play in `state`, where it is this agent's turn."""

    def close(self) -> None:
        """Called once after the game."""
