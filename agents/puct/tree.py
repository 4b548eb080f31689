"""The tree: states that simulations reached, and what they brought."""

from collections.abc import Iterator, Sequence

from games.base import Color, Move, State

__all__ = ["Node", "find"]


class Node:
    """A state, who chose the move that led to it, and what the simulations through it brought that side.

    A root that nobody chose counts as chosen by its own side. Moves and priors come when the node is expanded, a
    child when it is first visited.
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
        #: Simulations under way through here.
        self.pending = 0

    @property
    def expanded(self) -> bool:
        """Whether the moves are known."""
        return bool(self.moves)

    def expand(self, priors: Sequence[float]) -> None:
        """Take on the moves of the state, with a prior for each."""
        self.moves = tuple(self.state.legal_moves)
        self.priors = priors
        self.children = [None] * len(self.moves)

    def child(self, index: int) -> "Node":
        """What the move of this index leads to; made if it is new."""
        found = self.children[index]
        if found is None:
            found = self.children[index] = Node(self.state.forward(self.moves[index]), self.state.turn)
        return found

    def mean(self) -> float:
        """What the visits brought the side that chose the move, on average; 0 before the first."""
        return self.total / self.visits if self.visits else 0.0

    def mean_for(self, color: Color) -> float:
        """The same from the view of a side."""
        return self.mean() if color == self.chosen_by else -self.mean()

    def favourite(self) -> "tuple[Move, Node] | None":
        """The most visited child, of equals the better, then that of the greater prior; None if there is none."""
        visited = [
            (child.visits, child.total, prior, -index)
            for index, (child, prior) in enumerate(zip(self.children, self.priors, strict=True))
            if child is not None and child.visits
        ]
        if not visited:
            return None
        index = -max(visited)[-1]
        return self.moves[index], self.child(index)

    def line(self) -> Iterator[Move]:
        """The move of the favourite, that of its favourite, and so on."""
        here = self.favourite()
        while here is not None:
            yield here[0]
            here = here[1].favourite()


def find(root: Node, state: State, *, turns: int = 2) -> Node | None:
    """Where the tree has this state, at most so many turns from its root."""
    if _same(root.state, state):
        return root
    if turns == 0:
        return None
    below = (find(child, state, turns=turns - 1) for child in root.children if child is not None and child.visits)
    return next((node for node in below if node is not None), None)


def _same(one: State, other: State) -> bool:
    # The moves too: what was played before may forbid some of them.
    return (
        one.turn == other.turn
        and one.turns == other.turns
        and one.text == other.text
        and list(one.legal_moves) == list(other.legal_moves)
    )
