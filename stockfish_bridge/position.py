"""Checks that a position is valid: engines crash on positions that are not."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import chess

from games.base import BLACK, WHITE
from stockfish_bridge.errors import BrokenPosition

__all__ = ["check_position", "position_problem"]

_COLORS: Final = {WHITE: "White", BLACK: "Black"}
_COUNTER: Final = re.compile(r"[0-9]{1,5}")
_ROW: Final = re.compile(r"(?:[1-8](?![1-8])|[pnbrqkPNBRQK])+")
#: The network of an 8x8 engine cannot hold more pieces of one colour.
_MOST_PIECES: Final = 16


@dataclass(frozen=True, slots=True)
class _Form:
    """A board size, and where each castling letter needs king and rook."""

    files: int
    ranks: int
    castling: Mapping[str, tuple[chess.Square, chess.Square]]
    has_en_passant: bool


_FORMS: Final = {
    8: _Form(
        8,
        8,
        {
            "K": (chess.E1, chess.H1),
            "Q": (chess.E1, chess.A1),
            "k": (chess.E8, chess.H8),
            "q": (chess.E8, chess.A8),
        },
        has_en_passant=True,
    ),
    5: _Form(4, 5, {"Q": (chess.D1, chess.A1), "k": (chess.A5, chess.D5)}, has_en_passant=False),
}


@dataclass(frozen=True, slots=True)
class _Position:
    """The fields of a FEN."""

    form: _Form
    board: chess.BaseBoard
    turn: chess.Color
    castling: str
    en_passant: str


def check_position(text: str) -> None:
    """Raise `BrokenPosition` if this FEN must not be sent to an engine."""
    problem = position_problem(text)
    if problem:
        raise BrokenPosition(f"cannot send {text!r} to an engine: {problem}")


def position_problem(text: str) -> str:
    """What is wrong with a FEN of 8x8 or 4x5 squares, in one line; empty if it is valid."""
    fields = text.split()
    if len(fields) != 6:
        return f"a position has six fields, not {len(fields)}"
    rows = fields[0].split("/")
    form = _FORMS.get(len(rows))
    if form is None:
        return f"a board has 8 ranks, or 5 in microchess, not {len(rows)}"
    problem = _row_problem(rows, form) or _field_problem(fields)
    if problem:
        return problem
    position = _Position(form, _board(rows), fields[1] == "w", fields[2], fields[3])
    return next((problem for check in _CHECKS for problem in check(position)), "")


def _row_problem(rows: Sequence[str], form: _Form) -> str:
    for number, row in zip(reversed(range(form.ranks)), rows, strict=True):
        if not _ROW.fullmatch(row):
            return f"rank {number + 1} is not written with pieces and digits"
        width = sum(int(symbol) if symbol.isdigit() else 1 for symbol in row)
        if width != form.files:
            return f"rank {number + 1} has {width} squares instead of {form.files}"
    return ""


def _field_problem(fields: Sequence[str]) -> str:
    if fields[1] not in {"w", "b"}:
        return "the side to move is neither w nor b"
    if not (_COUNTER.fullmatch(fields[4]) and _COUNTER.fullmatch(fields[5])):
        return "halfmove clock and move number are not numbers"
    return ""


def _board(rows: Sequence[str]) -> chess.BaseBoard:
    board = chess.BaseBoard(None)
    for rank, row in zip(reversed(range(len(rows))), rows, strict=True):
        squares = re.sub("[1-8]", lambda number: "." * int(number[0]), row)
        for file, symbol in enumerate(squares):
            if symbol != ".":
                board.set_piece_at(chess.square(file, rank), chess.Piece.from_symbol(symbol))
    return board


def _kings(position: _Position) -> Iterator[str]:
    for color, name in _COLORS.items():
        kings = len(position.board.pieces(chess.KING, color))
        if kings != 1:
            yield f"{name} has no king" if kings == 0 else f"{name} has {kings} kings"


def _pieces(position: _Position) -> Iterator[str]:
    for color, name in _COLORS.items():
        pieces = chess.popcount(position.board.occupied_co[color])
        if pieces > _MOST_PIECES:
            yield f"{name} has {pieces} pieces, more than {_MOST_PIECES}"


def _pawns(position: _Position) -> Iterator[str]:
    for rank in (1, position.form.ranks):
        if position.board.pawns & chess.BB_RANKS[rank - 1]:
            yield f"a pawn stands on rank {rank}"


def _is_chess960(position: _Position) -> bool:
    """Whether the castling letters are those of a position of Chess960."""
    board = chess.Board(None, chess960=True)
    board.set_piece_map(position.board.piece_map())
    try:
        board._set_castling_fen(position.castling)
    except ValueError:
        return False
    rights = board.clean_castling_rights()
    return board.castling_rights == rights and rights.bit_count() == len(position.castling)


def _castling(position: _Position) -> Iterator[str]:
    letters, board = position.castling, position.board
    if letters == "-" or (position.form.has_en_passant and _is_chess960(position)):
        return
    if len(set(letters)) != len(letters):
        yield f"castling letters are repeated: {letters}"
    for letter in letters:
        squares = position.form.castling.get(letter)
        if squares is None:
            yield f"there is no castling letter {letter!r}"
            return
        color = letter.isupper()
        king, rook = squares
        if board.piece_at(king) != chess.Piece(chess.KING, color):
            yield f"castling letter {letter} without the king on {chess.square_name(king)}"
        if board.piece_at(rook) != chess.Piece(chess.ROOK, color):
            yield f"castling letter {letter} without the rook on {chess.square_name(rook)}"


def _en_passant(position: _Position) -> Iterator[str]:
    if position.en_passant == "-":
        return
    if not position.form.has_en_passant:
        yield "there is no en passant in microchess"
        return
    if not re.fullmatch("[a-h][36]", position.en_passant):
        yield f"there is no en passant square {position.en_passant!r}"
        return
    square = chess.parse_square(position.en_passant)
    forward = 8 if position.turn == WHITE else -8
    board, pawn = position.board, chess.Piece(chess.PAWN, not position.turn)
    crossed = chess.BB_SQUARES[square] | chess.BB_SQUARES[square + forward]
    is_behind = chess.square_rank(square) == (5 if position.turn == WHITE else 2)
    if not is_behind or board.piece_at(square - forward) != pawn or board.occupied & crossed:
        yield f"no pawn has just passed the en passant square {position.en_passant}"


def _check(position: _Position) -> Iterator[str]:
    king = position.board.king(not position.turn)
    if king is not None and position.board.is_attacked_by(position.turn, king):
        yield "the side not to move is in check"


#: In this order: later checks rely on earlier ones. On the squares a1 to d5 pieces attack each other as on the whole
#: board, so one check for attacks on the king serves both sizes.
_CHECKS: Final[tuple[Callable[[_Position], Iterator[str]], ...]] = (
    _kings, _pieces, _pawns, _castling, _en_passant, _check,
)  # fmt: skip
