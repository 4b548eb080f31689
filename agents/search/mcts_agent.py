"""Monte Carlo tree search: many short simulations, most of them where earlier ones went well."""

import contextlib
import math
from collections.abc import Sequence
from typing import ClassVar

from agents import watch
from agents.budget import OutOfTime
from agents.options import number, whole
from agents.search.base import SearchAgent
from agents.uct.tree import Node, two_levels
from games.base import Color, Move, State

__all__ = ["MCTSAgent", "MCTSAgentDev"]


class MCTSAgent(SearchAgent):
    """Each simulation walks `depth` turns down the tree; the most visited move is played, or one that wins at once.

    The reward is 1 if the simulation ended in a state better for this agent than the present one, else 0. With
    `amplify=0` the reward is the evaluation itself. The reward of a finished game is its result.
    Without `simulations` and `seconds` (both per move) there are 1,000 simulations.
    """

    #: The limits of a move if the options set none.
    default_limits: ClassVar = {"simulations": 1000}

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        depth: int = 6, c: float = 1.4, amplify: int = 1, evaluation: str = "share",
    ) -> None:  # fmt: skip
        super().__init__(name, color, evaluation=evaluation)
        if simulations is None and seconds is None:
            simulations = self.default_limits["simulations"]
        self.simulations = None if simulations is None else whole("simulations", simulations)
        self.seconds_per_move = float("inf") if seconds is None else number("seconds", seconds, least=0)
        self.depth = whole("depth", depth)
        self.c = number("c", c, least=0)
        self.amplify = whole("amplify", amplify, least=0, most=1) == 1
        self.root: Node | None = None

    def seconds(self) -> float:
        """The seconds of the option, or fewer if the time for the game is short."""
        return min(self.seconds_per_move, super().seconds())

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The most visited move; a random move if there was no time for a simulation."""
        # The tree is kept until the next move: freeing a large tree takes time, after the last check of the clock.
        root = self.root = Node(state)
        level = self.evaluate(state, self.color)
        most = min(self.simulations or math.inf, self.limits.nodes or math.inf)
        with contextlib.suppress(OutOfTime):
            while root.visits < most:
                self.simulate(root, level)
                if watch.is_report_due() and (found := root.preferred()) is not None:
                    self.tell_about(root, found)
        best = root.preferred() if root.visits else None
        if best is None:
            return self.rng.choice(moves)
        self.tell_about(root, best)
        return best.move

    def tell_about(self, root: Node, best: Node) -> None:
        """Tell the visits of all moves, the expected line, and two levels of the tree."""
        line = [str(node.move) for node in (best, *best.principal_line())]
        visits = {str(child.move): child.visits for child in root.ranked()}
        self.tell(value=best.mean, line=line, visits=visits, tree=two_levels(root), nodes=root.visits, depth=len(line))

    def simulate(self, root: Node, level: float) -> None:
        """Walk down the tree, evaluate the last state, add the reward to every node on the path."""
        path = [root]
        while len(path) <= self.depth and (child := self.step(path[-1])) is not None:
            path.append(child)
        reward = self.reward(path[-1], level)
        for node in path:
            node.visits += 1
            node.total += reward

    def step(self, node: Node) -> Node | None:
        """A new child while there are untried moves, then the most promising one; None where the game is over."""
        move = node.next_untried(self.rng)
        if move is not None:
            child = Node(self.forward(node.state, move), move)
            node.children.append(child)
            return child
        self.deadline.check()
        return node.select(self.color, self.c) if node.children else None

    def reward(self, node: Node, level: float) -> float:
        """The reward of a simulation that ends here, when the present state is worth `level`."""
        if node.value is None:
            value = self.evaluate(node.state, self.color)
            if self.amplify:
                ending = node.state.ending
                value = float(value > level) if ending is None else ending.points(self.color)
            node.value = value
        return node.value


class MCTSAgentDev(MCTSAgent):
    """Runs 5,000 simulations per move if there is time, and prints its tree and decision."""

    def __init__(
        self, name: str, color: Color, simulations: int = 5000,
        depth: int = 6, c: float = 1.4, amplify: int = 1, evaluation: str = "share",
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, depth=depth, c=c, amplify=amplify, evaluation=evaluation)

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The move of `MCTSAgent`, printed with its alternatives and the expected line."""
        best = super().choose(state, moves)
        if self.root is not None:
            self.show(self.root, best)
        return best

    def show(self, root: Node, best: Move) -> None:
        """Print the five most visited moves, the expected line and the decision."""
        print(f"{self.name}, turn {root.state.turns + 1}: {root.visits} simulations")  # noqa: T201
        for child in root.ranked()[:5]:
            print(f"  {child.move!s:8} visits {child.visits:6} mean {child.mean:.3f}")  # noqa: T201
        print("  line", *(node.move for node in root.principal_line()))  # noqa: T201
        print("  plays", best)  # noqa: T201
