"""The searches in both forms; to the native one states cross the border as text."""

import time
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol

from agents.budget import Clock
from agents.core.kernel import alphabeta, reported
from agents.core.native import extension, most
from agents.core.report import Form, Limits, Report
from agents.mushroom.alphabeta import AlphaBeta, Table
from agents.mushroom.board import Board
from agents.mushroom.states import STATES
from agents.mushroom.uct import Recipe, Uct
from games.base import State

__all__ = ["Effort", "Engine", "Kernel", "Plain", "Simulated", "engine", "native"]

_NODE_BYTES: Final = 24


class Effort(NamedTuple):
    """How often the state before a new one was wanted and held by the cache, and what tree and states took."""

    asked: int
    held: int
    bytes: int


class Simulated(NamedTuple):
    """What UCT found, and at what cost."""

    report: Report
    effort: Effort


class Engine(Protocol):
    """Searches for moves, in one of two forms. The game must not be over."""

    @property
    def form(self) -> Form:
        """Which form of the searches this is."""
        ...

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta; what was learned is kept from move to move."""
        ...

    def uct(self, state: State, recipe: Recipe) -> Simulated:
        """The most visited move."""
        ...


def native() -> ModuleType | None:
    """The native module; None if it is not to be had."""
    return extension("agents.mushroom._native")


class Kernel:
    """The native searches."""

    form: Form = "kernel"

    def __init__(self, searcher: Any) -> None:
        self._searcher = searcher

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta."""
        return alphabeta(self._searcher.alphabeta, state.text, limits=limits)

    def uct(self, state: State, recipe: Recipe) -> Simulated:
        """The most visited move."""
        *found, visits, effort = self._searcher.uct(
            state.text,
            states=recipe.states,
            seconds=recipe.seconds,
            simulations=most(recipe.simulations),
            c=recipe.c,
            seed=recipe.seed,
        )
        return Simulated(reported(found, visits), Effort(*effort))


class Plain:
    """The searches in Python."""

    form: Form = "python"

    def __init__(self, *, now: Clock = time.monotonic) -> None:
        self._now = now
        self._known: Table = {}

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta."""
        return AlphaBeta(Board.read(state.text), self._known, limits, now=self._now).report()

    def uct(self, state: State, recipe: Recipe) -> Simulated:
        """The most visited move."""
        states = STATES[recipe.states](Board.read(state.text))
        uct = Uct(states, recipe, now=self._now)
        report = uct.report()
        return Simulated(report, Effort(states.asked, states.held, len(uct.nodes) * _NODE_BYTES + states.bytes))


def engine(*, now: Clock) -> Engine:
    """The native searches, or where there are none their twins."""
    module = native()
    return Plain(now=now) if module is None else Kernel(module.Searcher())
