"""The PUCT search as its agent sees it: settings, results, noise, the choice of the move."""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from agents.base import Branch
from agents.budget import Clock
from agents.core.engine import Form, Limits, Report, Visits, tell
from games.base import State

__all__ = ["Figures", "PuctResult", "PuctSearch", "PuctSettings", "choose", "dirichlet", "tree_report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PuctSettings:
    """How simulations find their way, and how the move is chosen.

    First-play urgency: an untried move counts as much as its parent on average, minus `fpu`. A side that is ahead then
    need not try every move before it follows a good one, and a side that is behind does not prefer untried moves.
    """

    #: How much is explored.
    c: float = 1.0
    fpu: float = 0.1
    #: A simulation in progress counts as a loss of this size: the next ones of its batch go elsewhere.
    virtual_loss: float = 1.0
    #: The number of leaves that are collected before they are evaluated together.
    batch: int = 1
    #: The share of Dirichlet noise in the priors of the root, and the parameter of that noise.
    epsilon: float = 0.0
    alpha: float = 0.3
    #: The move is drawn by its visits; 0 plays the most visited move.
    temperature: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PuctResult:
    """What a search has found. `visits` of the root include earlier searches; `simulations` counts new ones only.

    `moves` holds every move of the root, in the order of `legal_moves`. `line` is the expected line of play.
    """

    simulations: int
    visits: int
    depth: int
    line: Sequence[str]
    moves: Sequence[Visits]
    #: Two levels of the tree, if somebody listens.
    tree: Sequence[Branch] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the searches have cost so far: seconds per phase, evaluations and cache hits, memory."""

    select: float
    evaluate: float
    expand: float
    backup: float
    evaluations: int
    hits: int
    nodes: int
    #: None where it is not counted.
    memory: int | None


class PuctSearch(ABC):
    """The search of one game. The tree is kept from move to move."""

    form: Form

    def __init__(self, settings: PuctSettings, *, now: Clock, rng: random.Random | None) -> None:
        self.settings = settings
        self._now = now
        self._rng = random.Random(0) if rng is None else rng

    @abstractmethod
    def run(
        self, state: State, *, simulations: int | None = None, seconds: float = math.inf, noise: Sequence[float] = ()
    ) -> PuctResult:
        """Search until a limit is reached, at least one simulation. Raises `ValueError` if the game is over.

        `noise` is mixed into the priors of the root: a number for each move, or nothing.
        """

    @abstractmethod
    def figures(self) -> Figures:
        """What the searches have cost."""

    def search(self, state: State, limits: Limits) -> Report:
        """The most visited move, or one drawn by visits."""
        until = self._now() + limits.seconds
        settings = self.settings
        noise = dirichlet(len(state.legal_moves), settings.alpha, self._rng) if settings.epsilon else ()
        found = self.run(state, simulations=limits.simulations, seconds=until - self._now(), noise=noise)
        chosen = choose(found.moves, settings.temperature, self._rng)
        return self._report(found, chosen)

    def tell(self, found: PuctResult) -> None:
        """Let a listener hear what has been found so far. It draws no random numbers."""
        best = choose(found.moves, 0, self._rng)
        tell(self._report(found, best))

    def _report(self, found: PuctResult, chosen: Visits) -> Report:
        return tree_report(
            found.moves, chosen, found.line, form=self.form, nodes=found.simulations, depth=found.depth, tree=found.tree
        )


def tree_report(
    moves: Sequence[Visits], chosen: Visits, line: Sequence[str], *, form: Form, nodes: int, depth: int,
    tree: Sequence[Branch] = (),
) -> Report:  # fmt: skip
    """The report of a search that chose one of these moves of the root."""
    return Report(
        move=chosen.move, form=form, nodes=nodes, depth=depth, score=chosen.mean,
        pv=line if line[:1] == (chosen.move,) else (chosen.move,),
        visits=sorted(moves, key=lambda move: (move.visits, move.mean), reverse=True), tree=tree,
    )  # fmt: skip


def dirichlet(count: int, alpha: float, rng: random.Random) -> tuple[float, ...]:
    """Random shares of 1; the smaller `alpha` is, the more unequal they are."""
    drawn = [rng.gammavariate(alpha, 1.0) for _ in range(count)]
    # With a tiny alpha all of them may be too small for a float.
    total = math.fsum(drawn)
    return tuple(share / total for share in drawn) if total else (1 / count,) * count


def choose(moves: Sequence[Visits], temperature: float, rng: random.Random) -> Visits:
    """The move to play: the most visited at temperature 0, else drawn by visits ** (1 / temperature).

    Between equally visited moves the better mean decides, then the greater prior. If none was visited, priors decide.
    """
    visited = any(move.visits for move in moves)
    if temperature == 0:
        return max(moves, key=lambda move: (move.visits, move.mean, move.prior))
    weights = [move.visits if visited else move.prior for move in moves]
    top = max(weights)
    if top == 0:
        return rng.choice(moves)
    # Divided by the greatest weight, so that no power is too great for a float.
    return rng.choices(moves, [(weight / top) ** (1 / temperature) for weight in weights])[0]
