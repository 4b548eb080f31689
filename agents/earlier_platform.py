"""What agents of the earlier Microchess platform import as `scripts.run_game`: evaluation functions, states, a game.

The rules behind these names are those of `games.microchess`: its states are the states that agents get here.
"""

import copy
from typing import Final

import chess

from agents import evaluation
from games.base import BLACK, WHITE, Color, load
from games.microchess import MicrochessState as State

__all__ = ["TIME_LIMIT", "Environment", "Evaluator", "Move", "State"]

#: The seconds of each player for a game.
TIME_LIMIT: Final = 400
_TURNS: Final = 80

#: Not a class of its own: moves are compared with those of python-chess.
Move = chess.Move


class Evaluator:
    """How good a state is for a side. A class, since agents of that platform write `Evaluator.eval`."""

    @staticmethod
    def eval(board: State, turn: Color) -> float:
        """The side's share of the material, from 0 to 1; the result if the game is over."""
        return evaluation.share(board, turn)

    @staticmethod
    def eval_2(board: State, turn: Color) -> float:
        """The same from -1 to 1."""
        return evaluation.signed(board, turn)

    @staticmethod
    def win_or_lose(board: State, turn: Color) -> float:
        """1 for a won game, 0 for a lost one, 0.5 for any other state."""
        return evaluation.outcome(board, turn)


class Environment:
    """A game that an agent plays with itself: `reset`, then `step` with one move after the other."""

    def __init__(self) -> None:
        self.board: State
        self.max_turns = _TURNS
        self.turn = 1
        self.reset()

    def reset(self, fen: str | None = None, max_turns: int = _TURNS) -> State:
        """Begin a game at this position, or at the start, and return its state."""
        game = load(f"microchess:turns={max_turns}")
        found = game.position(fen) if fen else game.start()
        assert isinstance(found, State)
        self.board, self.max_turns, self.turn = found, max_turns, 1
        return self.board

    def step(self, move: chess.Move) -> tuple[State, list[float], bool, dict[str, object]]:
        """Make a move; returns the state, the points of White and Black (0 until the end), the end, and nothing."""
        self.board = self.board.forward(move)
        self.turn += 1
        ending = self.board.ending
        points = [0.0, 0.0] if ending is None else [ending.points(color) for color in (WHITE, BLACK)]
        return copy.copy(self.board), points, ending is not None, {}

    def render(self) -> None:
        """Print the board, White's pieces in upper case."""
        print(self.board)  # noqa: T201

    def close(self) -> None:
        """Do nothing."""
