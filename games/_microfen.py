"""The text of microchess positions: a FEN of five ranks of four squares, or the same padded to 8x8."""

import re
from collections.abc import Mapping
from typing import Final

import chess

__all__ = ["check_fields", "cropped", "pieces"]

_CASTLING: Final = re.compile(r"-|[KQ]|[kq]|[KQ][kq]")
#: The number of ranks, with the number of squares in each.
_SIZES: Final = {5: 4, 8: 8}


def pieces(board: str) -> dict[chess.Square, chess.Piece]:
    """The pieces of the board field, 4x5 or padded; raises `ValueError` with the reason."""
    rows = board.split("/")
    if len(rows) not in _SIZES:
        raise ValueError(f"a board has 5 ranks of 4 squares (or 8 of 8), not {len(rows)} ranks: {board!r}")
    found: dict[chess.Square, chess.Piece] = {}
    for rank, row in zip(reversed(range(len(rows))), rows, strict=True):
        for file, symbol in enumerate(_expanded(row, width=_SIZES[len(rows)])):
            if symbol == ".":
                continue
            if file > 3 or rank > 4:
                raise ValueError(f"a piece stands outside the squares a1 to d5: {board!r}")
            found[chess.square(file, rank)] = chess.Piece.from_symbol(symbol)
    return found


def _expanded(row: str, *, width: int) -> str:
    if not re.fullmatch(r"(?:[1-8](?![1-8])|[pnbrqkPNBRQK])+", row):
        raise ValueError(f"a rank is written with pieces (pnbrqk) and numbers of empty squares, not {row!r}")
    squares = re.sub(r"[1-8]", lambda number: "." * int(number[0]), row)
    if len(squares) != width:
        raise ValueError(f"the rank {row!r} has {len(squares)} squares instead of {width}")
    return squares


def cropped(board: Mapping[chess.Square, chess.Piece]) -> str:
    """The board field of the 4x5 form."""
    rows = (
        "".join(board[square].symbol() if square in board else "." for square in range(8 * rank, 8 * rank + 4))
        for rank in reversed(range(5))
    )
    return "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows)


def check_fields(*, castling: str, en_passant: str) -> None:
    """Raise `ValueError` unless these are valid fields of a microchess FEN."""
    if not _CASTLING.fullmatch(castling):
        raise ValueError(f"castling is written Q, k, Qk or - (K and q are read too), not {castling!r}")
    if en_passant != "-":
        raise ValueError(f"there is no en passant in microchess: write -, not {en_passant!r}")
