"""Boards of python-chess as states, shared by chess and microchess."""

from collections.abc import Iterator
from typing import ClassVar, Final, Self

import chess

from games._refusal import illegal
from games.base import Ending, Move
from games.errors import IllegalMove
from games.view import Cell, Labels, Path, View, draw, piece_name

__all__ = ["GameBoard", "LegalMoves"]

_TERMINATIONS: Final = {
    "checkmate": chess.Termination.CHECKMATE,
    "fifty-turns": chess.Termination.FIFTY_MOVES,
    "insufficient-material": chess.Termination.INSUFFICIENT_MATERIAL,
    "repetition": chess.Termination.FIVEFOLD_REPETITION,
    "seventyfive-moves": chess.Termination.SEVENTYFIVE_MOVES,
    "stalemate": chess.Termination.STALEMATE,
}


class LegalMoves(chess.LegalMoveGenerator):
    """The legal moves at the time of the call, sorted by from, to and promotion; none when the game is over."""

    def __init__(self, board: "GameBoard") -> None:
        super().__init__(board)
        self._canonical = board.canonical
        # One list per object: list() asks for the length first and would generate every move twice.
        moves = sorted(board.generate_legal_moves(), key=_order)
        self._moves = moves if board._ending(stuck=not moves) is None else []

    def __bool__(self) -> bool:
        return bool(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[chess.Move]:
        return iter(self._moves)

    def __getitem__(self, index: int, /) -> chess.Move:
        return self._moves[index]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, chess.Move) and self._canonical(move) in self._moves

    def count(self) -> int:
        """The number of moves, as in python-chess."""
        return len(self._moves)


