"""What the parts of the search share: evaluations, settings, what was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from agents.core.report import Form
from games.base import State

__all__ = ["Branch", "Engine", "Evaluation", "Evaluator", "Figures", "Settings", "Tally"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a state is worth to the side to move, from -1 to 1, and how likely each of its moves is the best.

    There is a prior for every one of `legal_moves`, in their order. They need not add up to 1.
    """

    value: float
    priors: Sequence[float]


class Evaluator(Protocol):
    """Whatever can judge states: a heuristic, a network."""

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """One evaluation for each of the states, in which the games are not over."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How simulations find their way.

    First-play urgency: a move that nobody has tried counts as much as its parent on average, less `fpu`. So a side
    that is ahead does not have to try everything before it follows what goes well, and one that is behind does not
    take everything untried for a way out.
    """

    #: How much is explored.
    c: float = 1.0
    fpu: float = 0.1
    #: What a simulation that is under way counts, as a loss: the next ones of its batch then go elsewhere.
    virtual_loss: float = 1.0
    #: Leaves that are collected before they are evaluated together.
    batch: int = 1
    #: The part of the noise in the priors of the root.
    epsilon: float = 0.0


class Branch(NamedTuple):
    """A move of the root: how often it was tried, what that brought the side to move on average, its prior."""

    move: str
    visits: int
    mean: float
    prior: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a search has found: `visits` are those of the root, earlier searches included; `simulations` are new.

    `branches` has every move of the root, in the order of `legal_moves`. `line` is the line of play expected.
    """

    simulations: int
    visits: int
    depth: int
    line: Sequence[str]
    branches: Sequence[Branch]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a search has cost so far: seconds by phase, evaluations asked for and known by then, memory."""

    select: float
    evaluate: float
    expand: float
    backup: float
    evaluations: int
    hits: int
    nodes: int
    #: None where nobody has counted.
    memory: int | None


class Engine(Protocol):
    """The search of one game; its tree is kept from move to move."""

    @property
    def form(self) -> Form:
        """Which form of the search this is."""
        ...

    def run(
        self, state: State, *, simulations: int | None = None, seconds: float = ..., noise: Sequence[float] = ()
    ) -> Tally:
        """Search from a state until a limit is reached, at least one simulation; a finished game is a `ValueError`.

        `noise` is mixed into the priors of the root: a number for each move, or none.
        """
        ...

    def figures(self) -> Figures:
        """What that has cost."""
        ...
