"""Chess with the rules of python-chess, without claimed draws, with an optional turn limit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import chess

from games._board import GameBoard
from games._live import kernel
from games._setup import ChessRules, set_position

__all__ = ["Chess", "ChessState", "PythonState", "game"]


class ChessState(GameBoard):
    """A chess position with its history: a `chess.Board`."""

    quiet_turns = 150
    quiet_reason = "seventyfive-moves"

    def set_fen(self, fen: str) -> None:
        """Set a position; castling rights that are not those of standard chess make it a position of Chess960."""
        super().set_fen(fen)
        for chess960 in (True, False):
            if self.castling_rights != self.clean_castling_rights():
                self.chess960 = chess960


#: The Python specification; if the kernel was built, `ChessState` is a native class derived from it.
PythonState: Final = ChessState

_kernel: Final = kernel("chess")
if _kernel is not None and not TYPE_CHECKING:
    ChessState = _kernel.derived(PythonState)
    PythonState.__qualname__ = "PythonState"  # where pickle finds it now


@dataclass(frozen=True, slots=True, kw_only=True)
class Chess(ChessRules):
    """The rules of chess; `turns` limits the turns of both sides together, 0 means no limit."""

    name: ClassVar[str] = "chess"

    def start(self, seed: int = 0) -> ChessState:  # noqa: ARG002
        """The start position, the same for every seed."""
        return self.position(chess.STARTING_FEN)

    def position(self, text: str) -> ChessState:
        """The position of a FEN; raises `BadPosition` with the reason."""
        return set_position(ChessState(None), text, turn_limit=self.turns)


game = Chess
