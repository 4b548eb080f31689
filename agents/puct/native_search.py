"""The native PUCT search: the tree is in C++, states cross the border as text."""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, Final

from agents.base import Branch
from agents.budget import Clock
from agents.core.engine import Form, Visits
from agents.core.native import NativeGame, at_most
from agents.puct.evaluation import Cached, Evaluator, Heuristic, checked_evaluations
from agents.puct.search import Figures, PuctResult, PuctSearch, PuctSettings
from agents.watch import is_heard, is_report_due, is_stopped, longest_run
from games.base import State

__all__ = ["NativePuct", "two_levels"]

#: The size of the cache of values, as a power of two, for evaluators that look ahead; others need no cache.
_CACHE: Final = 16


class NativePuct(PuctSearch):
    """The search of one game. Heuristics run natively too; any other evaluator gets batches of states.

    `cache` is the number of values that a heuristic remembers, as a power of two. With `timed`, phases are measured.
    """

    form: Form = "kernel"

    def __init__(
        self, game: NativeGame, evaluator: Evaluator, settings: PuctSettings, *, now: Clock = time.monotonic,
        rng: random.Random | None = None, cache: int | None = None, timed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(settings, now=now, rng=rng)
        self.game = game
        self._evaluator = evaluator
        if cache is None:
            cache = _CACHE if isinstance(evaluator, Heuristic) and evaluator.look else 0
        self._cache = cache
        self._timed = timed
        self._evaluations = 0

    @classmethod
    def of(
        cls, state: State, evaluator: Evaluator, settings: PuctSettings, *, now: Clock = time.monotonic,
        rng: random.Random | None = None, cache: int | None = None, timed: bool = False,
    ) -> "NativePuct | None":  # fmt: skip
        """The search for the game of this state; None if there is none."""
        game = NativeGame.of(state, module="agents.puct._native", kind="Tree")
        return None if game is None else cls(game, evaluator, settings, now=now, rng=rng, cache=cache, timed=timed)

    def run(
        self, state: State, *, simulations: int | None = None, seconds: float = math.inf, noise: Sequence[float] = ()
    ) -> PuctResult:
        """Search until a limit is reached; at least one round."""
        until = self._now() + seconds
        settings, tree = self.settings, self.game.native
        self.game.set(state)
        tree.tune(
            c=settings.c, fpu=settings.fpu, loss=settings.virtual_loss, batch=settings.batch,
            epsilon=settings.epsilon, noise=tuple(noise),
        )  # fmt: skip
        if isinstance(self._evaluator, Heuristic):
            done = self._run_natively(state, self._evaluator, simulations, until)
        else:
            done = self._round(state, simulations)
            while done != simulations and self._now() < until and not is_stopped():
                done += self._round(state, None if simulations is None else simulations - done)
                if is_report_due():
                    self.tell(self._result(state, done))
        return self._result(state, done)

    def _run_natively(self, state: State, evaluator: Heuristic, simulations: int | None, until: float) -> int:
        """Run simulations until a limit is reached; in parts if somebody listens, which changes nothing in the tree."""
        options = {
            "scale": evaluator.scale(state), "look": evaluator.look, "cache": self._cache, "timed": self._timed
        }  # fmt: skip
        run, longest = self.game.native.run, longest_run()
        done: int = 0
        while True:
            left = None if simulations is None else simulations - done
            done += run(simulations=at_most(left), seconds=min(until - self._now(), longest), **options)
            if longest == math.inf or done == simulations or self._now() >= until or is_stopped():
                break
            self.tell(self._result(state, done))
        if done == 1 != simulations:
            # Short of time: the root has no moves yet, and asking for their priors in Python takes longer.
            done += run(simulations=1, **options)
        return done

    def figures(self) -> Figures:
        """What the searches have cost. The phases of evaluators in Python are not measured."""
        nodes, memory, evaluations, hits, select, evaluate, expand, backup = self.game.native.figures()
        if isinstance(self._evaluator, Cached):
            hits = self._evaluator.hits
        return Figures(
            select=select, evaluate=evaluate, expand=expand, backup=backup, nodes=nodes, memory=memory, hits=hits,
            evaluations=evaluations or self._evaluations,
        )  # fmt: skip

    def _round(self, root: State, most: int | None) -> int:
        batch = self.settings.batch if most is None else min(self.settings.batch, most)
        states = [_after(root, path) for path in self.game.native.collect(batch)]
        self._evaluations += len(states)
        found = checked_evaluations(self._evaluator, states)
        done: int = self.game.native.expand(tuple((each.value, tuple(each.priors)) for each in found))
        return done

    def _result(self, state: State, simulations: int) -> PuctResult:
        visits, depth, line, found = self.game.native.told()
        moves = tuple(map(Visits._make, found))
        if not moves:
            # No simulation went beyond the root, so its moves were never evaluated.
            priors = checked_evaluations(self._evaluator, [state])[0].priors
            legal = zip(state.legal_moves, priors, strict=True)
            moves = tuple(Visits(str(move), 0, 0.0, prior) for move, prior in legal)
        tree = two_levels(self.game.native)
        return PuctResult(simulations=simulations, visits=visits, depth=depth, line=line, moves=moves, tree=tree)


def two_levels(tree: Any) -> Sequence[Branch]:
    """The most visited moves and answers of a native tree; empty unless somebody listens."""
    return tuple(Branch(*each) for each in tree.two_levels()) if is_heard() else ()


def _after(state: State, path: Sequence[str]) -> State:
    for move in path:
        state = state.forward(state.parse(move))
    return state
