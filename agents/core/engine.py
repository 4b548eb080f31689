"""The vocabulary of all searches: what a search may spend, what it reports, and the protocol it follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from agents import watch
from agents.base import Branch, Limits

__all__ = ["DECIDED", "GAME_OVER", "Engine", "Form", "Limits", "Report", "Visits", "tell"]

#: The score of a win in alpha-beta, minus one for each turn until the win.
DECIDED: Final = 10_000_000

#: The message of the `ValueError` when a search is asked for a move in a finished game.
GAME_OVER: Final = "there is no move to choose: the game is over"

#: Whether a search runs in C++ or in Python.
Form: TypeAlias = Literal["kernel", "python"]


class Visits(NamedTuple):
    """How often a tree search tried a move, and the mean reward of the side to move. PUCT also has a prior."""

    move: str
    visits: int
    mean: float
    prior: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The move that a search found, and how. `score` and `pv` (the expected line) are for the side to move.

    `nodes` counts positions in alpha-beta and simulations in a tree search. `depth` is the last depth that alpha-beta
    finished, or the deepest node of a tree. The score of alpha-beta is in the unit of the evaluation, and a win scores
    `DECIDED` minus the turns it takes. The score of a tree search is the mean reward of the move.
    `text` is what else the agent wants to say. `value` is the expected score of the side to move, from 0 to 1, where it
    is known without a search.
    """

    move: str
    form: Form
    nodes: int = 0
    depth: int = 0
    score: float = 0.0
    pv: Sequence[str] = ()
    visits: Sequence[Visits] = ()
    text: str = ""
    value: float | None = None
    #: Two levels of a tree, if somebody listens; values are like `score`, for the side to move at the root.
    tree: Sequence[Branch] = ()

    def __str__(self) -> str:
        score = f"{self.score:.3f}" if self.visits else f"{self.score:g}" if self.value is None else f"{self.value:.3f}"
        said = f", {self.text}" if self.text else ""
        return f"{self.move}: {self.nodes} nodes, depth {self.depth}, score {score}, line {' '.join(self.pv)}{said}"


def tell(report: Report) -> None:
    """Let whoever listens to the running search hear what it has found so far."""
    if watch.progress is not None:
        watch.progress(report.move, report.nodes, report.depth, report.score, report.pv, report.visits, report.tree)


class Engine(Protocol):
    """The search of one agent in one game. What it learns is kept from move to move."""

    @property
    def form(self) -> Form:
        """Whether it runs in C++ or in Python."""
        ...

    def search(self, state: Any, limits: Limits) -> Report:
        """The best move within the limits. Raises `ValueError` if the game is over."""
        ...