class GameBoard(chess.Board):
    """A `chess.Board` that is a state; the methods of python-chess about the end of the game follow `ending`."""

    files: ClassVar[int] = 8
    ranks: ClassVar[int] = 8
    #: The number of turns without capture or pawn move that ends a game, and the name of that rule.
    quiet_turns: ClassVar[int]
    quiet_reason: ClassVar[str]

    turn_limit: int = 0
    white_remain_sec: float = 400.0
    black_remain_sec: float = 400.0

    @property
    def turns(self) -> int:
        """Turns since the start, from the move number."""
        return self.ply()

    @property
    def ending(self) -> Ending | None:
        """The verdict, None while the game goes on."""
        return self._ending(stuck=not any(self.generate_legal_moves()))

    def _ending(self, *, stuck: bool) -> Ending | None:
        """The verdict; the caller knows whether there is a legal move."""
        if stuck and self.is_check():
            return Ending(not self.turn, "checkmate")
        if self.is_insufficient_material():
            return self._decided("insufficient-material")
        if stuck:
            return self._decided("stalemate")
        if self.halfmove_clock >= self.quiet_turns:
            return self._decided(self.quiet_reason)
        if self.is_fivefold_repetition():
            return self._decided("repetition")
        return self._decided("turn-limit") if 0 < self.turn_limit <= self.ply() else None

    @property
    def legal_moves(self) -> LegalMoves:
        """All legal moves; none when the game is over."""
        return LegalMoves(self)

    @property
    def text(self) -> str:
        """The position in one line."""
        return self.fen()

    def canonical(self, move: chess.Move) -> chess.Move:
        """The same move, with castling written as a king move of two squares, or as king takes rook in Chess960."""
        return self._from_chess960(self.chess960, move.from_square, move.to_square, move.promotion, move.drop)

    def forward(self, move: Move) -> Self:
        """The state after a legal move; `IllegalMove` for anything else."""
        legal = self._legal(move)
        if legal is None:
            raise self._refused(move)
        after = self.copy()
        after._make(legal)
        return after

    def _make(self, move: chess.Move) -> None:
        """Push a move that is known to be legal."""
        chess.Board.push(self, move)

    def parse(self, text: str) -> chess.Move:
        """The legal move written `text` in UCI notation; `IllegalMove` if there is none."""
        try:
            legal = self._legal(chess.Move.from_uci(text))
        except (TypeError, ValueError):
            legal = None
        if legal is None:
            raise self._refused(text)
        return legal

    def _legal(self, move: object) -> chess.Move | None:
        if not isinstance(move, chess.Move) or move.drop is not None:
            return None
        plain = self.canonical(move)
        try:
            legal = self.is_legal(plain)
        except (IndexError, TypeError):  # squares outside the board
            return None
        return plain if legal and self._ending(stuck=False) is None else None

    def _refused(self, move: object) -> IllegalMove:
        try:
            return illegal(move.uci() if isinstance(move, chess.Move) else move, self.text)
        except (IndexError, TypeError):  # squares outside the board
            return illegal(move, self.text)

    def adjudicate(self) -> Ending:
        """The verdict if the game must stop now."""
        return self.ending or self._decided("adjudication")

    def _decided(self, reason: str) -> Ending:
        """The ending of a game that stops for `reason` without checkmate."""
        return Ending(None, reason)

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:  # noqa: ARG002
        """`ending` as an outcome of python-chess. Draws cannot be claimed, so `claim_draw` has no effect."""
        ending = self.ending
        return None if ending is None else chess.Outcome(self._termination(ending), ending.winner)

    def _termination(self, ending: Ending) -> chess.Termination:
        if ending.reason in _TERMINATIONS:
            return _TERMINATIONS[ending.reason]
        if ending.winner is None:
            return chess.Termination.VARIANT_DRAW
        return chess.Termination.VARIANT_WIN if ending.winner == self.turn else chess.Termination.VARIANT_LOSS

    def can_claim_draw(self) -> bool:
        """Always False: draws cannot be claimed."""
        return False

    def can_claim_fifty_moves(self) -> bool:
        """Always False: draws cannot be claimed."""
        return False

    def can_claim_threefold_repetition(self) -> bool:
        """Always False: draws cannot be claimed."""
        return False

    def copy(self, *, stack: bool | int = True) -> Self:
        """An independent copy with the whole history, with its last `stack` moves, or without history."""
        # The copy of python-chess copies every move of the history and loses attributes that it does not know.
        board = type(self).__new__(type(self))
        board.__dict__.update(self.__dict__)
        board.occupied_co = self.occupied_co[:]
        kept = len(self.move_stack) if stack is True else int(stack)
        board.move_stack = self.move_stack[-kept:] if kept else []
        board._stack = self._stack[-kept:] if kept else []
        return board

    def root(self) -> Self:
        """The position at the bottom of the history."""
        board = self.copy(stack=False)
        if self._stack:
            self._stack[0].restore(board)
        return board

    def __str__(self) -> str:
        lines = [
            " ".join([str(rank + 1), *(self._symbol(chess.square(file, rank)) for file in range(self.files))])
            for rank in reversed(range(self.ranks))
        ]
        return "\n".join([*lines, " ".join([" ", *chess.FILE_NAMES[: self.files]])])

    def _symbol(self, square: chess.Square) -> str:
        piece = self.piece_at(square)
        return piece.symbol() if piece else "."

    def view(self) -> View:
        """The board as data, with a king in check marked."""
        checked = self.king(self.turn) if self.is_check() else None
        squares = [chess.square(file, rank) for rank in reversed(range(self.ranks)) for file in range(self.files)]
        pieces = self.piece_map()
        cells = (
            Cell(
                chess.SQUARE_NAMES[square],
                piece_name(pieces[square].symbol()) if square in pieces else "",
                "check" if square == checked else "",
            )
            for square in squares
        )
        numbers = tuple(str(rank) for rank in range(self.ranks, 0, -1))
        labels = Labels(tuple(chess.FILE_NAMES[: self.files]), numbers)
        return View(self.files, self.ranks, "checkered", tuple(cells), labels)

    def path(self, move: Move) -> Path:
        """The clicks that make a move: from, to, and the piece of a promotion."""
        text = str(move)
        return (text[:2], text[2:4], *(f"={letter.upper()}" for letter in text[4:5]))

    def svg(self, last: Move | None = None) -> str:
        """The board as a picture, with `last` and a king in check marked."""
        return draw(self.view(), () if last is None else self.path(last))

    def _repr_svg_(self) -> str:
        return self.svg(self.peek() if self.move_stack else None)


def _order(move: chess.Move) -> tuple[int, int, int]:
    return move.from_square, move.to_square, move.promotion or 0
