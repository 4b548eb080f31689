"""Castling in microchess: each side has one castling move, on the 4x5 corner of a `chess.Board`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import chess

from games._board import GameBoard
from games._microfen import check_fields

__all__ = ["CASTLING", "Castling", "CastlingBoard"]


@dataclass(frozen=True, slots=True)
class Castling:
    """The only castling move of a colour. The king crosses the square on which the rook lands."""

    king: chess.Square
    king_to: chess.Square
    rook: chess.Square
    rook_to: chess.Square


CASTLING: Final = {
    chess.WHITE: Castling(chess.D1, chess.B1, chess.A1, chess.C1),
    chess.BLACK: Castling(chess.A5, chess.C5, chess.D5, chess.B5),
}


class CastlingBoard(GameBoard):
    """A board whose `castling_rights` hold the square of the rook: a1 for White, d5 for Black."""

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """The castling move of the side to move, if it is legal."""
        castling = CASTLING[self.turn]
        asked = chess.BB_SQUARES[castling.king] & from_mask and chess.BB_SQUARES[castling.king_to] & to_mask
        if asked and self._may_castle():
            yield chess.Move(castling.king, castling.king_to)

    def _may_castle(self) -> bool:
        castling = CASTLING[self.turn]
        if not self.clean_castling_rights() & chess.BB_SQUARES[castling.rook]:
            return False
        if chess.between(castling.king, castling.rook) & self.occupied:
            return False
        others = self.occupied ^ chess.BB_SQUARES[castling.king]
        path = (castling.king, castling.rook_to, castling.king_to)
        return not any(self.attackers_mask(not self.turn, square, others) for square in path)

    def _from_chess960(
        self,
        chess960: bool,  # noqa: ARG002
        from_square: chess.Square,
        to_square: chess.Square,
        promotion: chess.PieceType | None = None,
        drop: chess.PieceType | None = None,
    ) -> chess.Move:
        castling = CASTLING[self.turn]
        if (from_square, to_square) == (castling.king, castling.rook) and self.has_castling_rights(self.turn):
            to_square = castling.king_to
        return chess.Move(from_square, to_square, promotion, drop)

    def _to_chess960(self, move: chess.Move) -> chess.Move:
        return move

    def clean_castling_rights(self) -> chess.Bitboard:
        """The castling rights whose king and rook are in place."""
        if not self.castling_rights:
            return chess.BB_EMPTY
        return sum(
            chess.BB_SQUARES[castling.rook]
            for color, castling in CASTLING.items()
            if self.castling_rights & self.rooks & self.occupied_co[color] & chess.BB_SQUARES[castling.rook]
            and self.kings & self.occupied_co[color] & chess.BB_SQUARES[castling.king]
        )

    def has_castling_rights(self, color: chess.Color) -> bool:
        """Whether king and rook of this colour have not moved."""
        return bool(self.clean_castling_rights() & chess.BB_SQUARES[CASTLING[color].rook])

    def has_kingside_castling_rights(self, color: chess.Color) -> bool:
        """Black castles towards the d-file, written k and O-O."""
        return color == chess.BLACK and self.has_castling_rights(color)

    def has_queenside_castling_rights(self, color: chess.Color) -> bool:
        """White castles towards the a-file, written Q and O-O-O."""
        return color == chess.WHITE and self.has_castling_rights(color)

    def has_chess960_castling_rights(self) -> bool:
        """Always False: microchess has its own castling moves."""
        return False

    def castling_xfen(self) -> str:
        """The castling field of a FEN: Q for White, k for Black."""
        letters = zip("Qk", (chess.WHITE, chess.BLACK), strict=True)
        return "".join(letter for letter, color in letters if self.has_castling_rights(color)) or "-"

    def castling_shredder_fen(self) -> str:
        """The castling field by the rooks' files: A for White, d for Black."""
        return self.castling_xfen().translate({ord("Q"): "A", ord("k"): "d"})

    def _set_castling_fen(self, castling_fen: str) -> None:
        check_fields(castling=castling_fen, en_passant="-")
        self.castling_rights = sum(
            chess.BB_SQUARES[CASTLING[letter.isupper()].rook] for letter in castling_fen if letter != "-"
        )

    def _reduces_castling_rights(self, move: chess.Move) -> bool:
        touched = {move.from_square, move.to_square}
        return any(
            self.has_castling_rights(color) and touched & {castling.king, castling.rook}
            for color, castling in CASTLING.items()
        )
