"""Learns the weights of the strong agent from games against itself: `python -P -m agents.othello.learn OUT`.

The first games are random; each generation then plays with the weights of the one before. A game begins with random
moves, which are not learned from, and its last twelve squares are played perfectly. A position counts as the lead
at the end of its game. The weights are the least-squares fit to these leads.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from agents.othello.classic import empty_squares
from agents.othello.patterns import DISC, INSTANCES, PATTERNS, PHASES, packed
from agents.othello.player import native
from games.base import BLACK
from games.othello import Othello, OthelloState

__all__ = ["fitted", "games", "main"]

_SOLVED: Final = 12
#: The greatest number of random moves at the start of a game.
_OPENING: Final = 26
#: How strongly weights are drawn to zero: as if each had been seen this often without effect.
_DOUBT: Final = 8.0
#: The number of games of each generation and their search depth; 0 means random moves.
_GENERATIONS: Final = ((10_000, 0), (20_000, 2), (50_000, 4))


def games(strong: Any, count: int, depth: int, rng: random.Random) -> Iterator[tuple[int, int, int]]:
    """Positions of `count` games: own discs, the opponent's discs, and the final lead of the side to move."""
    for _ in range(count):
        yield from _game(strong, depth, rng)


def _game(strong: Any, depth: int, rng: random.Random) -> Iterator[tuple[int, int, int]]:
    state: OthelloState = Othello().start()
    seen = list[OthelloState]()
    opening = rng.randint(2, 64 - _SOLVED - 4 if depth == 0 else _OPENING)
    while not state.is_game_over():
        moves = state.legal_moves
        if moves != ("pass",) and state.turns >= opening:
            seen.append(state)
        if len(moves) == 1:
            move = moves[0]
        elif empty_squares(state) <= _SOLVED:
            move = strong.search(state.text, depth=1, solve=_SOLVED)[0]
        elif depth == 0 or state.turns < opening:
            move = rng.choice(moves)
        else:
            move = strong.search(state.text, depth=depth)[0]
        state = state.forward(move)
    lead = state.black.bit_count() - state.white.bit_count()
    for position in seen:
        own, other = _sides(position)
        yield own, other, lead if position.turn == BLACK else -lead


def _sides(state: OthelloState) -> tuple[int, int]:
    return (state.black, state.white) if state.turn == BLACK else (state.white, state.black)


def fitted(positions: Sequence[tuple[int, int, int]], *, steps: int = 40) -> bytes:
    """The weights that fit the leads best."""
    import numpy as np

    own, other = (np.array([position[side] for position in positions], dtype=np.uint64) for side in (0, 1))
    leads = np.array([position[2] for position in positions], dtype=np.float32)
    discs = np.array([(mine | theirs).bit_count() for mine, theirs, _ in positions])
    ranks = [np.array(pattern.ranks(), dtype=np.int32) for pattern in PATTERNS]
    base = np.zeros(65)
    for count in range(4, 65):
        # Counts of the same parity: without passes, the same side has the last move in all of them.
        near = (np.abs(discs - count) % 2 == 0) & (np.abs(discs - count) <= 4)
        base[count] = leads[near].mean() if near.sum() > 500 else 0.0
    found = list[Any]()
    for part in range(PHASES):
        # Positions of the neighbouring phases are added: there are few positions for many weights.
        low, high = 4 + 10 * part - 3, 4 + 10 * part + (13 if part < PHASES - 1 else 99)
        rows = np.flatnonzero((discs >= low) & (discs < high))
        numbers = _numbers(own[rows], other[rows], ranks)
        found += _solved(numbers, leads[rows] - base[discs[rows]], sum(int(rank.max()) + 1 for rank in ranks), steps)
    stored = np.rint(np.concatenate([np.array(found), base]) * DISC).clip(-127, 127).astype(np.int8)
    return bytes(stored.tobytes())


def _numbers(own: Any, other: Any, ranks: Sequence[Any]) -> Any:
    """The indices of the weights of each position, one for each instance of a pattern."""
    import numpy as np

    numbers = np.empty((len(own), len(INSTANCES)), dtype=np.int32)
    starts = np.cumsum([0] + [int(rank.max()) + 1 for rank in ranks])
    for column, instance in enumerate(INSTANCES):
        number = np.zeros(len(own), dtype=np.int32)
        for place, square in enumerate(instance.squares):
            bit = np.uint64(square)
            digit = (own >> bit & np.uint64(1)) + np.uint64(2) * (other >> bit & np.uint64(1))
            number += digit.astype(np.int32) * 3**place
        numbers[:, column] = starts[instance.pattern] + ranks[instance.pattern][number]
    return numbers


def _solved(numbers: Any, leads: Any, size: int, steps: int) -> list[float]:
    """Least squares by conjugate gradients."""
    import numpy as np

    flat = numbers.ravel()

    def spread(errors: Any) -> Any:
        return np.bincount(flat, weights=np.repeat(errors, numbers.shape[1]), minlength=size)

    weights = np.zeros(size)
    scale = 1 / (np.bincount(flat, minlength=size) + _DOUBT)  # else frequent numbers would outweigh rare ones
    rest = spread(leads)
    step = scale * rest
    slope = rest @ step
    for _ in range(steps):
        if slope == 0:
            break
        image = spread(step[numbers].sum(axis=1)) + _DOUBT * step
        length = slope / (step @ image)
        weights += length * step
        rest -= length * image
        slope, before = rest @ (scale * rest), slope
        step = scale * rest + slope / before * step
    return list(weights)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, learn, play with the new weights, and so on; write the weights."""
    core = native()
    if core is None:
        raise SystemExit("learning in Python would take weeks; build the native search first")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the number of games")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    weights = bytes(PHASES * sum(max(pattern.ranks()) + 1 for pattern in PATTERNS) + 65)
    for count, depth in _GENERATIONS:
        began = time.monotonic()
        positions = list(games(core.Strong(weights), round(count * options.scale), depth, rng))
        weights = fitted(positions)
        options.out.write_bytes(packed(weights))
        took = time.monotonic() - began
        sys.stdout.write(
            f"depth {depth}: {len(positions)} positions, {took:.0f} s, {options.out.stat().st_size} bytes\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
