"""Level openings: positions after a few random turns in which a search sees no side ahead.

A match that starts from them, each twice with sides swapped, measures the players and not the luck of the opening.
"""

import random
from collections.abc import Iterator

from agents.alphabeta.search import alphabeta_engine
from agents.core.engine import Limits
from games.base import Game, State

__all__ = ["level_openings"]


def level_openings(
    game: Game, *, number: int, turns: tuple[int, ...] = (4, 6), depth: int = 9, bound: int, seed: int = 1
) -> Iterator[str]:
    """The texts of distinct positions after that many random turns; a search to `depth` puts them within `bound`."""
    rng = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < number:
        state = _wander(game, rng, rng.choice(turns))
        if state.is_game_over() or state.text in seen:
            continue
        report = alphabeta_engine(state).search(state, Limits(depth=depth))
        if abs(report.score) <= bound:
            seen.add(state.text)
            yield state.text


def _wander(game: Game, rng: random.Random, turns: int) -> State:
    state = game.start()
    for _ in range(turns):
        if state.is_game_over():
            break
        state = state.forward(rng.choice(list(state.legal_moves)))
    return state
