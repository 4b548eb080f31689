"""The native searches: states cross the border as text."""

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from agents._search.report import Form, Limits, Recipe, Report, Visits
from games.base import State

__all__ = ["Kernel", "core"]

_UNLIMITED: Final = 2**63


@dataclass(frozen=True, slots=True)
class _Story:
    """A state as text: its game with the numbers that belong to it, a position, and the moves made since.

    Where the rules ask for them, also the boards that may not come again, and the turns made before.
    """

    game: str
    numbers: Mapping[str, float]
    text: str
    moves: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    turns: int = 0


def core() -> ModuleType | None:
    """The native core; None if it was not built, or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module("agents._search._core")
    except ImportError:
        return None


class Kernel:
    """The native searches of one game; what they learned is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, searcher: Any, told: Callable[[Any], _Story]) -> None:
        self._searcher = searcher
        self._told = told

    @classmethod
    def of(cls, state: State) -> "Kernel | None":
        """The searches for the game of this state; None if there are none."""
        native, told = core(), _STORIES.get(type(state).__module__)
        if native is None or told is None:
            return None
        story = told(state)
        try:
            kernel = cls(native.Searcher(story.game, **story.numbers), told)
            kernel._set(state)
        except (OverflowError, TypeError, ValueError):  # set up by hand, and no position of the game
            return None
        return kernel

    def _set(self, state: State) -> None:
        story = self._told(state)
        self._searcher.set(story.text, story.moves, seen=story.seen, turns=story.turns)

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta."""
        self._set(state)
        nodes = _UNLIMITED if limits.nodes is None else limits.nodes
        return _report(
            self._searcher.alphabeta(
                seconds=limits.seconds, nodes=nodes, depth=limits.depth, seed=limits.seed, exact=limits.exact
            )
        )

    def uct(self, state: State, recipe: Recipe) -> Report:
        """The best move by UCT."""
        self._set(state)
        return _report(
            self._searcher.uct(
                seconds=recipe.seconds,
                simulations=_UNLIMITED if recipe.simulations is None else recipe.simulations,
                depth=recipe.depth,
                c=recipe.c,
                rave=recipe.rave,
                amplify=recipe.amplify,
                weighted=recipe.weighted,
                seed=recipe.seed,
            )
        )


def _report(found: tuple[Any, ...]) -> Report:
    move, nodes, depth, score, pv, visits = found
    return Report(
        move=move, form="kernel", nodes=nodes, depth=depth, score=score, pv=pv, visits=tuple(map(Visits._make, visits))
    )


def _microchess(state: Any) -> _Story:
    # Repetition counts: the whole game is told.
    moves = tuple(move.uci() for move in state.move_stack)
    return _Story("microchess", {"limit": state.turn_limit}, state.root().text if moves else state.text, moves)


def _go(state: Any) -> _Story:
    seen = tuple(f"{black:x} {white:x}" for black, white in state.seen)
    return _Story("go", {"limit": state.limit, "komi": state.komi}, state.text, seen=seen, turns=state.turns)


def _without_history(game: str) -> Callable[[Any], _Story]:
    return lambda state: _Story(game, {}, state.text)


#: How a state is told, by the module of its class. Not of a base class: who derives from a state may change its rules.
_STORIES: Final[Mapping[str, Callable[[Any], _Story]]] = {
    "games.go": _go,
    "games.gomoku": _without_history("gomoku"),
    "games.microchess": _microchess,
    "games.mushroom": _without_history("mushroom"),
    "games.othello": _without_history("othello"),
}
