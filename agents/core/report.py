"""What a search may use, and what it has found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from games.base import State

__all__ = ["DECIDED", "Engine", "Form", "Limits", "Recipe", "Report", "Visits"]

#: What a decided game is worth in alpha-beta, less one for each turn until then.
DECIDED: Final = 10_000_000

Form: TypeAlias = Literal["kernel", "python"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far alpha-beta may go; equal moves are tried in an order that the seed decides."""

    seconds: float = math.inf
    nodes: int | None = None
    depth: int = 64
    seed: int = 0
    #: Neither captures beyond the depth nor shortcuts: the value is that of a full search.
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How UCT spends its simulations; with a depth of 0 each plays the game to its end."""

    seconds: float = math.inf
    simulations: int | None = None
    depth: int = 0
    c: float = 1.4
    rave: float = 0
    amplify: bool = False
    weighted: bool = False
    seed: int = 0


class Visits(NamedTuple):
    """How often UCT tried a move, and what that brought the side to move on average."""

    move: str
    visits: int
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The move that was found, and how: `score` and `pv`, the line expected, are those of the side to move.

    `nodes` are states seen by alpha-beta, and simulations of UCT. `depth` was searched to its end, or is that of
    the deepest node of UCT's tree. `score` is in hundredths of what counts least, a win `DECIDED` less the turns it
    takes; for UCT it is the average reward of the move.
    """

    move: str
    form: Form
    nodes: int = 0
    depth: int = 0
    score: float = 0.0
    pv: Sequence[str] = ()
    visits: Sequence[Visits] = ()

    def __str__(self) -> str:
        score = f"{self.score:.3f}" if self.visits else f"{self.score:g}"
        return f"{self.move}: {self.nodes} nodes, depth {self.depth}, score {score}, line {' '.join(self.pv)}"


class Engine(Protocol):
    """Searches of one game. Both raise `ValueError` when the game is over."""

    @property
    def form(self) -> Form:
        """Which form of the searches this is."""
        ...

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta."""
        ...

    def uct(self, state: State, recipe: Recipe) -> Report:
        """The best move by UCT."""
        ...
