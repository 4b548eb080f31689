"""Both forms of the search, and evaluators that return what a test needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from agents.puct.evaluation import Evaluation, Evaluator
from agents.puct.native_search import NativePuct
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSearch, PuctSettings
from games.base import State


class Scripted:
    """An evaluator that evaluates states by a function and keeps the batches."""

    def __init__(self, evaluate_one: Callable[[State], Evaluation]) -> None:
        self.evaluate_one = evaluate_one
        self.batches: list[list[State]] = []

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        self.batches.append(list(states))
        return [self.evaluate_one(state) for state in states]


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


def _native(state: State, evaluator: Evaluator, settings: PuctSettings) -> PuctSearch:
    found = NativePuct.of(state, evaluator, settings)
    assert found is not None
    return found


def _python(_state: State, evaluator: Evaluator, settings: PuctSettings) -> PuctSearch:
    return PythonPuct(evaluator, settings)


@pytest.fixture(params=[_native, _python], ids=["kernel", "python"])
def make_search(request: pytest.FixtureRequest) -> Callable[[State, Evaluator, PuctSettings], PuctSearch]:
    """Makes a search; the test runs with the native form, and again with the Python form."""
    make: Callable[[State, Evaluator, PuctSettings], PuctSearch] = request.param
    return make
