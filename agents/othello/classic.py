"""Minimax and alpha-beta over maps of weights, in Python: the specification of the native searches."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from games.base import BLACK, Color
from games.othello import OthelloState

__all__ = [
    "DISCS", "EVERYWHERE", "INTUITION", "MAPS", "MAP_A", "MAP_B", "RESULT", "AlphaBeta", "Choice", "Map", "Minimax",
    "Ordering", "empty_squares", "square",
]  # fmt: skip

Ordering: TypeAlias = Literal["none", "position", "intuition"]

#: The depth of the search by which `intuition` orders moves, the move itself included.
INTUITION: Final = 3
#: Greater than any depth: moves are ordered at every node.
EVERYWHERE: Final = 64
#: The value of each disc of the lead in a finished game that counts by its result: more than any sum of weights.
RESULT: Final = 10_000


class Map:
    """A weight for each of the 64 squares, a1, b1, …, h8."""

    def __init__(self, upper_half: str) -> None:
        rows = [tuple(int(weight) for weight in line.split()) for line in upper_half.strip().splitlines()]
        self.weights: Final = tuple(weight for row in rows + rows[::-1] for weight in row)
        self._masks = {
            value: sum(1 << at for at, weight in enumerate(self.weights) if weight == value)
            for value in set(self.weights)
        }

    def lead(self, state: OthelloState, color: Color) -> int:
        """The sum of the weights of the side minus that of the opponent."""
        mine, theirs = (state.black, state.white) if color == BLACK else (state.white, state.black)
        return sum(
            value * ((mine & mask).bit_count() - (theirs & mask).bit_count()) for value, mask in self._masks.items()
        )


#: Every disc counts the same.
DISCS: Final = Map("\n".join(["1 1 1 1 1 1 1 1"] * 4))

#: Made by hand.
MAP_A: Final = Map("""
    120 -20  20   5   5  20 -20 120
    -20 -40  -5  -5  -5  -5 -40 -20
     20  -5  15   3   3  15  -5  20
      5  -5   3   3   3   3  -5   5
""")

#: Learned: Yoshioka and others (1999), in whole numbers.
MAP_B: Final = Map("""
    100 -25  10   5   5  10 -25 100
    -25 -25   1   1   1   1 -25 -25
     10   1   5   2   2   5   1  10
      5   1   2   1   1   2   1   5
""")

#: The values of the option `evaluation`.
MAPS: Final[Mapping[str, Map]] = MappingProxyType({"discs": DISCS, "map_a": MAP_A, "map_b": MAP_B})


def square(move: str) -> int:
    """The number of a square like `d3`."""
    return "abcdefgh".index(move[0]) + 8 * (int(move[1]) - 1)


def empty_squares(state: OthelloState) -> int:
    """The number of empty squares."""
    return 64 - (state.black | state.white).bit_count()


@dataclass(frozen=True, slots=True)
class Choice:
    """The best move, its value for the side to move, and the number of states visited.

    `presearch` counts those of them that only served to order moves.
    """

    move: str
    value: int
    nodes: int
    presearch: int = 0


def _no_check() -> None:
    pass


def _leaf(weights: Map, state: OthelloState, color: Color, *, results: bool) -> int:
    """The value of a state for `color`, without looking further."""
    if results and state.is_game_over():
        return RESULT * DISCS.lead(state, color)
    return weights.lead(state, color)


@dataclass(slots=True)
class Minimax:
    """Searches every line to a depth. A pass is a turn.

    A finished game is valued by weights like any other state or, with `results`, by its result. `check` is called at
    every node and may raise to end the search.
    """

    map: Map
    results: bool = False
    check: Callable[[], None] = _no_check
    nodes: int = 0

    def choice(self, state: OthelloState, depth: int, *, first: str | None = None) -> Choice:
        """The first of the best moves in the order of squares, with `first` before all; `depth` includes the move."""
        best, top = "", -math.inf
        for move in _led_by(state.legal_moves, first):
            value = self.value(state.forward(move), depth - 1, state.turn)
            if value > top:
                best, top = move, value
        return Choice(best, int(top), self.nodes)

    def value(self, state: OthelloState, depth: int, color: Color) -> int:
        """The value of the state for `color` if both sides play their best."""
        self.check()
        self.nodes += 1
        if depth == 0 or state.is_game_over():
            return _leaf(self.map, state, color, results=self.results)
        values = (self.value(state.forward(move), depth - 1, color) for move in state.legal_moves)
        return max(values) if state.turn == color else min(values)


@dataclass(slots=True)
class AlphaBeta:
    """Minimax that skips lines which cannot matter. The better the first moves are, the more it can skip.

    `position` tries the squares with the greatest weight first, `intuition` the moves that are best in a search of
    three turns. With fewer than six turns left that search costs more than it saves, and `position` is used. `ordered`
    is the number of turns from the root in which moves are ordered; below, they are tried square by square.
    """

    map: Map
    ordering: Ordering = "none"
    ordered: int = EVERYWHERE
    results: bool = False
    check: Callable[[], None] = _no_check
    nodes: int = 0
    presearch: int = 0

    def choice(self, state: OthelloState, depth: int, *, first: str | None = None) -> Choice:
        """The first of the best moves in the order of trial, with `first` before all; `depth` includes the move."""
        best, alpha = "", -math.inf
        for move in _led_by(self.tried(state, depth, turn=0), first):
            value = -self.value(state.forward(move), depth - 1, -math.inf, -alpha, turn=1)
            if value > alpha:
                best, alpha = move, value
        return Choice(best, int(alpha), self.nodes + self.presearch, self.presearch)

    def value(self, state: OthelloState, depth: int, alpha: float, beta: float, *, turn: int) -> float:
        """The value for the side to move if it is between `alpha` and `beta`, else the nearer bound."""
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
            return sorted(moves, key=lambda move: self._presearched(state, move), reverse=True)
        return sorted(moves, key=lambda move: MAP_B.weights[square(move)], reverse=True)

    def _presearched(self, state: OthelloState, move: str) -> float:
        """The value of a move in a short search."""
        short = AlphaBeta(self.map, "position", self.ordered, self.results, self.check)
        value = -short.value(state.forward(move), INTUITION - 1, -math.inf, math.inf, turn=1)
        self.presearch += short.nodes
        return value


def _led_by(moves: Sequence[str], first: str | None) -> Sequence[str]:
    return moves if first is None else sorted(moves, key=lambda move: move != first)
