"""Games and walks through them, for the tests of the rules."""

import random
from collections.abc import Callable, Iterator

import pytest

import games
from games.base import Game, State
from games.microchess import Microchess

Walk = Callable[[Game, int], Iterator[State]]
Perft = Callable[[State, int], int]


@pytest.fixture(scope="session")
def microchess() -> Microchess:
    return Microchess()


@pytest.fixture(scope="session", params=games.names())
def any_game(request: pytest.FixtureRequest) -> Game:
    """Each bundled game in turn."""
    return games.load(request.param)


@pytest.fixture(scope="session")
def walk() -> Walk:
    """All states of a random game; the seed decides the moves."""

    def states(game: Game, seed: int) -> Iterator[State]:
        rng = random.Random(seed)
        state = game.start(seed)
        yield state
        while moves := list(state.legal_moves):
            state = state.forward(rng.choice(moves))
            yield state

    return states


@pytest.fixture(scope="session")
def perft() -> Perft:
    """How many sequences of so many turns there are."""

    def count(state: State, turns: int) -> int:
        if turns == 1:
            return len(state.legal_moves)
        return sum(count(state.forward(move), turns - 1) for move in state.legal_moves)

    return count
