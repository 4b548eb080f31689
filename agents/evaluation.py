"""How good a state is for a side, by what stands on the board."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from games.base import WHITE, Color, State

__all__ = ["EVALUATIONS", "ZERO_SUM", "Evaluation", "balance", "outcome", "share", "signed"]

#: From a state and a side to a number; more is better for that side.
Evaluation: TypeAlias = Callable[[State, Color], float]


def share(state: State, color: Color) -> float:
    """The side's share of what both have, in [0, 1]; a decided game is 1, 0 or, drawn, 0.5."""
    ending = state.ending
    return (1 + balance(state, color)) / 2 if ending is None else ending.points(color)


def signed(state: State, color: Color) -> float:
    """The same from -1 to 1; what it is for one side it is, negative, for the other."""
    ending = state.ending
    return balance(state, color) if ending is None else 2 * ending.points(color) - 1


def outcome(state: State, color: Color) -> float:
    """1 for a won game, 0 for a lost one, 0.5 for any other state."""
    ending = state.ending
    return 0.5 if ending is None else ending.points(color)


def _signed_outcome(state: State, color: Color) -> float:
    return 2 * outcome(state, color) - 1


#: What the option `evaluation` of the search agents may be.
EVALUATIONS: Final[Mapping[str, Evaluation]] = MappingProxyType({"share": share, "signed": signed, "outcome": outcome})

#: The same for negamax, which turns a value round by its sign. The order of moves is that of `EVALUATIONS`.
ZERO_SUM: Final[Mapping[str, Evaluation]] = MappingProxyType(
    {"share": signed, "signed": signed, "outcome": _signed_outcome}
)


def balance(state: State, color: Color) -> float:
    """How far the side is ahead, from -1 to 1, as if the game were not over; 0 in games without a known count.

    Chess and microchess: (mine - theirs) / (mine + theirs) in material. Othello: (mine - theirs) / 64 in discs.
    """
    kind = type(state)
    counted = _KINDS.get(kind)
    if counted is None:
        counted = _KINDS[kind] = _count_for(kind)
    return counted(state, color)


def _count_for(kind: type) -> Evaluation:
    modules = (base.__module__ for base in kind.__mro__)
    return next((_COUNTS[module] for module in modules if module in _COUNTS), _nothing)


def _material(board: Any, color: Color) -> float:
    # Kings count too, in chess as in microchess: so a bare king leaves the other side just short of a win.
    mine, theirs = _pieces(board, board.occupied_co[color]), _pieces(board, board.occupied_co[not color])
    return (mine - theirs) / (mine + theirs)


def _pieces(board: Any, side: int) -> int:
    """Sum of K 4, Q 10, R 5, B 3, N 3, P 1 over the squares of a bit mask."""
    value: int = (
        (board.pawns & side).bit_count()
        + 3 * ((board.knights | board.bishops) & side).bit_count()
        + 5 * (board.rooks & side).bit_count()
        + 10 * (board.queens & side).bit_count()
        + 4 * (board.kings & side).bit_count()
    )
    return value


def _discs(state: Any, color: Color) -> float:
    difference: int = state.white.bit_count() - state.black.bit_count()
    return (difference if color == WHITE else -difference) / 64


def _nothing(_state: State, _color: Color) -> float:
    return 0.0


#: How to count, by the module that defines the state or one of its base classes. Names instead of classes:
#: an agent should not have to load the rules of games that it does not play.
_COUNTS: Final[Mapping[str, Evaluation]] = {"chess": _material, "games.othello": _discs}

#: The same by class, for those met so far: this is asked at every leaf of a search.
_KINDS: Final[dict[type, Evaluation]] = {}
