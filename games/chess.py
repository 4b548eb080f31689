"""Chess with the rules of python-chess, without claimed draws, with an optional turn limit."""

from dataclasses import dataclass
from typing import ClassVar

import chess

from games._board import GameBoard
from games._setup import ChessRules, set_position

__all__ = ["Chess", "ChessState", "game"]


class ChessState(GameBoard):
    """A chess position with its history: a `chess.Board`."""

    quiet_turns = 150
    quiet_reason = "seventyfive-moves"


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
