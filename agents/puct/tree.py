"""The tree in Python: nodes, the way a simulation goes down, and how its value comes back up."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from agents.base import Branch
from agents.puct.search import PuctSettings
from games.base import Color, Move, State

__all__ = ["Node", "add_value", "cancel", "find", "mark_pending", "select", "two_levels"]

#: The part of the tree that is reported: moves of the root, and answers to each of them.
_CHILDREN: Final = 6
_GRANDCHILDREN: Final = 4


class Node:
    """A state, the side that chose the move to it, and the rewards of that side in the simulations through it.

    The root counts as chosen by its own side. Moves and priors come when the node is expanded, a child when it is
    first visited.
    """

    __slots__ = ("children", "chosen_by", "moves", "pending", "priors", "state", "total", "visits")

    def __init__(self, state: State, chosen_by: Color) -> None:
        self.state = state
        self.chosen_by = chosen_by
        self.moves: Sequence[Move] = ()
        self.priors: Sequence[float] = ()
        self.children: list[Node | None] = []
        self.visits = 0
        self.total = 0.0
        #: Simulations through here that have no value yet.
        self.pending = 0

    @property
    def expanded(self) -> bool:
        """Whether the moves are known."""
        return bool(self.moves)

    def expand(self, priors: Sequence[float]) -> None:
        """Add the moves of the state, with a prior for each."""
        self.moves = tuple(self.state.legal_moves)
        self.priors = priors
        self.children = [None] * len(self.moves)

    def child(self, index: int) -> "Node":
        """The node after the move with this index; created if it is new."""
        found = self.children[index]
        if found is None:
            found = self.children[index] = Node(self.state.forward(self.moves[index]), self.state.turn)
        return found

    def mean(self) -> float:
        """The mean reward of the side that chose the move; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0

    def mean_for(self, color: Color) -> float:
        """The mean reward of a side."""
        return self.mean() if color == self.chosen_by else -self.mean()

    def favourite(self) -> "tuple[Move, Node] | None":
        """The most visited child with its move, or None; ties are broken by total reward, then by prior."""
        visited = [
            (child.visits, child.total, prior, -index)
            for index, (child, prior) in enumerate(zip(self.children, self.priors, strict=True))
            if child is not None and child.visits
        ]
        if not visited:
            return None
        index = -max(visited)[-1]
        return self.moves[index], self.child(index)

    def ranked(self, most: int) -> "list[tuple[Move, Node]]":
        """The most visited moves with their nodes, most visited first."""
        tried = [(move, child) for move, child in zip(self.moves, self.children, strict=True) if child and child.visits]
        return sorted(tried, key=lambda found: -found[1].visits)[:most]

    def line(self) -> Iterator[Move]:
        """The move to the favourite child, then to its favourite child, and so on."""
        here = self.favourite()
        while here is not None:
            yield here[0]
            here = here[1].favourite()


def two_levels(root: Node) -> list[Branch]:
    """The most visited moves of the root, each followed by its most visited answers."""
    found, color = [], root.state.turn
    for move, child in root.ranked(_CHILDREN):
        found.append(Branch((str(move),), child.visits, child.mean_for(color)))
        found += [
            Branch((str(move), str(answer)), node.visits, node.mean_for(color))
            for answer, node in child.ranked(_GRANDCHILDREN)
        ]
    return found


def find(root: Node, state: State, *, turns: int = 2) -> Node | None:
    """The node of this state, at most so many turns from the root; None if the tree does not hold it."""
    if _same(root.state, state):
        return root
    if turns == 0:
        return None
    below = (find(child, state, turns=turns - 1) for child in root.children if child is not None and child.visits)
    return next((node for node in below if node is not None), None)


def _same(one: State, other: State) -> bool:
    # The moves must be equal too: earlier moves may forbid some of them.
    return (
        one.turn == other.turn
        and one.turns == other.turns
        and one.text == other.text
        and list(one.legal_moves) == list(other.legal_moves)
    )


def select(node: Node, settings: PuctSettings, noise: Sequence[float] = ()) -> int:
    """The index of the move with the greatest Q + c P sqrt(N) / (1 + n); on a tie the first.

    Q is the mean reward of the move, P its prior, N and n the visits of the node and the move. Simulations in progress
    count as losses. `noise` is for the root only.
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


def mark_pending(path: Sequence[Node]) -> None:
    """Count a simulation through these nodes that has no value yet."""
    for node in path:
        node.pending += 1


def cancel(path: Sequence[Node]) -> None:
    """Remove a pending simulation that will have no value."""
    for node in path:
        node.pending -= 1


def add_value(path: Sequence[Node], value: float, color: Color) -> None:
    """Finish a simulation with this value for the side `color`; each node counts it for the side that chose it."""
    for node in path:
        node.pending -= 1
        node.visits += 1
        node.total += value if node.chosen_by == color else -value
