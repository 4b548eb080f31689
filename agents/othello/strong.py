"""The search of the strong agent in Python: it specifies the native search, and plays where that cannot."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import Form, Limits, Report
from agents.othello.classic import empty_squares
from agents.othello.patterns import DISC, Weights
from games.base import BLACK
from games.othello import OthelloState

__all__ = ["Found", "NativePatternSearch", "PythonPatternSearch", "lead"]

#: The greatest number of squares to fill.
_DEEPEST: Final = 60
#: The number of empty squares that the search in Python can solve.
_SOLVED_IN_PYTHON: Final = 8
_INFINITY: Final = 64 * DISC + 1
_CORNERS: Final = frozenset({"a1", "h1", "a8", "h8"})
_NO_DEADLINE: Final = Deadline(float("inf"))


@dataclass(frozen=True, slots=True)
class Found:
    """The best move and its score for the side to move, in eighths of a disc.

    `won_lost`: the sign of the score is certain. `exact`: the score is that of best play to the end.
    """

    move: str
    score: int
    depth: int
    won_lost: bool
    exact: bool
    nodes: int
    line: Sequence[str]

    def report(self, form: Form) -> Report:
        """The same as a report, with the score in discs."""
        score, pv = self.score / DISC, tuple(self.line)
        return Report(move=self.move, form=form, nodes=self.nodes, depth=self.depth, score=score, pv=pv)


def lead(state: OthelloState) -> int:
    """The discs of the side to move minus those of the opponent."""
    black = state.black.bit_count() - state.white.bit_count()
    return black if state.turn == BLACK else -black


class NativePatternSearch:
    """The native search, which solves the last `solve` empty squares. It learns as the game goes on."""

    form: Form = "kernel"

    def __init__(self, native: Any, *, solve: int) -> None:
        self.native = native
        self._solve = solve

    def search(self, state: OthelloState, limits: Limits) -> Report:
        """The best move of the deepest search that was finished."""
        depth = limits.depth or _DEEPEST
        found = self.native.search(state.text, seconds=limits.seconds, depth=depth, solve=self._solve)
        return Found(*found).report(self.form)


class PythonPatternSearch:
    """Alpha-beta with the evaluation by patterns, and exact near the end of the game."""

    form: Form = "python"

    def __init__(self, weights: Weights, *, solve: int = _SOLVED_IN_PYTHON, now: Clock = time.monotonic) -> None:
        self.weights = weights
        self._solve = min(solve, _SOLVED_IN_PYTHON)
        self.nodes = 0
        self._now = now
        self._deadline = _NO_DEADLINE

    def search(self, state: OthelloState, limits: Limits) -> Report:
        """The best move of the deepest search that was finished."""
        found = self.find(state, seconds=limits.seconds, depth=limits.depth or _DEEPEST, solve=self._solve)
        return found.report(self.form)

    def find(self, state: OthelloState, *, seconds: float, depth: int, solve: int) -> Found:
        """The best move; there must be a square to take. `depth` counts turns without passes."""
        self.nodes = 0
        left = empty_squares(state)
        moves = sorted(state.legal_moves, key=lambda move: self.weights.value(state.forward(move)))
        found = Found(moves[0], 0, 0, won_lost=False, exact=False, nodes=0, line=moves[:1])
        to_end = left <= solve
        # A shallow search before the search to the end, so that good moves come first.
        self._deadline = Deadline(seconds / 5 if to_end else seconds, now=self._now)
        with contextlib.suppress(OutOfTime):
            for reached in range(1, min(depth, max(1, left - 6) if to_end else left) + 1):
                found = self._deepened(state, moves, reached)
        if to_end:
            self._deadline = Deadline(seconds, now=self._now)
            with contextlib.suppress(OutOfTime):
                found = self._finished(state, moves)
        return found

    def _deepened(self, state: OthelloState, moves: list[str], depth: int) -> Found:
        best, top = moves[0], -_INFINITY
        for move in moves:
            value = -self.value(state.forward(move), depth - 1, -_INFINITY, -top)
            if value > top:
                best, top = move, value
        moves.sort(key=lambda move: move != best)
        exact = depth >= empty_squares(state)
        return Found(best, top, depth, won_lost=exact, exact=exact, nodes=self.nodes, line=(best,))

    def value(self, state: OthelloState, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move, exact between `alpha` and `beta`, else a bound."""
        self._deadline.check()
        self.nodes += 1
        if depth == 0:
            return self.weights.value(state)
        moves = state.legal_moves
        if not moves:
            return DISC * lead(state)
        if moves == ("pass",):
            return -self.value(state.forward("pass"), depth, -beta, -alpha)
        best = -_INFINITY
        for move in moves:
            best = max(best, -self.value(state.forward(move), depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    def _finished(self, state: OthelloState, moves: list[str]) -> Found:
        """First win, draw or loss; then, if there is time, by how many discs."""
        best, sign = self._decided(state, moves, -1, 1)
        found = Found(
            best, DISC * sign, empty_squares(state), won_lost=True, exact=False, nodes=self.nodes, line=(best,)
        )
        with contextlib.suppress(OutOfTime):
            low, high = (0, 64) if sign > 0 else (-64, 0) if sign < 0 else (-1, 1)
            best, lead = self._decided(state, moves, low, high)
            found = Found(best, DISC * lead, found.depth, won_lost=True, exact=True, nodes=self.nodes, line=(best,))
        return found

    def _decided(self, state: OthelloState, moves: list[str], alpha: int, beta: int) -> tuple[str, int]:
        best, top = moves[0], -65
        for move in moves:
            value = -self.solve(state.forward(move), -beta, -max(alpha, top))
            if value > top:
                best, top = move, value
            if top >= beta:
                break
        moves.sort(key=lambda move: move != best)
        return best, max(alpha, min(beta, top))

    def solve(self, state: OthelloState, alpha: int = -64, beta: int = 64) -> int:
        """The lead of the side to move in discs after best play; exact between the bounds."""
        self._deadline.check()
        self.nodes += 1
        moves = state.legal_moves
        if not moves:
            return lead(state)
        if moves == ("pass",):
            return -self.solve(state.forward("pass"), -beta, -alpha)
        best = -65
        for next_state in sorted((state.forward(move) for move in moves), key=_replies):
            best = max(best, -self.solve(next_state, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best


def _replies(state: OthelloState) -> int:
    """The number of replies; a corner counts twice. A side with few moves must soon make a bad one."""
    moves = state.legal_moves
    return len(moves) + len(_CORNERS.intersection(moves)) if moves != ("pass",) else 0
