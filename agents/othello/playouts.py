"""How a simulation plays on where the tree ends: from blind chance to a small search for every move."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from agents.othello.dice import Dice
from agents.othello.maps import MAP_B, square
from agents.othello.plain import AlphaBeta
from games.othello import OthelloState

__all__ = ["PLAYOUTS", "Playout"]

#: The move to make in a state, after so many moves of this playout.
Playout: TypeAlias = Callable[[OthelloState, int, Dice], str]

#: Moves of an adaptive playout that are looked at.
_CAREFUL: Final = 10
#: Added to the weights of map B, so that even the worst square has a chance: 1 in 126 of that of a corner.
_CHANCE: Final = 26


def _random(state: OthelloState, made: int, dice: Dice) -> str:  # noqa: ARG001
    moves = state.legal_moves
    return moves[dice.below(len(moves))]


def _light(state: OthelloState, made: int, dice: Dice) -> str:  # noqa: ARG001
    """Roulette: the better the square, the larger its slot."""
    moves = state.legal_moves
    slots = [MAP_B.weights[square(move)] + _CHANCE for move in moves]
    ball = dice.below(sum(slots))
    for move, slot in zip(moves, slots, strict=True):
        ball -= slot
        if ball < 0:
            return move
    raise AssertionError


def _heavy(state: OthelloState, made: int, dice: Dice) -> str:  # noqa: ARG001
    return _best(state, 2, dice)


def _adaptive(state: OthelloState, made: int, dice: Dice) -> str:
    return _best(state, 1, dice) if made < _CAREFUL else _random(state, made, dice)


def _combined(state: OthelloState, made: int, dice: Dice) -> str:
    return _best(state, 1, dice) if made < _CAREFUL else _light(state, made, dice)


def _best(state: OthelloState, depth: int, dice: Dice) -> str:
    """The best move by map B, so many turns deep; one of the best by chance."""
    best, top, equals = "", -math.inf, 0
    search = AlphaBeta(MAP_B)
    for move in state.legal_moves:
        value = -search.value(state.forward(move), depth - 1, -math.inf, math.inf, turn=1)
        equals = 1 if value > top else equals + (value == top)
        if value > top or (value == top and dice.below(equals) == 0):
            best, top = move, value
    return best


#: What the option `playout` may be. None is asked for a move when there is only the pass.
PLAYOUTS: Final[Mapping[str, Playout]] = MappingProxyType(
    {"random": _random, "light": _light, "heavy": _heavy, "adaptive": _adaptive, "combined": _combined}
)
