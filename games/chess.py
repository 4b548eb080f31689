"""Chess with the rules of python-chess, without claimed draws, with an optional turn limit."""

from dataclasses import dataclass
from typing import ClassVar

import chess

from games._board import GameBoard
from games._setup import check_turn_limit, set_position
from games.base import WHITE, Color, Parameters

__all__ = ["Chess", "ChessState", "game"]


class ChessState(GameBoard):
    """A chess position with its history: a `chess.Board`."""

    quiet_turns = 150
    quiet_reason = "seventyfive-moves"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chess:
    """The rules of chess; `turns` limits the turns of both sides together, 0 means no limit."""

    turns: int = 0

    name: ClassVar[str] = "chess"
    version: ClassVar[int] = 1
    first: ClassVar[Color] = WHITE
    seconds: ClassVar[float] = 400.0

    def __post_init__(self) -> None:
        check_turn_limit(self.turns)

    @property
    def parameters(self) -> Parameters:
        """The turn limit."""
        return {"turns": self.turns}

    def start(self, seed: int = 0) -> ChessState:  # noqa: ARG002
        """The start position, the same for every seed."""
        return self.position(chess.STARTING_FEN)

    def position(self, text: str) -> ChessState:
        """The position of a FEN; raises `BadPosition` with the reason."""
        state = ChessState(None)
        state.turn_limit = self.turns
        set_position(state, text)
        return state


game = Chess
