"""The native search: states cross the border as text."""

from types import ModuleType
from typing import Any, Protocol

from agents.budget import Clock
from agents.core.kernel import alphabeta
from agents.core.native import extension
from agents.core.report import Form, Limits, Report
from agents.gomoku.search import Plain
from games.base import State

__all__ = ["Engine", "Kernel", "engine", "native"]


class Engine(Protocol):
    """A search for moves, in one of two forms."""

    @property
    def form(self) -> Form:
        """Which form of the search this is."""
        ...

    def search(self, state: State, limits: Limits) -> Report:
        """The best move; the game must not be over."""
        ...


def native() -> ModuleType | None:
    """The native module; None if it is not to be had."""
    return extension("agents.gomoku._native")


class Kernel:
    """The native search; what it learned is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, searcher: Any) -> None:
        self._searcher = searcher

    def search(self, state: State, limits: Limits) -> Report:
        """The best move; the game must not be over."""
        return alphabeta(self._searcher.search, state.text, limits=limits)


def engine(*, now: Clock) -> Engine:
    """The native search, or where there is none its twin."""
    module = native()
    return Plain(now=now) if module is None else Kernel(module.Searcher())
