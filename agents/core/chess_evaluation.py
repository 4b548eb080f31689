"""The value of a chess position by material, squares, mobility, king safety and pawns: the twin of the C++ header.

Every count is a pair: for the middlegame and for the endgame. The pieces that are left say how much either counts.
"""

from functools import cache
from typing import Any, Final, TypeAlias

__all__ = ["chess_lead"]

_Pair: TypeAlias = tuple[int, int]

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = range(1, 7)
_WHITE: Final = True
_PIECE: Final = ((0, 0), (88, 118), (330, 305), (345, 325), (485, 545), (1000, 1010), (0, 0))
#: For each square that a piece reaches beyond the usual number.
_MOBILITY: Final = {_KNIGHT: ((4, 4), 4), _BISHOP: ((4, 5), 6), _ROOK: ((2, 4), 7), _QUEEN: ((1, 3), 13)}
_PASSED: Final = ((0, 0), (2, 8), (6, 14), (12, 30), (28, 58), (55, 100), (90, 160), (0, 0))
_BISHOP_PAIR, _DOUBLED, _ISOLATED, _GUARDED = (28, 46), (-8, -18), (-11, -13), (5, 5)
_OPEN_FILE, _HALF_OPEN_FILE = (22, 9), (10, 6)
_TEMPO, _MISSING_SHIELD, _OPEN_NEAR_KING = 12, 14, 12
_ATTACK: Final = {_KNIGHT: 2, _BISHOP: 2, _ROOK: 3, _QUEEN: 5}
_PHASE: Final = {_KNIGHT: 1, _BISHOP: 1, _ROOK: 2, _QUEEN: 4}
_WHOLE_PHASE: Final = 24
_PAWN_FILES, _KING_FILES = (-6, -3, 2, 10, 10, 0, -2, -6), (12, 28, 14, -10, -4, -8, 30, 18)
_ALL, _A_FILE, _H_FILE = 2**64 - 1, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080


def chess_lead(board: Any) -> int:
    """How far the side to move is ahead, in hundredths of a pawn."""
    sides = {color: _side(board, color) for color in (True, False)}
    phase = min(sides[True][2] + sides[False][2], _WHOLE_PHASE)
    middle, end = (sides[True][part] - sides[False][part] for part in (0, 1))
    balance = _divided(middle * phase + end * (_WHOLE_PHASE - phase), _WHOLE_PHASE)
    ahead = balance > 0
    # Without pawns a small lead does not win.
    if not board.pawns & board.occupied_co[ahead] and _worth(board, ahead) - _worth(board, not ahead) < 4:
        balance = _divided(balance, 4)
    return (balance if board.turn == _WHITE else -balance) + _TEMPO


def _divided(number: int, by: int) -> int:
    """The quotient, rounded towards 0."""
    return number // by if number >= 0 else -(-number // by)


def _worth(board: Any, color: bool) -> int:
    own = board.occupied_co[color]
    pieces = zip((1, 3, 3, 5, 10), _kinds(board), strict=True)
    return sum(worth * (mask & own).bit_count() for worth, mask in pieces)


def _kinds(board: Any) -> tuple[int, ...]:
    return board.pawns, board.knights, board.bishops, board.rooks, board.queens


def _squares(mask: int) -> list[int]:
    return [square for square in range(64) if mask >> square & 1]


def _seen(color: bool, square: int) -> int:
    return square if color == _WHITE else square ^ 56


@cache
def _place(piece: int, square: int) -> _Pair:
    """What a piece is worth on a square, as White sees the board."""
    file, rank = square % 8, square // 8
    far = (abs(2 * file - 7) + abs(2 * rank - 7)) // 2  # from the centre: 1 to 7
    middle, end = {
        _PAWN: (_divided(rank * _PAWN_FILES[file], 3) + (rank - 1) * 2, (rank - 1) * 5),
        _KNIGHT: (32 - 9 * far - (6 if rank == 0 else 0), 22 - 8 * far),
        _BISHOP: (16 - 4 * far - (8 if rank == 0 else 0), 10 - 3 * far),
        _ROOK: ((14 if rank == 6 else 0) + 6 - abs(2 * file - 7), 16 if rank == 6 else 0),
        _QUEEN: (6 - 2 * far, 20 - 5 * far),
        _KING: (_KING_FILES[file] - (12 + 14 * rank if rank else 0), 44 - 12 * far),
    }[piece]
    return _PIECE[piece][0] + middle, _PIECE[piece][1] + end


