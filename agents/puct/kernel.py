"""The native search: the tree lies in C++, positions cross the border as text."""

import math
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from agents.budget import Clock
from agents.core.native import extension, most
from agents.core.native_position import NATIVE_POSITIONS
from agents.core.report import Form
from agents.puct.base import Branch, Evaluator, Figures, Settings, Tally
from agents.puct.evaluation import Cached, Heuristic, asked
from games.base import State

__all__ = ["Kernel", "native"]

#: Values remembered, as a power of two, where a look ahead makes it worth it.
_CACHE: Final = 16


def native() -> ModuleType | None:
    """The native tree; None if it is not to be had."""
    return extension("agents.puct._native")


class Kernel:
    """The search of one game. Heuristics are native as well; any other evaluator is asked for a batch at a time."""

    form: Form = "kernel"

    def __init__(
        self, tree: Any, told: Callable[[Any], Any], evaluator: Evaluator, settings: Settings,
        *, now: Clock, cache: int, timed: bool,
    ) -> None:  # fmt: skip
        self._tree = tree
        self._told = told
        self._evaluator = evaluator
        self._settings = settings
        self._now = now
        self._cache = cache
        self._timed = timed
        self._evaluations = 0

    @classmethod
    def of(
        cls, state: State, evaluator: Evaluator, settings: Settings, *, now: Clock = time.monotonic,
        cache: int | None = None, timed: bool = False,
    ) -> "Kernel | None":  # fmt: skip
        """The search for the game of this state; None if there is none.

        `cache` is how many values a heuristic remembers, as a power of two. With `timed` phases are measured.
        """
        module, told = native(), NATIVE_POSITIONS.get(type(state).__module__)
        if module is None or told is None:
            return None
        if cache is None:
            cache = _CACHE if isinstance(evaluator, Heuristic) and evaluator.look else 0
        story = told(state)
        try:
            tree = module.Tree(story.game, **story.numbers)
            tree.set(story.text, story.moves, seen=story.seen, turns=story.turns)
        except (OverflowError, TypeError, ValueError):  # set up by hand, and no position of the game
            return None
        return cls(tree, told, evaluator, settings, now=now, cache=cache, timed=timed)

    def run(
        self, state: State, *, simulations: int | None = None, seconds: float = math.inf, noise: Sequence[float] = ()
    ) -> Tally:
        """Search until a limit is reached; at least one round."""
        until = self._now() + seconds
        story, settings = self._told(state), self._settings
        self._tree.set(story.text, story.moves, seen=story.seen, turns=story.turns)
        self._tree.tune(
            c=settings.c, fpu=settings.fpu, loss=settings.virtual_loss, batch=settings.batch,
            epsilon=settings.epsilon, noise=tuple(noise),
        )  # fmt: skip
        if isinstance(self._evaluator, Heuristic):
            how = {"scale": self._evaluator.scale(state), "look": self._evaluator.look, "cache": self._cache}
            seconds = until - self._now()
            done = self._tree.run(simulations=most(simulations), seconds=seconds, timed=self._timed, **how)
            if done == 1 != simulations:
                # Short of time. The root alone knows no moves yet, and to ask for their priors here takes longer.
                done += self._tree.run(simulations=1, timed=self._timed, **how)
        else:
            done = self._round(state, simulations)
            while done != simulations and self._now() < until:
                done += self._round(state, None if simulations is None else simulations - done)
        return self._tally(state, done)

    def figures(self) -> Figures:
        """What the searches have cost; phases are natively measured, of a heuristic only."""
        nodes, memory, evaluations, hits, select, evaluate, expand, backup = self._tree.figures()
        if isinstance(self._evaluator, Cached):
            hits = self._evaluator.hits
        return Figures(
            select=select, evaluate=evaluate, expand=expand, backup=backup, nodes=nodes, memory=memory, hits=hits,
            evaluations=evaluations or self._evaluations,
        )  # fmt: skip

    def _round(self, root: State, most: int | None) -> int:
        batch = self._settings.batch if most is None else min(self._settings.batch, most)
        states = [_after(root, way) for way in self._tree.collect(batch)]
        self._evaluations += len(states)
        found = asked(self._evaluator, states)
        done: int = self._tree.expand(tuple((each.value, tuple(each.priors)) for each in found))
        return done

    def _tally(self, state: State, simulations: int) -> Tally:
        visits, depth, line, found = self._tree.told()
        branches = tuple(map(Branch._make, found))
        if not branches:
            # Nobody has gone beyond the root, so nobody has asked for its moves.
            priors = asked(self._evaluator, [state])[0].priors
            moves = zip(state.legal_moves, priors, strict=True)
            branches = tuple(Branch(str(move), 0, 0.0, prior) for move, prior in moves)
        return Tally(simulations=simulations, visits=visits, depth=depth, line=line, branches=branches)


def _after(state: State, way: Sequence[str]) -> State:
    for move in way:
        state = state.forward(state.parse(move))
    return state
