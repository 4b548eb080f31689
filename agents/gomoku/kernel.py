"""The native search: states cross the border as text."""

import importlib
import os
from types import ModuleType
from typing import Any, Final, Protocol

from agents._search.report import Form, Limits, Report
from agents.budget import Clock
from agents.gomoku.search import Plain
from games.base import State

__all__ = ["Engine", "Kernel", "engine", "native"]

_UNLIMITED: Final = 2**63


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
    """The native module; None if it was not built, or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module("agents.gomoku._native")
    except ImportError:
        return None


class Kernel:
    """The native search; what it learned is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, searcher: Any) -> None:
        self._searcher = searcher

    def search(self, state: State, limits: Limits) -> Report:
        """The best move; the game must not be over."""
        move, nodes, depth, score, pv = self._searcher.search(
            state.text,
            seconds=limits.seconds,
            nodes=_UNLIMITED if limits.nodes is None else limits.nodes,
            depth=limits.depth,
            seed=limits.seed,
        )
        return Report(move=move, form="kernel", nodes=nodes, depth=depth, score=score, pv=pv)


def engine(*, now: Clock) -> Engine:
    """The native search, or where there is none its twin."""
    module = native()
    return Plain(now=now) if module is None else Kernel(module.Searcher())
