"""The inputs of the learned value: which features of a position are active. The native search has the same ones.

Everything is seen by the side to move. In microchess Black sees the board turned by 180 degrees,
in chess mirrored.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.core.knowledge import game_of, material
from games.base import BLACK, WHITE

__all__ = ["FeatureSet", "feature_set"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureSet:
    """The features of one game and size of board, numbered from 0 to `size` - 1."""

    game: str
    size: int
    #: No position of a game from the start has more active features.
    most_active: int
    #: The numbers of the active features, ascending.
    active: Callable[[Any], list[int]]
    #: Each symmetry of the board as a table old number → new number; the first one changes nothing. The number `size`,
    #: which fills up lists, stays what it is.
    symmetries: Sequence[Sequence[int]]


def feature_set(state: Any) -> FeatureSet | None:
    """The features of the game of this state; None if it has none."""
    make = _GAMES.get(game_of(state, own=True))
    return None if make is None else make(state)


def _reached(limits: Sequence[int], number: int, first: int) -> list[int]:
    return [first + index for index, limit in enumerate(limits) if number >= limit]


def _no_symmetry(size: int) -> list[list[int]]:
    return [list(range(size + 1))]


# Microchess

_SQUARES: Final = 20
_PIECES: Final = 12 * _SQUARES
_SOONER: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 36, 54)
_WITHOUT_PROGRESS: Final = (24, 32, 40, 44, 47)
_REPETITIONS: Final = 3
_MOST_LEAD: Final = 12
_REPETITION_AT: Final = _PIECES + 2
_SOONER_AT: Final = _REPETITION_AT + _REPETITIONS
_PROGRESS_AT: Final = _SOONER_AT + len(_SOONER)
_LEAD_AT: Final = _PROGRESS_AT + len(_WITHOUT_PROGRESS)
_MICROCHESS_SIZE: Final = _LEAD_AT + 2 * _MOST_LEAD + 1


def _microchess(_state: Any) -> FeatureSet:
    most = 10 + _LEAD_AT - _PIECES + 1
    return FeatureSet(
        game="microchess", size=_MICROCHESS_SIZE, most_active=most, active=_microchess_active,
        symmetries=_no_symmetry(_MICROCHESS_SIZE),
    )  # fmt: skip


def _microchess_active(board: Any) -> list[int]:
    us = board.turn
    active = []
    for square, piece in board.piece_map().items():
        place = 4 * (square // 8) + square % 8  # python-chess numbers the squares of 8x8
        kind = piece.piece_type - 1 + (0 if piece.color == us else 6)
        active.append(_SQUARES * kind + (place if us == WHITE else _SQUARES - 1 - place))
    rights = {WHITE: "Q" in _castling(board), BLACK: "k" in _castling(board)}
    active += [_PIECES + index for index, side in enumerate((us, not us)) if rights[side]]
    active += _reached(range(2, 2 + _REPETITIONS), _occurrences(board), _REPETITION_AT)
    if board.turn_limit > 0:
        left = board.turn_limit - board.turns
        active += [_SOONER_AT + index for index, limit in enumerate(_SOONER) if left <= limit]
    active += _reached(_WITHOUT_PROGRESS, board.halfmove_clock, _PROGRESS_AT)
    lead = material(board, us) - material(board, not us)
    active.append(_LEAD_AT + _MOST_LEAD + max(-_MOST_LEAD, min(_MOST_LEAD, lead)))
    return sorted(active)


def _castling(board: Any) -> str:
    text: str = board.text.split()[2]
    return text


def _occurrences(board: Any) -> int:
    """How often the position occurred since the last capture or pawn move, this time included."""
    return next(times for times in (4, 3, 2, 1) if times == 1 or board.is_repetition(times))


# Chess

_CHESS_PIECES: Final = 12 * 64
_CHESS_SOONER: Final = (1, 2, 4, 8, 16, 32)
_CHESS_WITHOUT_PROGRESS: Final = (100, 120, 135, 145)
_CHESS_REPETITION_AT: Final = _CHESS_PIECES + 4
_CHESS_SOONER_AT: Final = _CHESS_REPETITION_AT + _REPETITIONS
_CHESS_PROGRESS_AT: Final = _CHESS_SOONER_AT + len(_CHESS_SOONER)
_CHESS_LEAD_AT: Final = _CHESS_PROGRESS_AT + len(_CHESS_WITHOUT_PROGRESS)
_CHESS_SIZE: Final = _CHESS_LEAD_AT + 2 * _MOST_LEAD + 1


def _chess(_state: Any) -> FeatureSet:
    most = 32 + _CHESS_LEAD_AT - _CHESS_PIECES + 1
    return FeatureSet(
        game="chess", size=_CHESS_SIZE, most_active=most, active=_chess_active, symmetries=_no_symmetry(_CHESS_SIZE)
    )


def _chess_active(board: Any) -> list[int]:
    us = board.turn
    active = []
    for square, piece in board.piece_map().items():
        kind = piece.piece_type - 1 + (0 if piece.color == us else 6)
        active.append(64 * kind + (square if us == WHITE else square ^ 56))
    for index, color in enumerate((us, not us)):
        rooks = board.clean_castling_rights() & board.occupied_co[color]
        king = 1 << (board.king(color) or 0)
        active += [_CHESS_PIECES + 2 * index] * bool(rooks & king - 1)
        active += [_CHESS_PIECES + 2 * index + 1] * bool(rooks & ~(king - 1))
    active += _reached(range(2, 2 + _REPETITIONS), _occurrences(board), _CHESS_REPETITION_AT)
    if board.turn_limit > 0:
        left = board.turn_limit - board.turns
        active += [_CHESS_SOONER_AT + index for index, limit in enumerate(_CHESS_SOONER) if left <= limit]
    active += _reached(_CHESS_WITHOUT_PROGRESS, board.halfmove_clock, _CHESS_PROGRESS_AT)
    lead = material(board, us) - material(board, not us)
    active.append(_CHESS_LEAD_AT + _MOST_LEAD + max(-_MOST_LEAD, min(_MOST_LEAD, lead)))
    return sorted(active)


# Othello

_OTHELLO_MOVES: Final = 14
_EMPTIES: Final = tuple(range(4, 57, 4))
_OTHER_MOVES_AT: Final = 128 + _OTHELLO_MOVES + 1
_EMPTIES_AT: Final = _OTHER_MOVES_AT + _OTHELLO_MOVES + 1
_ODD_AT: Final = _EMPTIES_AT + len(_EMPTIES)


def _othello(_state: Any) -> FeatureSet:
    size = _ODD_AT + 1
    return FeatureSet(
        game="othello", size=size, most_active=64 + 2 + len(_EMPTIES) + 1, active=_othello_active,
        symmetries=_square_symmetries(8, size),
    )  # fmt: skip


def _othello_active(state: Any) -> list[int]:
    own, other = (state.white, state.black) if state.turn == WHITE else (state.black, state.white)
    passed = type(state)(state.black, state.white, not state.turn)
    active = [square for square in range(64) if own >> square & 1]
    active += [64 + square for square in range(64) if other >> square & 1]
    active.append(128 + min(_moves(state), _OTHELLO_MOVES))
    active.append(_OTHER_MOVES_AT + min(_moves(passed), _OTHELLO_MOVES))
    empty = 64 - (own | other).bit_count()
    return active + _reached(_EMPTIES, empty, _EMPTIES_AT) + [_ODD_AT] * (empty % 2)


def _moves(state: Any) -> int:
    return sum(move != "pass" for move in state.legal_moves)


# Gomoku

#: Limits for the number of lines of five points that hold one, two, three and four stones, all of one side.
_LINES: Final = ((5, 10, 15, 20, 30, 40, 50), (1, 2, 3, 4, 6, 8, 11, 15, 20), (1, 2, 3, 4, 6, 8), (1, 2, 3))
_SIDE_COUNTS: Final = sum(map(len, _LINES))


def _gomoku(state: Any) -> FeatureSet | None:
    rows, columns = _size(state)
    size = 2 * rows * columns + 2 * _SIDE_COUNTS
    square = rows == columns
    return FeatureSet(
        game="gomoku", size=size, most_active=rows * columns + 2 * _SIDE_COUNTS, active=_gomoku_active,
        symmetries=_square_symmetries(rows, size) if square else _no_symmetry(size),
    )  # fmt: skip


def _size(state: Any) -> tuple[int, int]:
    rows = state.text.split()[0].split("/")
    return len(rows), len(rows[0])


def _gomoku_active(state: Any) -> list[int]:
    board, side = state.text.split()
    rows = board.split("/")
    cells = len(rows) * len(rows[0])
    active: list[int] = []
    for index, stone in enumerate((side, "XO".replace(side, ""))):
        active += [index * cells + at for at, cell in enumerate(board.replace("/", "")) if cell == stone]
        active += _line_counts(rows, stone, 2 * cells + index * _SIDE_COUNTS)
    return sorted(active)


def _line_counts(rows: list[str], stone: str, first: int) -> list[int]:
    found = [0] * 6
    for line in _lines(rows):
        if set(line) <= {stone, "."}:
            found[line.count(stone)] += 1
    active: list[int] = []
    for stones, limits in enumerate(_LINES, start=1):
        active += _reached(limits, found[stones], first)
        first += len(limits)
    return active


def _lines(rows: list[str]) -> Iterable[str]:
    height, width = len(rows), len(rows[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                if row + 4 * down < height and 0 <= column + 4 * right < width:
                    yield "".join(rows[row + step * down][column + step * right] for step in range(5))


def _square_symmetries(length: int, size: int) -> list[list[int]]:
    """Turns and mirrors of a square board: the first features are the stones of both sides, the rest stay."""
    cells = length * length
    tables = []
    for mirrored in (False, True):
        for turns in range(4):
            order = [_turned(cell, length, turns=turns, mirrored=mirrored) for cell in range(cells)]
            tables.append([*order, *(cells + cell for cell in order), *range(2 * cells, size + 1)])
    return tables


def _turned(cell: int, length: int, *, turns: int, mirrored: bool) -> int:
    row, column = divmod(cell, length)
    if mirrored:
        row, column = column, row
    for _ in range(turns):
        row, column = column, length - 1 - row
    return row * length + column


_GAMES: Final[Mapping[str, Callable[[Any], FeatureSet | None]]] = {
    "chess": _chess,
    "gomoku": _gomoku,
    "microchess": _microchess,
    "othello": _othello,
}