def _column(file: int) -> int:
    return _A_FILE << file if 0 <= file < 8 else 0


def _beside(file: int) -> int:
    return _column(file - 1) | _column(file + 1)


@cache
def _ahead(color: bool, square: int) -> int:
    """The squares before a pawn and beside these, up to the last rank."""
    file, rank = square % 8, square // 8
    above = _ALL << 8 * (rank + 1) & _ALL if color == _WHITE else (1 << 8 * rank) - 1
    return (_column(file) | _beside(file)) & above


@cache
def _shield(color: bool, square: int) -> int:
    """The two ranks of these squares that are next to a king."""
    rank = square // 8
    near = (1 << 8 * min(rank + 3, 8)) - 1 if color == _WHITE else _ALL << 8 * max(rank - 2, 0) & _ALL
    return _ahead(color, square) & near


def _pawn_attacks(board: Any, color: bool) -> int:
    pawns: int = board.pawns & board.occupied_co[color]
    left, right = pawns & ~_A_FILE, pawns & ~_H_FILE
    return (left << 7 | right << 9) & _ALL if color == _WHITE else left >> 9 | right >> 7


def _side(board: Any, color: bool) -> tuple[int, int, int]:
    """What one side has, in the middlegame and in the endgame, and its share of the phase."""
    pairs = _pawns(board, color)
    phase = attackers = attack = 0
    own = board.occupied_co[color]
    free = ~own & ~_pawn_attacks(board, not color)
    king, other_king = board.king(color), board.king(not color)
    zone = board.attacks_mask(other_king) | 1 << other_king
    for piece, mask in enumerate(_kinds(board)[1:], start=_KNIGHT):
        for square in _squares(mask & own):
            reached = board.attacks_mask(square)
            (middle, end), usual = _MOBILITY[piece]
            more = (reached & free).bit_count() - usual
            pairs += [_place(piece, _seen(color, square)), (middle * more, end * more)]
            if reached & zone:
                attackers += 1
                attack += _ATTACK[piece] * (reached & zone).bit_count()
            column = _column(square % 8)
            if piece == _ROOK and not board.pawns & own & column:
                pairs.append(_HALF_OPEN_FILE if board.pawns & column else _OPEN_FILE)
            phase += _PHASE[piece]
    if (board.bishops & own).bit_count() >= 2:
        pairs.append(_BISHOP_PAIR)
    # One attacker alone is harmless, and each further one counts more.
    danger = min(2 * attack * attackers, 400) if attackers >= 2 else 0
    pairs += [(danger - _weakness(board, color, king), 0), _place(_KING, _seen(color, king))]
    return sum(middle for middle, _ in pairs), sum(end for _, end in pairs), phase


def _pawns(board: Any, color: bool) -> list[_Pair]:
    own, other = (board.pawns & board.occupied_co[side] for side in (color, not color))
    guarded = _pawn_attacks(board, color)
    found: list[_Pair] = []
    for square in _squares(own):
        file, ahead = square % 8, _ahead(color, square)
        found.append(_place(_PAWN, _seen(color, square)))
        if own & ahead & _column(file):
            found.append(_DOUBLED)
        elif not other & ahead:
            found.append(_passed(board, color, square))
        if not own & _beside(file):
            found.append(_ISOLATED)
        if guarded >> square & 1:
            found.append(_GUARDED)
    return found


def _passed(board: Any, color: bool, square: int) -> _Pair:
    """A passed pawn is worth more if the other king is far from its next square, less if something stands there."""
    rank = _seen(color, square) // 8
    middle, end = _PASSED[rank]
    following = square + 8 if color == _WHITE else square - 8
    end += (_steps(board.king(not color), following) - _steps(board.king(color), following)) * rank * 2
    if board.occupied_co[not color] >> following & 1:
        return _divided(middle, 2), _divided(end, 2)
    return middle, end


def _steps(one: int, other: int) -> int:
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))


def _weakness(board: Any, color: bool, king: int) -> int:
    """Of the pawns before the king."""
    own = board.pawns & board.occupied_co[color]
    missing: int = max(0, 3 - (own & _shield(color, king)).bit_count())
    opened: int = sum(not own & _column(file) for file in range(max(0, king % 8 - 1), min(7, king % 8 + 1) + 1))
    return missing * _MISSING_SHIELD + opened * _OPEN_NEAR_KING
