"""Set-up of the chess games: the turn limit and positions from text, with clear error messages."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

import chess

from games._board import GameBoard
from games._parameters import Rules
from games.base import WHITE, Color
from games.errors import BadPosition

__all__ = ["ChessRules", "set_position"]

_PROBLEMS: Final = {
    chess.Status.NO_WHITE_KING: "White has no king",
    chess.Status.NO_BLACK_KING: "Black has no king",
    chess.Status.TOO_MANY_KINGS: "there are more than two kings",
    chess.Status.PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
    chess.Status.BAD_CASTLING_RIGHTS: "castling is claimed without king and rook in place",
    chess.Status.OPPOSITE_CHECK: "the side not to move is in check",
    chess.Status.INVALID_EP_SQUARE: "the en passant square is impossible",
    chess.Status.TOO_MANY_CHECKERS: "too many pieces give check",
    chess.Status.IMPOSSIBLE_CHECK: "no move could have given this check",
    chess.Status.TOO_MANY_WHITE_PIECES: "White has too many pieces",
    chess.Status.TOO_MANY_BLACK_PIECES: "Black has too many pieces",
    chess.Status.TOO_MANY_WHITE_PAWNS: "White has too many pawns",
    chess.Status.TOO_MANY_BLACK_PAWNS: "Black has too many pawns",
}
_COUNTER: Final = re.compile(r"[0-9]{1,4}")


_Board = TypeVar("_Board", bound=GameBoard)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessRules(Rules):
    """Rules with a limit on the turns of both sides together; 0 means no limit."""

    turns: int = 0

    first: ClassVar[Color] = WHITE

    def __post_init__(self) -> None:
        if not isinstance(self.turns, int) or isinstance(self.turns, bool) or self.turns < 0:
            raise ValueError(f"turns is a whole number, 0 for no limit, not {self.turns!r}")


def set_position(board: _Board, text: str, *, turn_limit: int) -> _Board:
    """Set `board` to the position `text` and return it; raises `BadPosition` with the reason."""
    board.turn_limit = turn_limit
    fields = text.split() if isinstance(text, str) else []
    if len(fields) != 6:
        raise BadPosition("a position has six fields: board, side, castling, en passant, clock, move number")
    if not (_COUNTER.fullmatch(fields[4]) and _COUNTER.fullmatch(fields[5])):
        raise BadPosition(f"clock and move number are numbers below 10000, not {fields[4]!r} and {fields[5]!r}")
    if int(fields[5]) < 1:
        raise BadPosition("the move number starts at 1")
    try:
        board.set_fen(text)
    except ValueError as error:
        raise BadPosition(str(error)) from error
    status = board.status()
    if status:
        raise BadPosition("; ".join(message for problem, message in _PROBLEMS.items() if status & problem))
    return board
