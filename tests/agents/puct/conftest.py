"""Both forms of the search, evaluators that say what a test wants, states on the way through a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from agents.puct.base import Engine, Evaluation, Evaluator, Settings
from agents.puct.kernel import Kernel

import games
from agents.puct.search import Search
from games.base import State


class Scripted:
    """An evaluator that says of every state what a function says, and notes the states."""

    def __init__(self, told: Callable[[State], Evaluation]) -> None:
        self.told = told
        self.batches: list[list[State]] = []

    def evaluate(self, states: Sequence[State]) -> Sequence[Evaluation]:
        self.batches.append(list(states))
        return [self.told(state) for state in states]


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


def _kernel(state: State, evaluator: Evaluator, settings: Settings) -> Engine:
    found = Kernel.of(state, evaluator, settings)
    assert found is not None
    return found


def _search(_state: State, evaluator: Evaluator, settings: Settings) -> Engine:
    return Search(evaluator, settings)


@pytest.fixture(params=[_kernel, _search], ids=["kernel", "python"])
def engine(request: pytest.FixtureRequest) -> Callable[[State, Evaluator, Settings], Engine]:
    """Makes a search, in both forms one after the other."""
    make: Callable[[State, Evaluator, Settings], Engine] = request.param
    return make


def _states(name: str, number: int, seed: int = 0) -> Iterator[State]:
    game, dice = games.load(name), random.Random(seed)
    state = game.start(seed=seed)
    for index in range(number):
        yield state
        state = state.forward(dice.choice(list(state.legal_moves)))
        if state.is_game_over():
            state = game.start(seed=seed + index + 1)


@pytest.fixture
def states() -> Callable[..., Iterator[State]]:
    """States on random ways through a game that are not over."""
    return _states
