"""How far the side to move is ahead, in whole numbers: what alpha-beta counts, natively and in Python."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from agents.evaluation import area_lead, cells_lead, discs_lead, lines_lead, material
from games.base import WHITE, State

__all__ = ["lead"]


def lead(state: State) -> int:
    """The lead of the side to move in a state where the game goes on; 0 in games without a known count."""
    kind = type(state)
    counted = _KINDS.get(kind)
    if counted is None:
        modules = (base.__module__ for base in kind.__mro__)
        counted = _KINDS[kind] = next((_LEADS[module] for module in modules if module in _LEADS), _nothing)
    return counted(state)


def _chess(board: Any) -> int:
    # A hundredth of a pawn for each move to choose from.
    mine, theirs = material(board, board.turn), material(board, not board.turn)
    return 100 * (mine - theirs) + len(board.legal_moves)


def _othello(state: Any) -> int:
    discs = discs_lead(state) if state.turn == WHITE else -discs_lead(state)
    passed = type(state)(state.black, state.white, not state.turn)
    return discs + 10 * (_squares(state) - _squares(passed))


def _squares(state: Any) -> int:
    return sum(move != "pass" for move in state.legal_moves)


def _signed(count: Callable[[Any], int]) -> Callable[[Any], int]:
    return lambda state: count(state) if state.turn == WHITE else -count(state)


def _nothing(_state: Any) -> int:
    return 0


#: By the module that defines the state or one of its base classes, as in agents/evaluation.py.
_LEADS: Final[Mapping[str, Callable[[Any], int]]] = {
    "chess": _chess,
    "games.go": _signed(area_lead),
    "games.gomoku": _signed(lines_lead),
    "games.mushroom": _signed(cells_lead),
    "games.othello": _othello,
}
_KINDS: Final[dict[type, Callable[[Any], int]]] = {}
