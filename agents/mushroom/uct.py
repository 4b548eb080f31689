"""UCT by a count of cells: in Python, what the native one is measured by."""

import math
from dataclasses import dataclass
from typing import Final

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.report import Report, Visits
from agents.mushroom.board import PASS, Board, Choice, written
from agents.mushroom.states import States

__all__ = ["Recipe", "Uct", "balance"]

#: Nodes with children, and nodes in all: where memory ends.
_MOST_GROWN: Final = 200_000
_MOST_NODES: Final = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How many simulations there may be, how much they explore, and by which of three ways states are kept."""

    seconds: float = math.inf
    simulations: int | None = None
    c: float = 0.02
    states: str = "undo"
    seed: int = 0


class _Node:
    """A move, and what the simulations through it brought the side that made it; the first is its heuristic value."""

    __slots__ = ("first", "move", "over", "size", "total", "visits")

    def __init__(self, move: int, value: float, *, over: bool) -> None:
        self.move = move
        self.total = value
        self.visits = 1
        self.over = over
        self.first = 0
        self.size = 0

    @property
    def mean(self) -> float:
        return self.total / self.visits


def balance(mine: int, theirs: int) -> float:
    """How far a side with so many cells is ahead, between -1 and 1."""
    return (mine - theirs) / (mine + theirs + 1)


class Uct:
    """One search. The children of a node follow one another in `nodes`; no node has a state."""

    def __init__(self, states: States, recipe: Recipe, *, now: Clock) -> None:
        self.states = states
        self.recipe = recipe
        self.deadline = Deadline(recipe.seconds, now=now)
        self.nodes = [_Node(PASS, 0.0, over=False)]
        self.simulations = 0
        self.depth = 0
        self._grown = 0

    def report(self) -> Report:
        """Simulate until a limit is reached, once at least; the most visited move. The game must not be over."""
        try:
            while self.recipe.simulations is None or self.simulations < self.recipe.simulations:
                self._simulate()
                self.simulations += 1
                self.deadline.check()
        except OutOfTime:
            pass
        ranked = sorted(self._children(self.nodes[0]), key=lambda child: (-child.visits, -child.mean))
        visits = [Visits(written(child.move), child.visits, child.mean) for child in ranked]
        visits = visits or [Visits(written(PASS), 1, 0.0)]
        return Report(
            move=visits[0].move,
            form="python",
            nodes=self.simulations,
            depth=self.depth,
            score=visits[0].mean,
            pv=(visits[0].move,),
            visits=visits,
        )

    def _children(self, node: _Node) -> list[_Node]:
        return self.nodes[node.first : node.first + node.size]

    def _simulate(self) -> None:
        """Walk down to a node without children, give it some, tell every node on the way what the best is worth."""
        path = [0]
        while self.nodes[path[-1]].size:
            path.append(self._selected(self.nodes[path[-1]]))
        self.depth = max(self.depth, len(path) - 1)
        value = self._value(path)
        for number in reversed(path):
            self.nodes[number].visits += 1
            self.nodes[number].total += value
            value = -value

    def _selected(self, here: _Node) -> int:
        width = self.recipe.c * math.sqrt(math.log(here.visits))
        best, top = here.first, -math.inf
        for number, node in enumerate(self._children(here), start=here.first):
            bound = node.mean + width / math.sqrt(node.visits)
            if bound > top:
                best, top = number, bound
        return best

    def _value(self, path: list[int]) -> float:
        """What the last node is worth to the side that made its move, once it has children."""
        node = self.nodes[path[-1]]
        if node.over or self._grown >= _MOST_GROWN or len(self.nodes) > _MOST_NODES:
            return node.mean
        self._grown += 1
        state = self.states.at(path, [self.nodes[number].move for number in path[1:]])
        choices = state.choices(self.recipe.seed)
        if len(choices) == 1:
            # The path ends where no rectangle is left: nothing but passes can follow.
            node.over, node.visits, node.total = True, 1, _decided(-state.lead)
            return node.total
        node.first, node.size = len(self.nodes), len(choices)
        for choice in choices:
            ends = state.passes == 1 and choice.move == PASS
            value = _decided(state.lead) if ends else _after(state, choice)
            self.nodes.append(_Node(choice.move, value, over=ends))
        return -max(child.total for child in self._children(node))


def _decided(lead: int) -> float:
    return float((lead > 0) - (lead < 0))


def _after(state: Board, choice: Choice) -> float:
    mine, theirs = state.owned[state.turn], state.owned[not state.turn]
    return balance(mine + choice.gain - choice.taken, theirs - choice.taken)
