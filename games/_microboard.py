"""The 4x5 board of microchess: the moves of pieces on the squares a1 to d5 of a `chess.Board`."""

from collections.abc import Iterator
from typing import ClassVar, Final

import chess

from games._microcastling import CASTLING, CastlingBoard
from games._microfen import check_fields, pieces

__all__ = ["START", "MicroBoard"]

START: Final = "knbr/p3/4/3P/RBNK w Qk - 0 1"

_BOARD: Final = 0x0F_0F_0F_0F_0F
_PROMOTING: Final = chess.BB_RANK_1 | chess.BB_RANK_5
_PROMOTIONS: Final = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
_PAWN_STEP: Final = {chess.WHITE: 8, chess.BLACK: -8}
_PAWN_START: Final = {chess.WHITE: chess.BB_RANK_2, chess.BLACK: chess.BB_RANK_4}
#: A set-up position need not be reachable in a game, so these problems are allowed.
_ALLOWED: Final = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK


class MicroBoard(CastlingBoard):
    """Positions and moves of microchess: a board of python-chess limited to 4x5 squares."""

    aliases: ClassVar[list[str]] = ["Microchess"]
    uci_variant: ClassVar[str | None] = "arenamicro"
    xboard_variant: ClassVar[str | None] = None
    tbw_suffix: ClassVar[str | None] = None
    tbz_suffix: ClassVar[str | None] = None
    tbw_magic: ClassVar[bytes | None] = None
    tbz_magic: ClassVar[bytes | None] = None
    # The short form, unlike `fen()`: so a PGN of the start position carries SetUp beside FEN.
    starting_fen: ClassVar[str] = START

    files: ClassVar[int] = 4
    ranks: ClassVar[int] = 5

    def __init__(self, fen: str | None = START, *, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    @property
    def color(self) -> chess.Color:
        """Whose move it is; the earlier platform used this name."""
        return self.turn

    def reset(self) -> None:
        """Set the start position."""
        self.set_fen(START)

    def reset_board(self) -> None:
        """Set the pieces on their start squares."""
        self.set_board_fen(START.split()[0])

    def set_fen(self, fen: str) -> None:
        """Set a position, written as 4x5 or padded FEN; raises `ValueError`."""
        fields = [*fen.split()[2:4], "-", "-"]
        check_fields(castling=fields[0], en_passant=fields[1])
        super().set_fen(fen)

    def _set_board_fen(self, fen: str) -> None:
        self._set_piece_map(pieces(fen.strip()))

    def attacks_mask(self, square: chess.Square) -> chess.Bitboard:
        """The squares of the 4x5 board that the piece on `square` attacks."""
        return super().attacks_mask(square) & _BOARD

    def attackers_mask(
        self, color: chess.Color, square: chess.Square, occupied: chess.Bitboard | None = None
    ) -> chess.Bitboard:
        """The pieces of `color` that attack `square`; squares off the 4x5 board are never attacked."""
        return super().attackers_mask(color, square, occupied) if chess.BB_SQUARES[square] & _BOARD else chess.BB_EMPTY

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """All moves, without regard to the safety of the king; castling only if it is legal."""
        for square in chess.scan_forward(self.occupied_co[self.turn] & from_mask):
            yield from self._moves(square, self._targets(square) & to_mask)

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """All legal moves of the position, even if the game is over by another rule."""
        king = self.king(self.turn)
        if king is None:  # a board that is being set up
            yield from self.generate_pseudo_legal_moves(from_mask, to_mask)
            return
        answers, pinned = self._answers(king), self._slider_blockers(king)
        for square in chess.scan_forward(self.occupied_co[self.turn] & from_mask):
            targets = self._targets(square) & to_mask
            if square == king:
                targets = self._safe(king, targets)
            else:
                targets &= answers
                if pinned & chess.BB_SQUARES[square]:
                    targets &= chess.ray(king, square)
            if targets:
                yield from self._moves(square, targets)

    def _moves(self, square: chess.Square, targets: chess.Bitboard) -> Iterator[chess.Move]:
        promotes = chess.BB_SQUARES[square] & self.pawns and _PROMOTING
        for target in chess.scan_forward(targets):
            if promotes & chess.BB_SQUARES[target]:
                for piece_type in _PROMOTIONS:
                    yield chess.Move(square, target, piece_type)
            else:
                yield chess.Move(square, target)

    def _answers(self, king: chess.Square) -> chess.Bitboard:
        """The squares other pieces may move to: all, those that stop a single check, or none against two checks."""
        checkers = self.attackers_mask(not self.turn, king)
        if not checkers:
            return chess.BB_ALL
        checker = chess.msb(checkers)
        return chess.between(king, checker) | checkers if chess.BB_SQUARES[checker] == checkers else chess.BB_EMPTY

    def _safe(self, king: chess.Square, targets: chess.Bitboard) -> chess.Bitboard:
        # Without the king: it must not block attacks on the squares behind it.
        others = self.occupied ^ chess.BB_SQUARES[king]
        for square in chess.scan_forward(targets):
            if self.attackers_mask(not self.turn, square, others):
                targets ^= chess.BB_SQUARES[square]
        return targets

    def _targets(self, square: chess.Square) -> chess.Bitboard:
        piece = chess.BB_SQUARES[square]
        if piece & self.pawns:
            return self._pawn_targets(square)
        targets = self.attacks_mask(square) & ~self.occupied_co[self.turn]
        if piece & self.kings and self._may_castle():
            targets |= chess.BB_SQUARES[CASTLING[self.turn].king_to]
        return targets

    def _pawn_targets(self, square: chess.Square) -> chess.Bitboard:
        step = _PAWN_STEP[self.turn]
        steps = chess.BB_SQUARES[square + step] & ~self.occupied
        if steps and chess.BB_SQUARES[square] & _PAWN_START[self.turn]:
            steps |= chess.BB_SQUARES[square + 2 * step] & ~self.occupied
        captures = chess.BB_PAWN_ATTACKS[self.turn][square] & self.occupied_co[not self.turn]
        return (steps | captures) & _BOARD

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        """Whether the move is legal without regard to the safety of the king."""
        plain = self.canonical(move)
        from_mask, to_mask = chess.BB_SQUARES[plain.from_square], chess.BB_SQUARES[plain.to_square]
        return plain in self.generate_pseudo_legal_moves(from_mask, to_mask)

    def is_legal(self, move: chess.Move) -> bool:
        """Whether the move is legal in the position, even if the game is over by another rule."""
        plain = self.canonical(move)
        from_mask, to_mask = chess.BB_SQUARES[plain.from_square], chess.BB_SQUARES[plain.to_square]
        return plain in self.generate_legal_moves(from_mask, to_mask)

    def find_move(
        self, from_square: chess.Square, to_square: chess.Square, promotion: chess.PieceType | None = None
    ) -> chess.Move:
        """The legal move between two squares; a pawn promotes to a queen unless another piece is given."""
        if chess.BB_SQUARES[from_square] & self.pawns and chess.BB_SQUARES[to_square] & _PROMOTING:
            promotion = promotion or chess.QUEEN
        return super().find_move(from_square, to_square, promotion)

    def push(self, move: chess.Move) -> None:
        """Make a move that is at least pseudo-legal, or a null move; after `IllegalMove` the board is unchanged."""
        if not isinstance(move, chess.Move) or not (move == chess.Move.null() or self._is_possible(move)):
            raise self._refused(move)
        self._make(self.canonical(move))

    def _make(self, move: chess.Move) -> None:
        castles = self.is_castling(move)
        super()._make(move)
        if castles:
            castling = CASTLING[not self.turn]
            self._remove_piece_at(castling.rook)
            self._set_piece_at(castling.rook_to, chess.ROOK, not self.turn)
        # python-chess assumes rank 8 when a black king moves, and en passant after every double step.
        self.castling_rights = self.clean_castling_rights()
        self.ep_square = None

    def _is_possible(self, move: chess.Move) -> bool:
        try:
            return self.is_pseudo_legal(move)
        except (IndexError, TypeError):  # squares outside the board
            return False

    def status(self) -> chess.Status:
        """The problems of a position that was set up by hand."""
        status = super().status() & ~_ALLOWED
        return status | chess.STATUS_PAWNS_ON_BACKRANK if self.pawns & _PROMOTING else status

    def _valid_ep_square(self) -> chess.Square | None:
        return None

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position occurred `count` times since the last capture or pawn move."""
        since = self._stack[-self.halfmove_clock :] if self.halfmove_clock else []
        alike = [state for state in since if state.occupied == self.occupied]
        if len(alike) < count - 1:
            return False
        now = chess._BoardState(self)
        return sum(_same_position(now, state) for state in alike) >= count - 1

    def apply_mirror(self) -> None:
        """Swap the colours and rotate the board by 180 degrees: the start position is symmetric in this way."""
        self.apply_transform(_rotated)
        self.occupied_co.reverse()
        self.turn = not self.turn


def _same_position(one: chess._BoardState, other: chess._BoardState) -> bool:
    parts = ("occupied_w", "occupied_b", "pawns", "knights", "bishops", "rooks", "queens", "turn", "castling_rights")
    return all(getattr(one, part) == getattr(other, part) for part in parts)


def _rotated(squares: chess.Bitboard) -> chess.Bitboard:
    # Rotating the 8x8 board by 180 degrees moves a1-d5 to e4-h8; the shift moves it back.
    return chess.flip_vertical(chess.flip_horizontal(squares)) >> 28
