"""The base class of all agents: participants write a subclass of it."""

import difflib
import inspect
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agents import watch
from games.base import Color, Move, State

__all__ = ["OPEN", "BaseAgent", "Branch", "Limits", "UnknownOption", "no_such_option", "option_names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one search may spend. It ends at the first limit it reaches; `None` means no limit.

    `seconds` are measured by a clock, `cpu_seconds` are those in which the thread of the search was computing.
    Alpha-beta heeds `depth` and `nodes`, tree searches heed `simulations`. The seed decides whatever is random.
    `until_stopped` means that time does not matter: only the other limits, or a request to stop, end the search.
    """

    seconds: float = math.inf
    cpu_seconds: float = math.inf
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None
    seed: int = 0
    until_stopped: bool = False


#: No limits.
OPEN: Final = Limits()


class Branch(NamedTuple):
    """A part of a search tree: the moves that lead there, how often they were tried, and the expected score."""

    line: Sequence[str]
    visits: int
    value: float


class UnknownOption(TypeError):
    """An agent was given an option that its class does not have; the text says which ones it has."""


def no_such_option(name: str, option: str, known: Sequence[str]) -> str:
    """The message for an option that an agent does not have.

    >>> no_such_option("mcts", "simulation", ["exploration", "simulations"])
    "mcts has no option 'simulation'; did you mean 'simulations'?"
    """
    if near := difflib.get_close_matches(option, known, n=1):
        return f"{name} has no option {option!r}; did you mean {near[0]!r}?"
    return f"{name} has no option {option!r}; it has {', '.join(known) if known else 'no options'}"


class BaseAgent(ABC):
    """An agent. A subclass must define `act`; one object plays one game.

    `time_left` is the number of seconds left for the game, or, if `moves_to_go` is not None, for so many moves;
    `increment` seconds are added after each move. All three are set before each call of `act`.
    `rng` is seeded by the arena: use it (or `random`), and your games can be repeated.
    `limits` is what another program allows for this move (`arena engine`); in games of the arena it is open.
    """

    name: str
    color: Color
    time_left: float = float("inf")
    increment: float = 0.0
    moves_to_go: int | None = None
    rng: random.Random
    limits: Limits = OPEN

    def __new__(cls, *_args: object, **_options: object) -> "BaseAgent":
        """Create the agent and its random generator."""
        agent = super().__new__(cls)
        # Not in __init__, so that agents that skip super().__init__() have a generator too.
        agent.rng = random.Random(random.getrandbits(64))
        return agent

    def __init__(self, name: str, color: Color, **options: int | float | str) -> None:
        if options:
            raise UnknownOption(no_such_option(type(self).__name__, min(options), option_names(type(self))))
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

    def should_stop(self) -> bool:
        """Whether the other side wants the move now: a search that asks often can end at once with its best move."""
        return watch.is_stopped()

    def tell(
        self, *, value: float | None = None, line: Sequence[str] = (), visits: Mapping[str, int] | None = None,
        policy: Mapping[str, float] | None = None, tree: Sequence[Branch] = (), nodes: int = 0, depth: int = 0,
        text: str = "",
    ) -> None:  # fmt: skip
        """Say what the search thinks, as often as you like while it acts; nothing happens if nobody listens.

        `value` is the expected score of the side to move, from 0 to 1; `line` the expected moves; `visits` and `policy`
        have a number for each move; `tree` has at most 100 entries. It never raises, and never changes a game.
        """
        if watch.reporter is not None:
            watch.reporter.tell(
                {"value": value, "line": line, "visits": visits, "policy": policy, "tree": tree, "nodes": nodes,
                 "depth": depth, "text": text}
            )  # fmt: skip


def option_names(agent: type[BaseAgent]) -> list[str]:
    """The options that the constructors of an agent's class and of its base classes name."""
    found: set[str] = set()
    for base in agent.__mro__:
        if base is not BaseAgent and inspect.isfunction(made := vars(base).get("__init__")):
            named = inspect.signature(made).parameters.values()
            found |= {one.name for one in named if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
    return sorted(found - {"self", "name", "color"})
