"""Microchess: chess on 4x5 squares with at most 80 turns; material decides where chess has draws."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import chess
import chess.variant

from games._live import kernel
from games._microboard import START, MicroBoard
from games._microfen import cropped
from games._setup import ChessRules, set_position
from games.base import WHITE, Color, Ending, Margin

__all__ = ["MATERIAL", "Microchess", "MicrochessState", "PythonState", "game"]

#: The value of a piece when a game ends without checkmate.
MATERIAL: Final = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 10,
    chess.KING: 4,
}
_SECONDS: Final = 400.0


class MicrochessState(MicroBoard):
    """A microchess position with its history: a `chess.Board` on the squares a1 to d5."""

    quiet_turns = 50
    quiet_reason = "fifty-turns"

    turn_limit = 80
    white_remain_sec = _SECONDS
    black_remain_sec = _SECONDS

    @property
    def text(self) -> str:
        """The position as 4x5 FEN; `fen()` gives the same padded to 8x8."""
        return " ".join([cropped(self.piece_map()), *self.fen().split()[1:]])

    def _decided(self, reason: str) -> Ending:
        white, black = self.material(chess.WHITE), self.material(chess.BLACK)
        return Ending.by_count(reason, Margin(white, black, "material"), first=WHITE)

    def material(self, color: Color) -> int:
        """The total value of the pieces of `color`: K 4, Q 10, R 5, B 3, N 3, P 1."""
        return sum(worth * chess.popcount(self.pieces_mask(piece, color)) for piece, worth in MATERIAL.items())

    def is_fifty_moves(self) -> bool:
        """Whether 50 turns passed without capture or pawn move, and there is a legal move."""
        return self._is_halfmoves(self.quiet_turns)


#: The Python specification; if the kernel was built, `MicrochessState` is a native class derived from it.
PythonState: Final = MicrochessState

_kernel: Final = kernel("microchess")
if _kernel is not None and not TYPE_CHECKING:
    MicrochessState = _kernel.derived(PythonState)
    PythonState.__qualname__ = "PythonState"  # where pickle finds it now


@dataclass(frozen=True, slots=True, kw_only=True)
class Microchess(ChessRules):
    """The rules of microchess; `turns` limits the turns of both sides together, 0 means no limit."""

    turns: int = 80

    name: ClassVar[str] = "microchess"
    seconds: ClassVar[float] = _SECONDS

    def start(self, seed: int = 0) -> MicrochessState:  # noqa: ARG002
        """The start position, the same for every seed."""
        return self.position(START)

    def position(self, text: str) -> MicrochessState:
        """The position of a 4x5 or padded FEN; raises `BadPosition` with the reason."""
        return set_position(MicrochessState(None), text, turn_limit=self.turns)


game = Microchess

# python-chess looks up the Variant tag of a PGN here; without this, microchess is read as chess.
if MicrochessState not in chess.variant.VARIANTS:
    chess.variant.VARIANTS.append(MicrochessState)
