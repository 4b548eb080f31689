"""The search of the agent `self_learning`: PUCT with a network, no noise, the tree is kept from move to move."""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

import games
from agents.budget import Clock
from agents.core.engine import Engine, Form, Limits, Report, Visits, tell
from agents.core.native import NativeGame, at_most
from agents.puct.evaluation import Evaluation
from agents.puct.native_search import two_levels
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings, choose, tree_report
from agents.self_learning.evaluators import Evaluator, NativeEvaluator
from agents.watch import is_report_due, is_stopped, longest_run
from games import encoding
from games.base import State

__all__ = ["NetworkPriors", "NetworkSearch", "make_search"]

#: Leaves that are evaluated together where the network is not evaluated natively.
_LEAVES: Final = 8


def make_search(
    state: State, evaluator: Evaluator, settings: PuctSettings, *, now: Clock, rng: random.Random
) -> Engine:
    """The native search where there is one for the game of this state, else the search in Python."""
    game = NativeGame.of(state, module="agents.self_learning._forest", kind="Search")
    if game is None:
        return PythonPuct(NetworkPriors(evaluator), settings, now=now, rng=rng)
    return NetworkSearch(game, evaluator, settings, now=now, rng=rng)


class NetworkSearch:
    """A native tree. Without a native network, Python evaluates a few leaves at a time."""

    form: Form = "kernel"

    def __init__(
        self, game: NativeGame, evaluator: Evaluator, settings: PuctSettings, *, now: Clock = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:  # fmt: skip
        self._game, self._evaluator, self._settings = game, evaluator, settings
        self._now = now
        self._rng = random.Random(0) if rng is None else rng
        game.native.tune(c=settings.c, fpu=settings.fpu, loss=settings.virtual_loss)

    def search(self, state: State, limits: Limits) -> Report:
        """The most visited move, or one drawn by visits. The report holds visits, values and policy of all moves."""
        until = self._now() + limits.seconds
        self._game.set(state)
        done = self._run(limits.simulations, until)
        return self._report(done, self._settings.temperature)

    def _report(self, done: int, temperature: float) -> Report:
        _visits, depth, _value, line, found = self._game.native.told()
        moves = tuple(map(Visits._make, found))
        chosen = choose(moves, temperature, self._rng)
        tree = two_levels(self._game.native)
        return tree_report(moves, chosen, line, form=self.form, nodes=done, depth=depth, tree=tree)

    def _run(self, simulations: int | None, until: float) -> int:
        tree: Any = self._game.native
        if isinstance(self._evaluator, NativeEvaluator):
            return self._run_natively(self._evaluator, simulations, until)
        done, inputs = 0, np.empty((_LEAVES, self._evaluator.file.shape.inputs), np.float32)
        # At least the root is evaluated, so that its moves are known.
        while done == 0 or (done != simulations and self._now() < until and not is_stopped()):
            wanted = _LEAVES if simulations is None else min(_LEAVES, simulations - done)
            made, waiting = tree.collect(inputs, wanted)
            if waiting:
                outputs = self._evaluator.evaluate(inputs[:waiting])
                tree.expand(np.ascontiguousarray(outputs.values), np.ascontiguousarray(outputs.logits))
            done += made
            if is_report_due():
                tell(self._report(done, 0))
        return done

    def _run_natively(self, evaluator: NativeEvaluator, simulations: int | None, until: float) -> int:
        """Run simulations until a limit is reached; in parts if somebody listens, which changes nothing in the tree."""
        longest = longest_run()
        done: int = 0
        while True:
            left = None if simulations is None else simulations - done
            seconds = min(until - self._now(), longest)
            done += self._game.native.run(evaluator.perceptron, simulations=at_most(left), seconds=seconds)
            if longest == math.inf or done == simulations or self._now() >= until or is_stopped():
                return done
            tell(self._report(done, 0))


class NetworkPriors:
    """A network as an evaluator of `agents/puct`, for the search in Python."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._encoding = encoding.of(games.load(evaluator.file.game))

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        """Value and priors of each state."""
        if not states:
            return []
        inputs = np.empty((len(states), self._encoding.inputs), np.float32)
        self._encoding.encode(states, inputs)
        outputs = self._evaluator.evaluate(inputs)
        found = []
        for state, value, logits in zip(states, outputs.values, outputs.logits, strict=True):
            legal = logits[self._encoding.legal_actions(state)]
            priors = np.exp((legal - legal.max()).astype(np.float64))
            found.append(Evaluation(float(value), (priors / priors.sum()).tolist()))
        return found
