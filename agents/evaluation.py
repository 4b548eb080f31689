"""How good a state is for a side, by what stands on the board."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from games.base import WHITE, Color, State

__all__ = [
    "EVALUATIONS", "ZERO_SUM", "Evaluation", "area_lead", "balance", "cells_lead", "discs_lead", "lines_lead",
    "material", "outcome", "share", "signed",
]  # fmt: skip

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
    Mushroom and Go: the difference of the cells and of the areas, as part of the board. Gomoku: who has more of the
    lines in which five can still be made.
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
    mine, theirs = material(board, color), material(board, not color)
    return (mine - theirs) / (mine + theirs)


def material(board: Any, color: Color) -> int:
    """Sum of K 4, Q 10, R 5, B 3, N 3, P 1 over the pieces of a side."""
    side = board.occupied_co[color]
    value: int = (
        (board.pawns & side).bit_count()
        + 3 * ((board.knights | board.bishops) & side).bit_count()
        + 5 * (board.rooks & side).bit_count()
        + 10 * (board.queens & side).bit_count()
        + 4 * (board.kings & side).bit_count()
    )
    return value


def _discs(state: Any, color: Color) -> float:
    return _turned(discs_lead(state), color) / 64


def discs_lead(state: Any) -> int:
    """How many discs White has more than Black."""
    lead: int = state.white.bit_count() - state.black.bit_count()
    return lead


def _lines(state: Any, color: Color) -> float:
    lead = _turned(lines_lead(state), color)
    return lead / (abs(lead) + 1000)


def lines_lead(state: Any) -> int:
    """White's lead in lines of five with stones of one colour only; each stone makes a line six times as dear."""
    board, black, white = state.board, state.black, state.white
    lead = 0
    for step in (1, board.stride - 1, board.stride, board.stride + 1):
        shifts = [place * step for place in range(5)]
        room = board.whole
        for shift in shifts:
            room &= board.whole >> shift
        for own, other, sign in ((white, black, 1), (black, white, -1)):
            lines = room
            for shift in shifts:
                lines &= ~(other >> shift)
            lead += sign * _dearness(lines, [own >> shift for shift in shifts])
    return lead


def _dearness(lines: int, places: list[int]) -> int:
    """What these lines are worth, when each of the sets has one point of every line."""
    reached = [lines, 0, 0, 0, 0, 0]  # lines with at least so many stones
    for place in places:
        for stones in range(5, 0, -1):
            reached[stones] |= reached[stones - 1] & place
    return sum(worth * found.bit_count() for worth, found in zip(_STEPS, reached[1:], strict=True))


#: What the first, the second, … stone adds to a line: it is worth 1, 6, 36, 216, 1296.
_STEPS: Final = (1, 5, 30, 180, 1080)


def _cells(state: Any, color: Color) -> float:
    return _turned(cells_lead(state), color) / (len(state.rows) * len(state.rows[0]) + 1)


def cells_lead(state: Any) -> int:
    """How many cells White has more than Black."""
    rows = "".join(state.rows)
    return rows.count("A") - rows.count("B")


def _area(state: Any, color: Color) -> float:
    half_points: float = 2 * (len(state.board.points) + abs(state.komi) + 1)
    return _turned(area_lead(state), color) / half_points


def area_lead(state: Any) -> int:
    """By how many half points White's area and komi are more than Black's area."""
    from games._go import area

    black, white = state.stones
    lead = area(state.board, own=white, other=black) - area(state.board, own=black, other=white)
    komi: float = state.komi
    return round(2 * (lead + komi))


def _turned(lead: int, color: Color) -> int:
    return lead if color == WHITE else -lead


def _nothing(_state: State, _color: Color) -> float:
    return 0.0


#: How to count, by the module that defines the state or one of its base classes. Names instead of classes:
#: an agent should not have to load the rules of games that it does not play.
_COUNTS: Final[Mapping[str, Evaluation]] = {
    "chess": _material,
    "games.go": _area,
    "games.gomoku": _lines,
    "games.mushroom": _cells,
    "games.othello": _discs,
}

#: The same by class, for those met so far: this is asked at every leaf of a search.
_KINDS: Final[dict[type, Evaluation]] = {}
