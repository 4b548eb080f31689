"""UCT: the native search, and the twin in Python that plays where it cannot."""

import contextlib
import random
import time
from dataclasses import dataclass

from agents import watch
from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import GAME_OVER, Engine, Form, Limits, Report, Visits, tell
from agents.core.native import NativeGame, at_most, report_of
from agents.evaluation import share
from agents.uct.tree import Node, two_levels
from games.base import Move, State

__all__ = ["NativeUct", "PythonUct", "UctSettings", "uct_engine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UctSettings:
    """How simulations go. With a depth of 0 each plays the game to its end, else it is evaluated at that depth."""

    depth: int = 0
    #: How much is explored.
    c: float = 1.4
    #: Up to this number of visits, a move is judged mainly by simulations in which it was played later.
    rave: float = 0
    #: The reward is 1 for a state better than the present one and 0 for any other, instead of the evaluation.
    amplify: bool = False
    #: Below the tree, moves that look good are played more often.
    weighted: bool = False


def uct_engine(state: State, settings: UctSettings, *, now: Clock = time.monotonic) -> Engine:
    """The native search where there is one for the game of this state, else the Python twin."""
    return NativeUct.of(state, settings) or PythonUct(settings, now=now)


class NativeUct:
    """The native search of one game. The tree is kept from move to move."""

    form: Form = "kernel"

    def __init__(self, game: NativeGame, settings: UctSettings) -> None:
        self.game = game
        self._settings = settings

    @classmethod
    def of(cls, state: State, settings: UctSettings) -> "NativeUct | None":
        """The search for the game of this state; None if there is none."""
        game = NativeGame.of(state, module="agents.core._core", kind="Searcher")
        return None if game is None else cls(game, settings)

    def search(self, state: State, limits: Limits) -> Report:
        """The most visited move."""
        self.game.set(state)
        settings = self._settings
        *found, visits, tree = self.game.native.uct(
            seconds=limits.seconds,
            simulations=at_most(limits.simulations),
            depth=settings.depth,
            c=settings.c,
            rave=settings.rave,
            amplify=settings.amplify,
            weighted=settings.weighted,
            seed=limits.seed,
        )
        return report_of(found, visits, tree)


class PythonUct:
    """The search in Python, for any game, without RAVE and weighted playouts. Every search starts a new tree."""

    form: Form = "python"

    def __init__(self, settings: UctSettings, *, now: Clock = time.monotonic) -> None:
        self._settings = settings
        self._now = now

    def search(self, state: State, limits: Limits) -> Report:
        """The most visited move, or one that wins at once."""
        moves = list(state.legal_moves)
        if not moves:
            raise ValueError(GAME_OVER)
        simulations = _Simulations(state, self._settings, limits, self._now)
        simulations.run(limits.simulations)
        if (report := _report(simulations.root)) is not None:
            return report
        move = str(simulations.rng.choice(moves))
        return Report(move=move, form="python", pv=(move,))


def _report(root: Node) -> Report | None:
    """What the simulations below a root have found; None if there were none."""
    best = root.preferred() if root.visits else None
    if best is None:
        return None
    pv = tuple(str(node.move) for node in (best, *best.principal_line()))
    ranked = sorted(root.ranked(), key=lambda child: child is not best)
    return Report(
        move=pv[0],
        form="python",
        nodes=root.visits,
        depth=len(pv),
        score=best.mean,
        pv=pv,
        visits=[Visits(str(child.move), child.visits, child.mean) for child in ranked],
        tree=two_levels(root) if watch.is_heard() else (),
    )


class _Simulations:
    """The simulations of one search."""

    def __init__(self, state: State, settings: UctSettings, limits: Limits, now: Clock) -> None:
        self.root = Node(state)
        self.settings = settings
        self.color = state.turn
        self.rng = random.Random(limits.seed)
        self.deadline = Deadline(limits.seconds, now=now)
        self.level = share(state, state.turn)

    def run(self, simulations: int | None) -> None:
        """Simulate until a limit is reached."""
        with contextlib.suppress(OutOfTime):
            while simulations is None or self.root.visits < simulations:
                self._simulate()
                if watch.is_report_due() and (report := _report(self.root)) is not None:
                    tell(report)

    def _simulate(self) -> None:
        """Walk down the tree, find the reward at the end of the walk, add it to every node on the path."""
        depth, path = self.settings.depth, [self.root]
        while (child := self._step(path[-1])) is not None:
            path.append(child)
            if len(path) > depth if depth else not child.visits:
                break
        reward = self._evaluated(path[-1]) if depth else self._played(path[-1].state)
        for node in path:
            node.visits += 1
            node.total += reward

    def _step(self, node: Node) -> Node | None:
        """A new child while there are untried moves, then the most promising one; None where the game is over."""
        self.deadline.check()
        move = node.next_untried(self.rng)
        if move is None:
            return node.select(self.color, self.settings.c) if node.children else None
        node.children.append(Node(node.state.forward(move), move))
        return node.children[-1]

    def _evaluated(self, node: Node) -> float:
        if node.value is None:
            value, ending = share(node.state, self.color), node.state.ending
            node.value = float(value > self.level) if self.settings.amplify and ending is None else value
        return node.value

    def _played(self, state: State) -> float:
        """The result of random moves from this state to the end of the game."""
        while moves := list[Move](state.legal_moves):
            self.deadline.check()
            state = state.forward(self.rng.choice(moves))
        ending = state.ending
        assert ending is not None
        return ending.points(self.color)
