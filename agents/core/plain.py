"""The searches in plain Python, for any game: what the native ones are measured by, and what plays without them."""

import contextlib
import random
import time
from collections import Counter
from collections.abc import Sequence

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.lead import lead
from agents.core.report import DECIDED, Form, Limits, Recipe, Report, Visits
from agents.search.mcts_agent import MCTSAgent
from agents.search.uct import Node
from games.base import Move, State

__all__ = ["Plain"]

_INFINITY = DECIDED + 1


class Plain:
    """The searches of any game. Alpha-beta ends at its depth, and UCT has neither RAVE nor weighted playouts."""

    form: Form = "python"

    def __init__(self, *, now: Clock = time.monotonic) -> None:
        self._now = now

    def alphabeta(self, state: State, limits: Limits) -> Report:
        """The best move by alpha-beta, one turn deep, then two, as far as the limits allow."""
        return _AlphaBeta(state, limits, self._now).report()

    def uct(self, state: State, recipe: Recipe) -> Report:
        """The most visited move, or one that wins at once."""
        kind = MCTSAgent if recipe.depth else _Playouts
        agent = kind(
            "uct", state.turn, simulations=recipe.simulations, seconds=None if recipe.simulations else 0,
            depth=recipe.depth or 1, c=recipe.c, amplify=int(recipe.amplify),
        )  # fmt: skip
        agent.rng = random.Random(recipe.seed)
        agent.deadline = Deadline(recipe.seconds, now=self._now)
        best = agent.choose(state, _moves(state))
        assert agent.root is not None
        ranked = sorted(agent.root.ranked(), key=lambda child: child.move != best)
        pv = [] if not ranked else [str(best), *(str(node.move) for node in ranked[0].principal_line())]
        return Report(
            move=str(best),
            form="python",
            nodes=agent.root.visits,
            depth=len(pv),
            score=ranked[0].mean if ranked else 0.0,
            pv=pv,
            visits=[Visits(str(child.move), child.visits, child.mean) for child in ranked],
        )


def _moves(state: State) -> list[Move]:
    moves = list(state.legal_moves)
    if not moves:
        raise ValueError("there is no move to choose: the game is over")
    return moves


class _AlphaBeta:
    """One search: negamax with a window, the move that cut most tried first."""

    def __init__(self, state: State, limits: Limits, now: Clock) -> None:
        self.state = state
        self.limits = limits
        self.deadline = Deadline(limits.seconds, now=now)
        self.cuts: Counter[Move] = Counter()
        self.nodes = 0
        self.score = 0
        self.line: Sequence[Move] = ()

    def report(self) -> Report:
        """Deepen until a limit is reached; what was found by then."""
        moves = _moves(self.state)
        if self.limits.seed:
            random.Random(self.limits.seed).shuffle(moves)
        self.line = moves[:1]
        reached = 0
        with contextlib.suppress(OutOfTime):
            while reached < self.limits.depth:
                self._deepen(moves, reached + 1)
                reached += 1
                if abs(self.score) >= DECIDED - reached and not self.limits.exact:
                    break
        pv = tuple(map(str, self.line))
        return Report(move=pv[0], form="python", nodes=self.nodes, depth=reached, score=self.score, pv=pv)

    def _deepen(self, moves: list[Move], depth: int) -> None:
        # The best so far goes first: a depth that is broken off has then compared it with others.
        moves.sort(key=lambda move: move != self.line[0])
        top = -_INFINITY
        for move in moves:
            value, line = self._value(self.state.forward(move), 1, depth - 1, alpha=-_INFINITY, beta=-top)
            if -value > top:
                top = self.score = -value
                self.line = [move, *line]

    def _value(self, state: State, turn: int, depth: int, *, alpha: int, beta: int) -> tuple[int, list[Move]]:
        """The value for the side to move, exact between `alpha` and `beta`, else a bound; and the line expected."""
        self.deadline.check()
        self.nodes += 1
        if self.limits.nodes is not None and self.nodes > self.limits.nodes:
            raise OutOfTime
        if (ending := state.ending) is not None:
            return (
                0 if ending.winner is None else DECIDED - turn if ending.winner == state.turn else turn - DECIDED
            ), []
        if depth == 0:
            return lead(state), []
        best, line = -_INFINITY, list[Move]()
        for move in sorted(state.legal_moves, key=self.cuts.__getitem__, reverse=True):
            value, after = self._value(state.forward(move), turn + 1, depth - 1, alpha=-beta, beta=-alpha)
            if -value > best:
                best, line = -value, [move, *after]
            alpha = max(alpha, best)
            if alpha >= beta:
                self.cuts[move] += 1
                break
        return best, line


class _Playouts(MCTSAgent):
    """UCT whose simulations play the game to its end, by random moves where the tree ends."""

    def simulate(self, root: Node, level: float) -> None:  # noqa: ARG002
        """Walk down to a new node, play from there, tell every node on the way."""
        path = [root]
        while (child := self.step(path[-1])) is not None:
            path.append(child)
            if not child.visits:
                break
        reward = self._played(path[-1].state)
        for node in path:
            node.visits += 1
            node.total += reward

    def _played(self, state: State) -> float:
        while moves := list(state.legal_moves):
            state = self.forward(state, self.rng.choice(moves))
        ending = state.ending
        assert ending is not None
        return ending.points(self.color)
