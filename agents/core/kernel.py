"""The native searches: states cross the border as text."""

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from agents.core.native import extension, most
from agents.core.native_position import NATIVE_POSITIONS, NativePosition
from agents.core.report import Form, Limits, Recipe, Report, Visits
from games.base import State

__all__ = ["Kernel", "alphabeta", "core", "reported"]


def core() -> ModuleType | None:
    """The native core; None if it is not to be had."""
    return extension("agents.core._core")


class Kernel:
    """The native searches of one game; what they learned is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, searcher: Any, told: Callable[[Any], NativePosition]) -> None:
        self._searcher = searcher
        self._told = told

    @classmethod
    def of(cls, state: State) -> "Kernel | None":
        """The searches for the game of this state; None if there are none."""
        native, told = core(), NATIVE_POSITIONS.get(type(state).__module__)
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
        return alphabeta(self._searcher.alphabeta, limits=limits, exact=limits.exact)

    def uct(self, state: State, recipe: Recipe) -> Report:
        """The best move by UCT."""
        self._set(state)
        *found, visits = self._searcher.uct(
            seconds=recipe.seconds,
            simulations=most(recipe.simulations),
            depth=recipe.depth,
            c=recipe.c,
            rave=recipe.rave,
            amplify=recipe.amplify,
            weighted=recipe.weighted,
            seed=recipe.seed,
        )
        return reported(found, visits)


def alphabeta(search: Callable[..., Sequence[Any]], *told: str, limits: Limits, **more: bool) -> Report:
    """What a native alpha-beta finds within the limits."""
    found = search(
        *told, seconds=limits.seconds, nodes=most(limits.nodes), depth=limits.depth, seed=limits.seed, **more
    )
    return reported(found[:5])


def reported(found: Sequence[Any], visits: Iterable[Any] = ()) -> Report:
    """What a native search has found, as it tells it: move, nodes, depth, score, line; and the visits of UCT."""
    move, nodes, depth, score, pv = found
    return Report(
        move=move, form="kernel", nodes=nodes, depth=depth, score=score, pv=pv, visits=tuple(map(Visits._make, visits))
    )
