"""Random Othello positions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.othello import Othello, OthelloState


def _positions(count: int, seed: int, empties: range = range(2, 59)) -> list[OthelloState]:
    """Seeded random positions with so many empty squares, in which a square can be taken."""
    rng, found = random.Random(seed), list[OthelloState]()
    while len(found) < count:
        state, wanted = Othello().start(), rng.choice(empties)
        while not state.is_game_over() and 64 - (state.black | state.white).bit_count() > wanted:
            state = state.forward(rng.choice(state.legal_moves))
        if not state.is_game_over() and state.legal_moves != ("pass",):
            found.append(state)
    return found


@pytest.fixture
def positions() -> Callable[..., list[OthelloState]]:
    return _positions
