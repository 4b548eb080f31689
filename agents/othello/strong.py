"""The strong agent's search in plain Python: what the native one is measured by, and what plays without it."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents.budget import Clock, Deadline, OutOfTime
from agents.othello.patterns import DISC, Weights
from games.base import BLACK
from games.othello import OthelloState

__all__ = ["Found", "PlainStrong", "empty", "lead"]

_INFINITY: Final = 64 * DISC + 1
_CORNERS: Final = frozenset({"a1", "h1", "a8", "h8"})
_NO_HURRY: Final = Deadline(float("inf"))


@dataclass(frozen=True, slots=True)
class Found:
    """The best move; its score, in eighths of a disc, is that of the side to move.

    `won_lost`: the sign of the score is certain. `exact`: the score is that of best play to the end.
    """

    move: str
    score: int
    depth: int
    won_lost: bool
    exact: bool
    nodes: int
    line: Sequence[str]


def empty(state: OthelloState) -> int:
    """How many squares are empty."""
    return 64 - (state.black | state.white).bit_count()


def lead(state: OthelloState) -> int:
    """How many discs the side to move has more than the other."""
    black = state.black.bit_count() - state.white.bit_count()
    return black if state.turn == BLACK else -black


class PlainStrong:
    """Alpha-beta over the pattern evaluation, and to the end of the game where that is near."""

    def __init__(self, weights: Weights, *, now: Clock = time.monotonic) -> None:
        self.weights = weights
        self.nodes = 0
        self._now = now
        self._deadline = _NO_HURRY

    def search(self, state: OthelloState, *, seconds: float, depth: int, solve: int) -> Found:
        """The best of the moves, none of which may be a pass; `depth` counts turns but not passes."""
        self.nodes = 0
        left = empty(state)
        moves = sorted(state.legal_moves, key=lambda move: self.weights.value(state.forward(move)))
        found = Found(moves[0], 0, 0, won_lost=False, exact=False, nodes=0, line=moves[:1])
        to_end = left <= solve
        # Before the end is searched, a look that is not so deep: good moves come first then.
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
        exact = depth >= empty(state)
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
        """Win, draw or loss first; then, if there is time, by how much."""
        best, sign = self._decided(state, moves, -1, 1)
        found = Found(best, DISC * sign, empty(state), won_lost=True, exact=False, nodes=self.nodes, line=(best,))
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
        """By how many discs the side to move leads after best play; exact between the bounds."""
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
    """Fewest first: who has few moves must soon make a bad one. A corner among them counts twice."""
    moves = state.legal_moves
    return len(moves) + len(_CORNERS.intersection(moves)) if moves != ("pass",) else 0
