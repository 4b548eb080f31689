"""The native searches: states cross the border as text."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from agents._search.native import extension
from agents._search.report import Form, Limits, Recipe, Report, Visits
from agents._search.story import STORIES, Story
from games.base import State

__all__ = ["Kernel", "core"]

_UNLIMITED: Final = 2**63


def core() -> ModuleType | None:
    """The native core; None if it is not to be had."""
    return extension("agents._search._core")


class Kernel:
    """The native searches of one game; what they learned is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, searcher: Any, told: Callable[[Any], Story]) -> None:
        self._searcher = searcher
        self._told = told

    @classmethod
    def of(cls, state: State) -> "Kernel | None":
        """The searches for the game of this state; None if there are none."""
        native, told = core(), STORIES.get(type(state).__module__)
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
