"""Chess and microchess for learners: the board is turned so that the pawns of the side to move go up."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import ClassVar, Final

import chess
import numpy as np
from numpy.typing import NDArray

from games._board import GameBoard
from games.chess import Chess
from games.chess import PythonState as ChessState
from games.encoding.base import BaseEncoding, Floats, Shape, Symmetry
from games.microchess import Microchess, PythonState

__all__ = ["ChessEncoding", "MicrochessEncoding"]

#: Inputs that are 1 if at most so many turns are left.
_TURNS_LEFT: Final = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48])
#: Inputs that are 1 if at least these per cent of the turns without progress that end a game were made.
_QUIET: Final = np.array([16, 32, 48, 64, 80])
_MOST_LEAD: Final = 10
_PROMOTIONS: Final = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class _ChessGameEncoding(BaseEncoding):
    """What both games have in common.

    Planes: own pawns, knights, bishops, rooks, queens, king, then the opponent's; row 0 is the back rank of the side to
    move. Scalars: castling; whether the position occurred at least 2, 3 and 4 times; whether few turns are left (at
    most 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48); whether many turns passed without capture or pawn move (at least 16, 32,
    48, 64 and 80 per cent of those that end the game); in microchess the lead in material; the share of the turns up to
    the limit that are left (1 without a limit); the share of the turns without progress. All but the last two are 0
    or 1.

    Actions: every move that a queen or knight could make on an empty board, by from and to; then the promotions, by
    from, to and piece. Castling is the move of the king. All as the side to move sees the board.
    """

    files: ClassVar[int]
    ranks: ClassVar[int]
    castlings: ClassVar[int]

    @cached_property
    def _actions(self) -> dict[tuple[int, int, int | None], int]:
        """The index of each move: from, to, promotion."""
        return {move: index for index, move in enumerate(_moves(self.files, self.ranks))}

    def symmetries(self) -> Sequence[Symmetry]:
        """The mirror of left and right, for positions in which nobody may castle any more."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> Sequence[Symmetry]:
        cells = np.arange(self.height * self.width).reshape(self.height, self.width)
        offsets = np.arange(self.planes)[:, None] * cells.size
        first = self.planes * cells.size
        mirrored = cells[:, ::-1].ravel()
        inputs = np.concatenate([(offsets + mirrored).ravel(), np.arange(first, self.inputs)])
        actions = [
            self._actions[int(mirrored[start]), int(mirrored[end]), promotion]
            for start, end, promotion in self._actions
        ]
        return (
            Symmetry("identity", np.arange(self.inputs), np.arange(self.actions)),
            Symmetry("mirror left-right", inputs, np.array(actions), tuple(range(first, first + self.castlings))),
        )

    def _size(self, state: GameBoard) -> tuple[int, int]:
        return state.ranks, state.files

    def _write(self, state: GameBoard, planes: Floats, scalars: Floats) -> None:
        own, other = state.turn, not state.turn
        planes[:12] = self._seen(
            state, *(state.pieces_mask(piece, color) for color in (own, other) for piece in chess.PIECE_TYPES)
        )
        left = max(state.turn_limit - state.turns, 0)
        limited = state.turn_limit > 0
        scalars[:] = np.concatenate(
            [
                self._castling(state),
                [state.is_repetition(times) for times in (2, 3, 4)],
                (left <= _TURNS_LEFT) & limited,
                100 * state.halfmove_clock >= _QUIET * state.quiet_turns,
                self._material(state),
                [left / state.turn_limit if limited else 1.0, state.halfmove_clock / state.quiet_turns],
            ]
        )

    def _index(self, state: GameBoard, move: chess.Move) -> int:
        plain = state.canonical(move)
        start, end = (self._seen_square(state, square) for square in (plain.from_square, plain.to_square))
        return self._actions[start, end, plain.promotion]

    def _seen(self, state: GameBoard, *masks: int) -> NDArray[np.uint8]:
        """Sets of squares as planes, as the side to move sees them."""
        octets = np.array(masks, dtype="<u8").view(np.uint8)
        planes = np.unpackbits(octets, bitorder="little").reshape(len(masks), 8, 8)[:, : self.ranks, : self.files]
        return planes if state.turn == chess.WHITE else self._rotated(planes)

    @abstractmethod
    def _seen_square(self, state: GameBoard, square: chess.Square) -> int:
        """The cell of a square, as the side to move sees it."""

    @abstractmethod
    def _rotated(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The planes as Black sees them."""

    @abstractmethod
    def _castling(self, state: GameBoard) -> list[bool]:
        """Who may castle, the side to move first."""

    def _material(self, state: GameBoard) -> list[bool]:  # noqa: ARG002
        """The lead in material, where it decides games."""
        return []


class MicrochessEncoding(_ChessGameEncoding):
    """As above. Castling: own, the opponent's. The material lead is one of 21 inputs, from -10 or less to 10 or more.

    Black's board is rotated by 180 degrees: the start position then looks the same for both sides.
    """

    state_class = PythonState
    files, ranks, castlings = 4, 5, 2

    def __init__(self, game: Microchess, kernel: ModuleType | None = None) -> None:  # noqa: ARG002
        scalars = self.castlings + 3 + len(_TURNS_LEFT) + len(_QUIET) + 2 * _MOST_LEAD + 1 + 2
        super().__init__(Shape(12, self.ranks, self.files, scalars, len(_moves(self.files, self.ranks))), kernel)

    def _seen_square(self, state: GameBoard, square: chess.Square) -> int:
        cell = self.files * chess.square_rank(square) + chess.square_file(square)
        return cell if state.turn == chess.WHITE else self.files * self.ranks - 1 - cell

    def _rotated(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return planes[:, ::-1, ::-1]

    def _castling(self, state: GameBoard) -> list[bool]:
        return [state.has_castling_rights(color) for color in (state.turn, not state.turn)]

    def _material(self, state: GameBoard) -> list[bool]:
        assert isinstance(state, PythonState)
        lead = state.material(state.turn) - state.material(not state.turn)
        lead = max(-_MOST_LEAD, min(lead, _MOST_LEAD))
        return [lead == number for number in range(-_MOST_LEAD, _MOST_LEAD + 1)]


class ChessEncoding(_ChessGameEncoding):
    """As above, and a last plane with the square of a possible capture en passant.

    Castling: own king's side and queen's side, then the opponent's. Black's board is mirrored top to bottom, as the
    colours are in the start position.
    """

    state_class = ChessState
    files, ranks, castlings = 8, 8, 4

    def __init__(self, game: Chess, kernel: ModuleType | None = None) -> None:  # noqa: ARG002
        scalars = self.castlings + 3 + len(_TURNS_LEFT) + len(_QUIET) + 2
        super().__init__(Shape(13, self.ranks, self.files, scalars, len(_moves(self.files, self.ranks))), kernel)

    def _write(self, state: GameBoard, planes: Floats, scalars: Floats) -> None:
        super()._write(state, planes, scalars)
        if state.ep_square is not None and state.has_legal_en_passant():
            planes[12] = self._seen(state, chess.BB_SQUARES[state.ep_square])[0]

    def _seen_square(self, state: GameBoard, square: chess.Square) -> int:
        return square if state.turn == chess.WHITE else chess.square_mirror(square)

    def _rotated(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return planes[:, ::-1]

    def _castling(self, state: GameBoard) -> list[bool]:
        return [
            may(color)
            for color in (state.turn, not state.turn)
            for may in (state.has_kingside_castling_rights, state.has_queenside_castling_rights)
        ]


def _moves(files: int, ranks: int) -> list[tuple[int, int, int | None]]:
    """All moves of queens and knights on an empty board, then all promotions, as the side to move sees them."""
    cells = range(files * ranks)
    plain: list[tuple[int, int, int | None]] = []
    promotions: list[tuple[int, int, int | None]] = []
    for start in cells:
        for end in cells:
            across, along = abs(start % files - end % files), abs(start // files - end // files)
            if start != end and (0 in (across, along) or across == along or across * along == 2):
                plain.append((start, end, None))
            if start // files == ranks - 2 and end // files == ranks - 1 and across <= 1:
                promotions += [(start, end, piece) for piece in _PROMOTIONS]
    return plain + promotions
