"""Which way a simulation goes, and which move is played in the end."""

import math
import random
from collections.abc import Sequence

from agents.puct.base import Branch, Settings
from agents.puct.tree import Node

__all__ = ["choose", "dirichlet", "select"]


def select(node: Node, settings: Settings, noise: Sequence[float] = ()) -> int:
    """The index of the move with the greatest Q + c P sqrt(N) / (1 + n); of equals the first.

    Q is what the move brought on average, P its prior, N and n how often the node and the move were visited. Visits
    under way count as losses. `noise` is given at the root only.
    """
    width = settings.c * math.sqrt(node.visits + node.pending)
    untried = node.mean_for(node.state.turn) - settings.fpu
    best, top = 0, -math.inf
    for index, (child, prior) in enumerate(zip(node.children, node.priors, strict=True)):
        tries, mean = 0, untried
        if child is not None and (tries := child.visits + child.pending):
            mean = (child.total - settings.virtual_loss * child.pending) / tries
        if noise:
            prior = (1 - settings.epsilon) * prior + settings.epsilon * noise[index]
        bound = mean + width * prior / (1 + tries)
        if bound > top:
            best, top = index, bound
    return best


def dirichlet(count: int, alpha: float, rng: random.Random) -> tuple[float, ...]:
    """Random shares of 1, the smaller `alpha` the more unequal."""
    drawn = [rng.gammavariate(alpha, 1.0) for _ in range(count)]
    # With a tiny alpha every one of them may be too small for a float.
    total = math.fsum(drawn)
    return tuple(share / total for share in drawn) if total else (1 / count,) * count


def choose(branches: Sequence[Branch], temperature: float, rng: random.Random) -> Branch:
    """The move to play: the most visited at temperature 0, else drawn by visits ** (1 / temperature).

    Of equally visited moves it is the better, then that of the greater prior. If none was visited, priors decide.
    """
    visited = any(branch.visits for branch in branches)
    if temperature == 0:
        return max(branches, key=lambda branch: (branch.visits, branch.mean, branch.prior))
    weights = [branch.visits if visited else branch.prior for branch in branches]
    top = max(weights)
    if top == 0:
        return rng.choice(branches)
    # As parts of the greatest: no power of them is too great for a float.
    return rng.choices(branches, [(weight / top) ** (1 / temperature) for weight in weights])[0]
