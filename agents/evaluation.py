"""How good a state is for a side, judged by what is on the board."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from agents.core.knowledge import knowledge_of
from games.base import Color, State

__all__ = ["EVALUATIONS", "ZERO_SUM", "Evaluation", "balance", "outcome", "share", "signed"]

#: From a state and a side to a number; more is better for that side.
Evaluation: TypeAlias = Callable[[State, Color], float]


def share(state: State, color: Color) -> float:
    """The side's share, from 0 to 1; a finished game is worth 1, 0 or, if it is a draw, 0.5."""
    ending = state.ending
    return (1 + balance(state, color)) / 2 if ending is None else ending.points(color)


def signed(state: State, color: Color) -> float:
    """The same from -1 to 1. The value for one side is minus the value for the other."""
    ending = state.ending
    return balance(state, color) if ending is None else 2 * ending.points(color) - 1


def outcome(state: State, color: Color) -> float:
    """1 for a won game, 0 for a lost one, 0.5 for any other state."""
    ending = state.ending
    return 0.5 if ending is None else ending.points(color)


def _signed_outcome(state: State, color: Color) -> float:
    return 2 * outcome(state, color) - 1


def balance(state: State, color: Color) -> float:
    """How far the side is ahead, from -1 to 1, as if the game were not over; 0 in an unknown game.

    Chess and microchess: (mine - theirs) / (mine + theirs) in material. Othello: (mine - theirs) / 64 in discs.
    Mushroom and Go: the difference of cells and of areas, as a part of the board. Gomoku: the difference of lines in
    which five can still be made. `agents/core/knowledge.py` holds the details.
    """
    return knowledge_of(state).balance(state, color)


#: The values of the option `evaluation` of the search agents.
EVALUATIONS: Final[Mapping[str, Evaluation]] = MappingProxyType({"share": share, "signed": signed, "outcome": outcome})

#: The same for negamax, which needs values that change their sign with the side. They order moves as `EVALUATIONS` do.
ZERO_SUM: Final[Mapping[str, Evaluation]] = MappingProxyType(
    {"share": signed, "signed": signed, "outcome": _signed_outcome}
)
