"""The value of a chess position by material, squares, mobility, king safety and pawns: the twin of the C++ header.

The value is a sum of counts times weights. Every weight is a pair: for the middlegame and for the endgame. The pieces
that are left say how much either counts. `chess_weights.json` has the weights and how they were found:
`python -P -m agents.alphabeta.tune` fits them to games of the search against itself.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["WEIGHTS_FILE", "WHOLE_PHASE", "Counts", "chess_lead", "chess_weights", "counts"]

#: The weights of each group, and under `rounds` how they were found.
WEIGHTS_FILE: Final = Path(__file__).parent / "chess_weights.json"
#: The phase of the start position.
WHOLE_PHASE: Final = 24

_Weight: TypeAlias = tuple[str, int]

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = range(1, 7)
_NAMES: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
_WHITE: Final = True
_PHASE: Final = (0, 0, 1, 1, 2, 4, 0)
_ALL, _A_FILE, _H_FILE = 2**64 - 1, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080


class Counts(NamedTuple):
    """How often each weight counts for White, less how often for Black, and what the sum is worth."""

    weights: Mapping[_Weight, int]
    #: From 0, the endgame, to `WHOLE_PHASE`, the middlegame.
    phase: int
    #: Whether neither side has what it needs to win with a small lead, if White or Black is ahead.
    drawish: Mapping[bool, bool]


@cache
def chess_weights() -> Mapping[str, Sequence[tuple[int, int]]]:
    """The weights of each group, in hundredths of a pawn: for the middlegame and for the endgame."""
    stored = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"]
    return {group: [(middle, end) for middle, end in pairs] for group, pairs in stored.items()}


def chess_lead(board: Any) -> int:
    """How far the side to move is ahead, in hundredths of a pawn."""
    weights, (found, phase, drawish) = chess_weights(), counts(board)
    middle = sum(weights[group][index][0] * times for (group, index), times in found.items())
    end = sum(weights[group][index][1] * times for (group, index), times in found.items())
    balance = _divided(middle * phase + end * (WHOLE_PHASE - phase), WHOLE_PHASE)
    if drawish[balance > 0]:
        balance = _divided(balance, 4)
    return balance if board.turn == _WHITE else -balance


def counts(board: Any) -> Counts:
    """What the value of a position is made of."""
    found = Counter[_Weight]()
    for color in (_WHITE, not _WHITE):
        sign = 1 if color == _WHITE else -1
        for weight, times in _side(board, color):
            found[weight] += sign * times
    found["tempo", 0] = 1 if board.turn == _WHITE else -1
    pieces = board.occupied & ~board.pawns
    phase = sum(worth * (mask & pieces).bit_count() for worth, mask in zip(_PHASE[2:6], _kinds(board)[1:], strict=True))
    # Without pawns a small lead does not win.
    drawish = {
        color: not board.pawns & board.occupied_co[color] and _worth(board, color) - _worth(board, not color) < 4
        for color in (True, False)
    }
    return Counts(found, min(phase, WHOLE_PHASE), drawish)


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


def _place(piece: int, color: bool, square: int) -> _Weight:
    """A piece on a square, as its side sees the board; both wings are the same."""
    rank, file = divmod(_seen(color, square), 8)
    return _NAMES[piece], 4 * rank + min(file, 7 - file)


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


def _side(board: Any, color: bool) -> Iterator[tuple[_Weight, int]]:
    """What one side has."""
    own, king, other_king = board.occupied_co[color], board.king(color), board.king(not color)
    hit = _pawn_attacks(board, not color)
    zone = board.attacks_mask(other_king) | 1 << other_king
    attackers, attacked = 0, Counter[int]()
    for piece, mask in enumerate(_kinds(board)[1:], start=_KNIGHT):
        for square in _squares(mask & own):
            reached = board.attacks_mask(square)
            yield _place(piece, color, square), 1
            yield (f"{_NAMES[piece]}_mobility", (reached & ~own & ~hit).bit_count()), 1
            attackers += bool(reached & zone)
            attacked[piece] += (reached & zone).bit_count()
            column = _column(square % 8)
            if piece == _ROOK and not board.pawns & own & column:
                yield ("half_open_file" if board.pawns & column else "open_file", 0), 1
    # One attacker alone is harmless, and each further one counts more.
    if attackers >= 2:
        for piece, reached_squares in attacked.items():
            yield (f"{_NAMES[piece]}_attack", 0), attackers * reached_squares
    yield ("hit_by_pawn", 0), (hit & own & ~board.pawns & ~board.kings).bit_count()
    yield ("bishop_pair", 0), int((board.bishops & own).bit_count() >= 2)
    yield _place(_KING, color, king), 1
    yield from _king_safety(board, color, king)
    yield from _pawns(board, color)


def _pawns(board: Any, color: bool) -> Iterator[tuple[_Weight, int]]:
    own, other = (board.pawns & board.occupied_co[side] for side in (color, not color))
    guarded = _pawn_attacks(board, color)
    for square in _squares(own):
        file, ahead = square % 8, _ahead(color, square)
        yield _place(_PAWN, color, square), 1
        if own & ahead & _column(file):
            yield ("doubled", 0), 1
        elif not other & ahead:
            yield from _passed(board, color, square)
        if not own & _beside(file):
            yield ("isolated", 0), 1
        if guarded >> square & 1:
            yield ("guarded", 0), 1


def _passed(board: Any, color: bool, square: int) -> Iterator[tuple[_Weight, int]]:
    """A passed pawn: the far king of the other side makes it stronger, a piece on its next square weaker."""
    rank = _seen(color, square) // 8
    following = square + 8 if color == _WHITE else square - 8
    yield ("blocked" if board.occupied_co[not color] >> following & 1 else "passed", rank), 1
    ahead = _steps(board.king(not color), following) - _steps(board.king(color), following)
    yield ("passed_king", 0), ahead * rank


def _steps(one: int, other: int) -> int:
    return max(abs(one % 8 - other % 8), abs(one // 8 - other // 8))


def _king_safety(board: Any, color: bool, king: int) -> Iterator[tuple[_Weight, int]]:
    """The pawns that are missing before the king."""
    own = board.pawns & board.occupied_co[color]
    yield ("missing_shield", 0), max(0, 3 - (own & _shield(color, king)).bit_count())
    files = range(max(0, king % 8 - 1), min(7, king % 8 + 1) + 1)
    yield ("open_near_king", 0), sum(not own & _column(file) for file in files)
