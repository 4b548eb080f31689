"""Minimax, alpha-beta and the orders in which moves are tried: the specification of the native searches."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agents.othello.maps import DISCS, MAP_B, Map, square
from games.base import Color
from games.othello import OthelloState

__all__ = ["EVERYWHERE", "INTUITION", "RESULT", "AlphaBeta", "Choice", "Minimax", "Ordering"]

Ordering: TypeAlias = Literal["none", "position", "intuition"]

#: How many turns deep intuition looks, the move itself included.
INTUITION: Final = 3
#: More turns than a search has: moves are ordered at every node.
EVERYWHERE: Final = 64
#: What each disc of the lead is worth in a finished game that is valued by its result: more than any weights.
RESULT: Final = 10_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The best move, what it is worth to the side to move, and the states looked at.

    `presearch` are those of them that only served to order moves.
    """

    move: str
    value: int
    nodes: int
    presearch: int = 0


def _no_hurry() -> None:
    pass


def _leaf(weights: Map, state: OthelloState, color: Color, *, results: bool) -> int:
    """What a state is worth to `color` without looking further."""
    if results and state.is_game_over():
        return RESULT * DISCS.lead(state, color)
    return weights.lead(state, color)


@dataclass(slots=True)
class Minimax:
    """Every line `depth` turns deep. A pass is a turn.

    A finished game is weighed like any other state, or valued by its result if `results`. `check` is called at every
    node and may raise to end the search.
    """

    map: Map
    results: bool = False
    check: Callable[[], None] = _no_hurry
    nodes: int = 0

    def choice(self, state: OthelloState, depth: int, *, first: str | None = None) -> Choice:
        """The first of the best moves, squares in order but `first` before them; `depth` includes the move itself."""
        best, top = "", -math.inf
        for move in _led_by(state.legal_moves, first):
            value = self.value(state.forward(move), depth - 1, state.turn)
            if value > top:
                best, top = move, value
        return Choice(best, int(top), self.nodes)

    def value(self, state: OthelloState, depth: int, color: Color) -> int:
        """What the state is worth to `color` if both sides play their best."""
        self.check()
        self.nodes += 1
        if depth == 0 or state.is_game_over():
            return _leaf(self.map, state, color, results=self.results)
        values = (self.value(state.forward(move), depth - 1, color) for move in state.legal_moves)
        return max(values) if state.turn == color else min(values)


@dataclass(slots=True)
class AlphaBeta:
    """Minimax without the lines that cannot matter, which are the more the better the moves are that come first.

    `position` tries the squares with the greatest weight first, `intuition` the moves that look best three turns deep;
    where fewer than six turns are left that costs more than it saves, and position decides. `ordered` is the number of
    turns from the root in which moves are ordered at all; below they are tried square by square.
    """

    map: Map
    ordering: Ordering = "none"
    ordered: int = EVERYWHERE
    results: bool = False
    check: Callable[[], None] = _no_hurry
    nodes: int = 0
    presearch: int = 0

    def choice(self, state: OthelloState, depth: int, *, first: str | None = None) -> Choice:
        """The first of the best moves in the order they are tried, `first` before all; `depth` includes the move."""
        best, alpha = "", -math.inf
        for move in _led_by(self.tried(state, depth, turn=0), first):
            value = -self.value(state.forward(move), depth - 1, -math.inf, -alpha, turn=1)
            if value > alpha:
                best, alpha = move, value
        return Choice(best, int(alpha), self.nodes + self.presearch, self.presearch)

    def value(self, state: OthelloState, depth: int, alpha: float, beta: float, *, turn: int) -> float:
        """The value for the side to move if it lies between `alpha` and `beta`, else the nearer of them."""
        self.check()
        self.nodes += 1
        if depth == 0 or state.is_game_over():
            return _leaf(self.map, state, state.turn, results=self.results)
        for move in self.tried(state, depth, turn=turn):
            alpha = max(alpha, -self.value(state.forward(move), depth - 1, -beta, -alpha, turn=turn + 1))
            if beta <= alpha:
                break
        return alpha

    def tried(self, state: OthelloState, depth: int, *, turn: int) -> Sequence[str]:
        """The legal moves in the order in which they are tried."""
        moves = state.legal_moves
        if self.ordering == "none" or turn >= self.ordered or len(moves) < 2:
            return moves
        if self.ordering == "intuition" and depth >= 2 * INTUITION:
            return sorted(moves, key=lambda move: self._looks(state, move), reverse=True)
        return sorted(moves, key=lambda move: MAP_B.weights[square(move)], reverse=True)

    def _looks(self, state: OthelloState, move: str) -> float:
        """What a move is worth at first sight."""
        glance = AlphaBeta(self.map, "position", self.ordered, self.results, self.check)
        value = -glance.value(state.forward(move), INTUITION - 1, -math.inf, math.inf, turn=1)
        self.presearch += glance.nodes
        return value


def _led_by(moves: Sequence[str], first: str | None) -> Sequence[str]:
    return moves if first is None else sorted(moves, key=lambda move: move != first)
