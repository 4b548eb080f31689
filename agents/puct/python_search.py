"""The PUCT search in Python, for any game: it specifies the native search, and plays where that cannot."""

import math
import random
import time
from collections.abc import Sequence

from agents.budget import Clock
from agents.core.engine import GAME_OVER, Form, Visits
from agents.puct.evaluation import Cached, Evaluator, checked_evaluations
from agents.puct.search import Figures, PuctResult, PuctSearch, PuctSettings
from agents.puct.tree import Node, add_value, cancel, find, mark_pending, select, two_levels
from agents.watch import is_heard, is_report_due, is_stopped
from games.base import Color, State

__all__ = ["PythonPuct"]

#: The greatest number of states in the tree: some hundred megabytes. A full tree ends a search.
_ROOM = 100_000


class PythonPuct(PuctSearch):
    """Simulations in rounds: collect leaves, evaluate them together, expand them, add the values to their paths."""

    form: Form = "python"

    def __init__(
        self, evaluator: Evaluator, settings: PuctSettings, *, now: Clock = time.monotonic,
        rng: random.Random | None = None, room: int = _ROOM,
    ) -> None:  # fmt: skip
        super().__init__(settings, now=now, rng=rng)
        self.root: Node | None = None
        self._evaluator = evaluator
        self._room = room
        self._noise: Sequence[float] = ()
        self._depth = 0
        self._size = 0
        self._evaluations = 0
        self._seconds = {"select": 0.0, "evaluate": 0.0, "expand": 0.0, "backup": 0.0}
        self._lap = 0.0

    def run(
        self, state: State, *, simulations: int | None = None, seconds: float = math.inf, noise: Sequence[float] = ()
    ) -> PuctResult:
        """Search until a limit is reached or the tree is full; at least one round."""
        until = self._now() + seconds
        if not len(state.legal_moves):
            raise ValueError(GAME_OVER)
        root = self.root = self._rooted(state)
        self._noise = noise
        self._depth = done = 0
        while True:
            most = self.settings.batch if simulations is None else min(self.settings.batch, simulations - done)
            done += self._round(root, most)
            if done == simulations or self._lap >= until or self._size >= self._room or is_stopped():
                return self._result(root, done)
            if is_report_due() and root.expanded:
                self.tell(self._result(root, done))

    def figures(self) -> Figures:
        """What the searches have cost."""
        hits = self._evaluator.hits if isinstance(self._evaluator, Cached) else 0
        return Figures(**self._seconds, evaluations=self._evaluations, hits=hits, nodes=self._size, memory=None)

    def _rooted(self, state: State) -> Node:
        known = None if self.root is None else find(self.root, state)
        if known is None:
            self._size = 1
            return Node(state, state.turn)
        if known is not self.root:
            self._size = _size(known)
        return known

    def _round(self, root: Node, batch: int) -> int:
        """Run at most `batch` simulations, and return how many."""
        self._lap = self._now()
        paths = self._collect(root, batch)
        self._phase("select")
        open_ends = [path[-1] for path in paths if not path[-1].state.is_game_over()]
        try:
            evaluations = checked_evaluations(self._evaluator, [leaf.state for leaf in open_ends])
        except BaseException:
            for path in paths:
                cancel(path)
            raise
        self._evaluations += len(open_ends)
        self._phase("evaluate")
        for leaf, evaluation in zip(open_ends, evaluations, strict=True):
            leaf.expand(evaluation.priors)
        self._phase("expand")
        values = {id(leaf): evaluation.value for leaf, evaluation in zip(open_ends, evaluations, strict=True)}
        for path in paths:
            leaf = path[-1]
            add_value(path, values.get(id(leaf), _points(leaf.state, leaf.state.turn)), leaf.state.turn)
        self._phase("backup")
        return len(paths)

    def _collect(self, root: Node, batch: int) -> list[list[Node]]:
        """The paths to some leaves. A leaf that is already pending ends the round: its value may lead elsewhere."""
        paths: list[list[Node]] = []
        while len(paths) < batch:
            path = self._descend(root)
            if path[-1].pending and not path[-1].visits:
                break
            self._size += not path[-1].visits and path[-1] is not root
            mark_pending(path)
            paths.append(path)
        return paths

    def _descend(self, root: Node) -> list[Node]:
        path = [root]
        noise = self._noise
        while path[-1].expanded:
            path.append(path[-1].child(select(path[-1], self.settings, noise)))
            noise = ()
        self._depth = max(self._depth, len(path) - 1)
        return path

    def _phase(self, name: str) -> None:
        now = self._now()
        self._seconds[name] += now - self._lap
        self._lap = now

    def _result(self, root: Node, simulations: int) -> PuctResult:
        moves = []
        for move, prior, child in zip(root.moves, root.priors, root.children, strict=True):
            visits, mean = (0, 0.0) if child is None else (child.visits, child.mean())
            moves.append(Visits(str(move), visits, mean, prior))
        line = tuple(map(str, root.line()))
        tree = two_levels(root) if is_heard() else ()
        return PuctResult(
            simulations=simulations, visits=root.visits, depth=self._depth, line=line, moves=moves, tree=tree
        )


def _points(state: State, color: Color) -> float:
    ending = state.ending
    return 0.0 if ending is None else 2 * ending.points(color) - 1


def _size(root: Node) -> int:
    nodes = [root]
    # The list grows while it is read.
    for node in nodes:
        nodes.extend(child for child in node.children if child is not None)
    return len(nodes)
