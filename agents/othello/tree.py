"""UCT with and without RAVE over any kind of playout: the specification of the native one."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from agents.othello.dice import Dice
from agents.othello.playouts import Playout
from games.base import WHITE, Color
from games.othello import OthelloState

__all__ = ["Node", "Tree"]

#: A move and who made it.
_Step = tuple[Color, str]
_PASS: Final = ("pass",)


@dataclass(slots=True)
class Node:
    """A move, how often it was tried, and what that brought the side that made it.

    The same for RAVE: of all simulations in which that side made the move here or later.
    """

    move: str = ""
    visits: int = 0
    total: float = 0.0
    rave_visits: int = 0
    rave_total: float = 0.0
    children: list["Node"] | None = None

    @property
    def mean(self) -> float:
        """The average reward; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def rave_mean(self) -> float:
        """The same of RAVE; 1 before the first visit: what is new is tried."""
        return self.rave_total / self.rave_visits if self.rave_visits else 1.0


def _no_hurry() -> None:
    pass


@dataclass(slots=True)
class Tree:
    """The simulations from one state on. `rave` is the visits up to which a move is judged by later ones; 0: never."""

    state: OthelloState
    playout: Playout
    dice: Dice
    c: float = 1.4
    rave: float = 0.0
    check: Callable[[], None] = _no_hurry
    root: Node = field(default_factory=Node)

    def simulate(self) -> None:
        """Walk down to a new node, play from there to the end, tell every node on the way."""
        path, steps, state = [self.root], list[_Step](), self.state
        while children := self._children(path[-1], state):
            child = self._selected(path[-1], children)
            path.append(child)
            steps.append((state.turn, child.move))
            state = state.forward(child.move)
            if not child.visits:
                break
        white = self._played(state, steps)
        mover = not self.state.turn
        for node in path:
            node.visits += 1
            node.total += white if mover == WHITE else 1 - white
            mover = not mover
        if self.rave:
            self._spread(path, steps, white)

    def ranked(self) -> list[Node]:
        """The moves at the root, most visited first; of equally visited ones the better on average."""
        tried = [child for child in self.root.children or [] if child.visits]
        return sorted(tried, key=lambda child: (-child.visits, -child.mean))

    def _children(self, node: Node, state: OthelloState) -> list[Node]:
        if node.children is None:
            moves = list(state.legal_moves)
            for left in range(len(moves), 1, -1):
                other = self.dice.below(left)
                moves[left - 1], moves[other] = moves[other], moves[left - 1]
            node.children = [Node(move) for move in moves]
        return node.children

    def _selected(self, node: Node, children: list[Node]) -> Node:
        """A move that nobody has tried, then the most promising."""
        width = self.c * math.sqrt(math.log(node.visits + 1.0))
        best, top = children[0], -math.inf
        for child in children:
            if not self.rave and not child.visits:
                return child
            bound = self._blended(child, width) if self.rave else child.mean + width / math.sqrt(child.visits)
            if bound > top:
                best, top = child, bound
        return best

    def _blended(self, child: Node, width: float) -> float:
        """With few visits, what counts is how games went in which the move was made at any later time."""
        trust = math.sqrt(self.rave / (3.0 * child.visits + self.rave))
        return (1 - trust) * child.mean + trust * child.rave_mean + width / math.sqrt(child.visits + 1.0)

    def _played(self, state: OthelloState, steps: list[_Step]) -> float:
        """White's points at the end of the playout."""
        made = 0
        while moves := state.legal_moves:
            self.check()
            move = "pass" if moves == _PASS else self.playout(state, made, self.dice)
            steps.append((state.turn, move))
            state = state.forward(move)
            made += 1
        ending = state.ending
        assert ending is not None
        return ending.points(WHITE)

    def _spread(self, path: list[Node], steps: list[_Step], white: float) -> None:
        """Tell every sibling on the way whose move was made now or later by the same side."""
        later = set[_Step]()
        for turn in range(len(steps) - 1, -1, -1):
            later.add(steps[turn])
            if turn >= len(path):
                continue
            color = steps[turn][0]
            for child in path[turn].children or []:
                if (color, child.move) in later:
                    child.rave_visits += 1
                    child.rave_total += white if color == WHITE else 1 - white
