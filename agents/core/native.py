"""The native searches: how they are found, how states cross the border to C++ as text, how results come back."""

import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, Final

from agents.base import Branch
from agents.core.engine import Form, Limits, Report, Visits
from agents.core.knowledge import NativePosition, knowledge_of
from games.base import State

__all__ = ["DEEPEST", "NativeGame", "NativeTextSearch", "alphabeta_report", "at_most", "extension", "report_of"]

#: The greatest depth of the native alpha-beta searches.
DEEPEST: Final = 64

_UNLIMITED: Final = 2**63


def extension(name: str) -> ModuleType | None:
    """The native module with this dotted path; None if it was not built or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def at_most(limit: int | None) -> int:
    """A limit as the native searches expect it: always a number."""
    return _UNLIMITED if limit is None else limit


class NativeGame:
    """A native object that searches one game, and the function that writes states for it."""

    def __init__(self, native: Any, position_of: Callable[[Any], NativePosition]) -> None:
        self.native = native
        self._position_of = position_of

    @classmethod
    def of(cls, state: State, *, module: str, kind: str) -> "NativeGame | None":
        """A new object of the class `kind` in a native module, set to this state; None if it cannot play the game."""
        found, position_of = extension(module), knowledge_of(state).native_position
        if found is None or position_of is None:
            return None
        try:
            position = position_of(state)
            game = cls(getattr(found, kind)(position.game, **position.parameters), position_of)
            game.set(state)
        except (OverflowError, TypeError, ValueError):  # set up by hand: no game leads to this state
            return None
        return game

    def set(self, state: State) -> None:
        """Pass a state to the native object."""
        position = self._position_of(state)
        self.native.set(position.text, position.moves, seen=position.seen, turns=position.turns)


class NativeTextSearch:
    """The native alpha-beta of an agent for one game; the text of a state says all that it needs."""

    form: Form = "kernel"

    def __init__(self, native: Callable[..., Sequence[Any]]) -> None:
        self._native = native

    def search(self, state: State, limits: Limits) -> Report:
        """The best move. What was learned is kept from move to move."""
        return alphabeta_report(self._native, state.text, limits=limits)


def alphabeta_report(search: Callable[..., Sequence[Any]], *position: str, limits: Limits, **options: int) -> Report:
    """Run a native alpha-beta search within the limits."""
    found = search(
        *position,
        seconds=limits.seconds,
        nodes=at_most(limits.nodes),
        depth=DEEPEST if limits.depth is None else limits.depth,
        seed=limits.seed,
        **options,
    )
    return report_of(found[:5])


def report_of(found: Sequence[Any], visits: Iterable[Any] = (), tree: Iterable[Any] = ()) -> Report:
    """The report of a native search that returned move, nodes, depth, score, line, perhaps visits, perhaps a tree."""
    move, nodes, depth, score, pv = found
    tried = tuple(Visits(*each) for each in visits)
    branches = tuple(Branch(*each) for each in tree)
    return Report(
        move=move, form="kernel", nodes=nodes, depth=depth, score=score, pv=pv, visits=tried, tree=branches
    )  # fmt: skip
