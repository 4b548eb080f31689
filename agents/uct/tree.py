"""The tree of a Monte Carlo search, and how a simulation finds its way down the tree (UCT)."""

import math
import random
from collections.abc import Iterator
from typing import Final

from agents.base import Branch
from games.base import Color, Move, State

__all__ = ["Node", "two_levels"]

#: The part of the tree that is reported: moves of the root, and answers to each of them.
_CHILDREN: Final = 6
_GRANDCHILDREN: Final = 4


class Node:
    """A state reached in the search, and the rewards of the root player in the simulations through it."""

    __slots__ = ("children", "move", "state", "total", "untried", "value", "visits")

    def __init__(self, state: State, move: Move | None = None) -> None:
        self.state = state
        self.move = move
        self.children: list[Node] = []
        self.untried: list[Move] | None = None
        self.visits = 0
        self.total = 0.0
        self.value: float | None = None

    @property
    def mean(self) -> float:
        """Average reward of the root player below this node; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def won(self) -> bool:
        """Whether a simulation has found that the root player has won here."""
        return self.value == 1.0 and self.untried == [] and not self.children

    def next_untried(self, rng: random.Random) -> Move | None:
        """A random move that no simulation has tried here; None if all were tried."""
        if self.untried is None:
            self.untried = list(self.state.legal_moves)
            rng.shuffle(self.untried)
        return self.untried.pop() if self.untried else None

    def select(self, root_player: Color, c: float) -> "Node":
        """The child with the best upper confidence bound; every child must have been visited."""
        sign = 1 if self.state.turn == root_player else -1
        width = c * math.sqrt(math.log(self.visits))
        best, top = self.children[0], -math.inf
        for child in self.children:
            bound = sign * child.total / child.visits + width / math.sqrt(child.visits)
            if bound > top:
                best, top = child, bound
        return best

    def ranked(self) -> list["Node"]:
        """The children, most visited first; of equally visited ones the better on average."""
        return sorted(self.children, key=lambda child: (child.visits, child.mean), reverse=True)

    def preferred(self) -> "Node | None":
        """The child to play: one that wins at once, else the most visited; None before the first simulation."""
        # A move that wins at once needs no more visits to be trusted.
        return next((child for child in self.children if child.won), None) or next(iter(self.ranked()), None)

    def principal_line(self) -> Iterator["Node"]:
        """The most visited child, its most visited child, and so on."""
        node = self
        while node.children:
            node = node.ranked()[0]
            yield node


def two_levels(root: Node) -> list[Branch]:
    """The most visited children of the root, each followed by its most visited children."""
    found = []
    for child in root.ranked()[:_CHILDREN]:
        found.append(Branch((str(child.move),), child.visits, child.mean))
        found += [
            Branch((str(child.move), str(answer.move)), answer.visits, answer.mean)
            for answer in child.ranked()[:_GRANDCHILDREN]
        ]
    return found
