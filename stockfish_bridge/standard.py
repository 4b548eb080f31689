"""The back-end `standard`: an 8x8 engine that plays microchess, limited to the legal moves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import chess

from agents.external.protocol import OnThought
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Ending, Game
from games.microchess import MicrochessState
from stockfish_bridge.limit import Limit
from stockfish_bridge.position import check_position
from stockfish_bridge.uci import Uci, normalized, only_move, position_command
from stockfish_bridge.uci_syntax import MATE

__all__ = ["StandardSearch"]

#: The least part of a limit that goes to the ordinary moves, if there are any.
_ORDINARY_PART: Final = 0.5


@dataclass(frozen=True, slots=True)
class _PaddedGame:
    """A microchess game as the 8x8 engine gets it.

    `base` is the start position or the position after the last special move; `since` are the moves after it.
    """

    start: str
    moves: tuple[str, ...]
    state: MicrochessState
    base: str
    since: tuple[str, ...]
    board: chess.Board

    @classmethod
    def begin(cls, game: Game, start: str) -> "_PaddedGame":
        """The game without moves."""
        state = cast(MicrochessState, game.position(normalized(game, start)))
        base = _padded(state)
        return cls(start, (), state, base, (), chess.Board(base))

    def after(self, move: chess.Move) -> "_PaddedGame":
        """The game with one more legal move."""
        state, moves = self.state.forward(move), (*self.moves, str(move))
        if self.board.is_legal(move):
            board = self.board.copy(stack=False)
            board.push(move)
            return _PaddedGame(self.start, moves, state, self.base, (*self.since, str(move)), board)
        base = _padded(state)
        return _PaddedGame(self.start, moves, state, base, (), chess.Board(base))

    def ordinary(self) -> list[chess.Move]:
        """The legal moves that are legal on the 8x8 board too."""
        return [move for move in self.state.legal_moves if self.board.is_legal(move)]

    def special(self) -> list[chess.Move]:
        """The other legal moves: promotion on rank 5, castling, Black's double step."""
        return [move for move in self.state.legal_moves if not self.board.is_legal(move)]


class StandardSearch:
    """Chooses microchess moves with an engine for 64 squares.

    The engine does not know the walls, promotion on rank 5, castling, Black's double step and the material rule.
    Ordinary moves are searched together with `searchmoves`. Special moves do not exist on the 8x8 board: each is judged
    by a search of the position after it.
    """

    def __init__(self, game: Game, uci: Uci) -> None:
        self._game = game
        self._uci = uci
        self._padded: _PaddedGame | None = None

    def move(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """The best of the ordinary and the special moves."""
        self._uci.score = None
        only = only_move(history)
        if only is not None:
            return only
        check_position(history.state.text)
        search = _Search(self._uci, channel, times, deadline)
        move, self._uci.score = search.best(self._follow(history), self._uci.limit.within(times))
        return move

    def _follow(self, history: History) -> _PaddedGame:
        """The game of the history; continues the game of the last call if it can."""
        padded = self._padded
        if padded is None or padded.start != history.start or history.moves[: len(padded.moves)] != padded.moves:
            padded = _PaddedGame.begin(self._game, history.start)
        for text in history.moves[len(padded.moves) :]:
            padded = padded.after(padded.state.parse(text))
        self._padded = padded
        return padded


@dataclass(frozen=True, slots=True)
class _Search:
    """The searches for one move, which share one limit."""

    uci: Uci
    channel: Channel
    times: Times
    deadline: float

    def best(self, game: _PaddedGame, limit: Limit) -> tuple[str, int]:
        """The move with the best score, and that score; on a tie an ordinary move."""
        ordinary, special = game.ordinary(), game.special()
        part = max(_ORDINARY_PART, len(ordinary) / (len(ordinary) + len(special))) if ordinary else 0.0
        scores: dict[str, int] = {}
        if ordinary:
            move, score = self._search(game, ordinary, limit.share(part), hear=self.uci.on_thought)
            scores[move] = score
        for each in special:
            scores[str(each)] = self._score(game, each, limit.share((1 - part) / len(special)))
        best = max(scores, key=lambda text: scores[text])
        return best, scores[best]

    def _score(self, game: _PaddedGame, move: chess.Move, limit: Limit) -> int:
        """The score of a special move, for the side that makes it."""
        child = game.after(move)
        if child.state.ending is not None:
            return _final_score(child.state.ending, game.state.turn)
        ordinary = child.ordinary()
        if ordinary:
            return -self._search(child, ordinary, limit)[1]
        # All replies are special too. The recursion ends because the pawns run out.
        replies = child.special()
        return -max(self._score(child, reply, limit.share(1 / len(replies))) for reply in replies)

    def _search(
        self, game: _PaddedGame, moves: Sequence[chess.Move], limit: Limit, *, hear: OnThought | None = None
    ) -> tuple[str, int]:
        """The best of these moves (at least one) and its score, for the side that makes it."""
        check_position(_padded(game.state))
        texts = tuple(str(move) for move in moves)
        go = replace(limit.go(self.times, game.state.turn), searchmoves=texts)
        result = self.uci.search(self.channel, position_command(game.base, game.since), go, self.deadline, hear=hear)
        if result.move not in texts:
            raise Fault("illegal-move", f"answered {result.move!r}, which is not one of the moves in searchmoves")
        return result.move, _material(game.state) if result.score is None else result.score


def _final_score(ending: Ending, color: Color) -> int:
    return round((2 * ending.points(color) - 1) * (MATE - 1))


def _material(state: MicrochessState) -> int:
    """The material balance for the side to move, in hundredths of a pawn: used if the engine reports no score."""
    return 100 * (state.material(state.turn) - state.material(not state.turn))


def _padded(state: MicrochessState) -> str:
    """The position on 64 squares, without castling rights."""
    fields = state.fen().split()
    return " ".join([*fields[:2], "-", *fields[3:]])
