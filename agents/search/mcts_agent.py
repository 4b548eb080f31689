"""Monte Carlo tree search: many short tries, more of them where they went well."""

import contextlib
from collections.abc import Sequence

from agents.budget import OutOfTime
from agents.options import number, whole
from agents.search.base import SearchAgent
from agents.search.uct import Node
from games.base import Color, Move, State

__all__ = ["MCTSAgent", "MCTSAgentDev"]

_SIMULATIONS = 1000


class MCTSAgent(SearchAgent):
    """Each simulation walks `depth` turns down the tree; the most visited move is played, or one that wins at once.

    A walk brings 1 if it ended better for this agent than the present state, else 0; with `amplify=0`
    it brings the evaluation itself. A decided game always counts as decided.
    Without `simulations` and `seconds` (both per move) there are 1,000 simulations.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        depth: int = 6, c: float = 1.4, amplify: int = 1, evaluation: str = "share",
    ) -> None:  # fmt: skip
        super().__init__(name, color, evaluation=evaluation)
        if simulations is None and seconds is None:
            simulations = _SIMULATIONS
        self.simulations = None if simulations is None else whole("simulations", simulations)
        self.seconds_per_move = float("inf") if seconds is None else number("seconds", seconds, least=0)
        self.depth = whole("depth", depth)
        self.c = number("c", c, least=0)
        self.amplify = whole("amplify", amplify, least=0, most=1) == 1
        self.root: Node | None = None

    def seconds(self) -> float:
        """The seconds asked for, or fewer if the game's time demands it."""
        return min(self.seconds_per_move, super().seconds())

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The most visited move; before any simulation is finished, any."""
        # Kept until the next move: taking a large tree down costs time, after the last look at the clock.
        root = self.root = Node(state)
        level = self.evaluate(state, self.color)
        with contextlib.suppress(OutOfTime):
            while self.simulations is None or root.visits < self.simulations:
                self.simulate(root, level)
        # A move that wins at once needs no more visits to be trusted.
        ranked = [child for child in root.children if child.won] or root.ranked()
        return ranked[0].move if root.visits else self.rng.choice(moves)

    def simulate(self, root: Node, level: float) -> None:
        """Walk down, evaluate where the walk ends, tell every node on the way."""
        path = [root]
        while len(path) <= self.depth and (child := self.step(path[-1])) is not None:
            path.append(child)
        reward = self.reward(path[-1], level)
        for node in path:
            node.visits += 1
            node.total += reward

    def step(self, node: Node) -> Node | None:
        """A new child while there are untried moves, then the most promising; None where the game is over."""
        move = node.next_untried(self.rng)
        if move is not None:
            child = Node(self.forward(node.state, move), move)
            node.children.append(child)
            return child
        self.deadline.check()
        return node.select(self.color, self.c) if node.children else None

    def reward(self, node: Node, level: float) -> float:
        """What it brings to end here when the present state is worth `level`."""
        if node.value is None:
            value = self.evaluate(node.state, self.color)
            if self.amplify:
                ending = node.state.ending
                value = float(value > level) if ending is None else ending.points(self.color)
            node.value = value
        return node.value


class MCTSAgentDev(MCTSAgent):
    """Runs exactly 5,000 simulations per move, time permitting, and prints what it saw."""

    def __init__(
        self, name: str, color: Color, simulations: int = 5000,
        depth: int = 6, c: float = 1.4, amplify: int = 1, evaluation: str = "share",
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, depth=depth, c=c, amplify=amplify, evaluation=evaluation)

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The move of `MCTSAgent`, shown with its rivals and the line of play expected."""
        best = super().choose(state, moves)
        if self.root is not None:
            self.show(self.root, best)
        return best

    def show(self, root: Node, best: Move) -> None:
        """Print the five most visited moves, the line expected and the decision."""
        print(f"{self.name}, turn {root.state.turns + 1}: {root.visits} simulations")  # noqa: T201
        for child in root.ranked()[:5]:
            print(f"  {child.move!s:8} visits {child.visits:6} mean {child.mean:.3f}")  # noqa: T201
        print("  line", *(node.move for node in root.principal_line()))  # noqa: T201
        print("  plays", best)  # noqa: T201
