"""The earlier platform's baseline: 8x8 Stockfish on microchess, its root moves limited to the legal ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, cast

import chess

import games
from agents.external.dialect import Starts
from agents.seat import Channel, Fault, History, Times
from games.base import Color, Ending, Game, Parameters
from games.microchess import MicrochessState
from stockfish_bridge.limit import Limit
from stockfish_bridge.position import check_position
from stockfish_bridge.reply import MATE
from stockfish_bridge.uci import Uci, only_move, position_words, sound

__all__ = ["Standard"]

#: The least part of a limit that goes to the ordinary moves, if there are any.
_ORDINARY_PART: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Line:
    """A game as the 8x8 engine is told it: a base, which is the start or follows a special move, and moves since."""

    start: str
    moves: tuple[str, ...]
    state: MicrochessState
    base: str
    since: tuple[str, ...]
    board: chess.Board

    @classmethod
    def begun(cls, game: Game, start: str) -> "_Line":
        """The line without moves."""
        state = cast(MicrochessState, game.position(sound(game, start)))
        base = _padded(state)
        return cls(start, (), state, base, (), chess.Board(base))

    def after(self, move: chess.Move) -> "_Line":
        """The line with one legal move more."""
        state, moves = self.state.forward(move), (*self.moves, str(move))
        if self.board.is_legal(move):
            board = self.board.copy(stack=False)
            board.push(move)
            return _Line(self.start, moves, state, self.base, (*self.since, str(move)), board)
        base = _padded(state)
        return _Line(self.start, moves, state, base, (), chess.Board(base))

    def ordinary(self) -> list[chess.Move]:
        """The legal moves that the 8x8 board has too."""
        return [move for move in self.state.legal_moves if self.board.is_legal(move)]

    def special(self) -> list[chess.Move]:
        """The other legal moves: promotion on rank 5, castling, Black's double step."""
        return [move for move in self.state.legal_moves if not self.board.is_legal(move)]


class Standard:
    """Plays microchess with an engine that believes in 64 squares.

    It does not see the walls, promotion on rank 5, castling, Black's double step or the material rule. Ordinary moves
    are searched together as `searchmoves`; the special ones, which the 8x8 board does not have, are each judged by a
    search of the position that they lead to.
    """

    games: ClassVar[tuple[str, ...]] = ("microchess",)
    starts: ClassVar[Starts] = "anywhere"

    def __init__(self, game: Game, options: Parameters, *, wishes: Parameters | None = None) -> None:
        self._game = game
        self._uci = Uci(games.load("chess"), options, wishes=wishes)
        self._line: _Line | None = None

    @property
    def name(self) -> str:
        """The `id name` of the engine."""
        return self._uci.name

    def greet(self, channel: Channel, deadline: float) -> None:
        """Learn its name and options, and set those of the entrant."""
        self._uci.greet(channel, deadline)

    def begin(self, channel: Channel, color: Color, *, start: str, seed: int, deadline: float) -> None:
        """Tell it that a new game begins."""
        self._line = None
        self._uci.begin(channel, color, start=start, seed=seed, deadline=deadline)

    def end(self, channel: Channel) -> None:
        """Say goodbye."""
        self._uci.end(channel)

    def ask(self, channel: Channel, history: History, times: Times, deadline: float) -> str:
        """The best of its ordinary moves and the special ones."""
        only = only_move(history)
        if only is not None:
            return only
        check_position(history.state.text)
        search = _Search(self._uci, channel, times, deadline)
        return search.best(self._follow(history), self._uci.limit.within(times))

    def _follow(self, history: History) -> "_Line":
        line = self._line
        if line is None or line.start != history.start or history.moves[: len(line.moves)] != line.moves:
            line = _Line.begun(self._game, history.start)
        for text in history.moves[len(line.moves) :]:
            line = line.after(line.state.parse(text))
        self._line = line
        return line


@dataclass(frozen=True, slots=True)
class _Search:
    """The searches for one move, which share one limit."""

    uci: Uci
    channel: Channel
    times: Times
    deadline: float

    def best(self, line: _Line, limit: Limit) -> str:
        """The move with the best score; an ordinary one where a special one is no better."""
        ordinary, special = line.ordinary(), line.special()
        part = max(_ORDINARY_PART, len(ordinary) / (len(ordinary) + len(special))) if ordinary else 0.0
        scores: dict[str, int] = {}
        if ordinary:
            move, score = self._searched(line, ordinary, limit.share(part))
            scores[move] = score
        for each in special:
            scores[str(each)] = self._worth(line, each, limit.share((1 - part) / len(special)))
        return max(scores, key=lambda text: scores[text])

    def _worth(self, line: _Line, move: chess.Move, limit: Limit) -> int:
        """The score of a special move for the side that makes it: of the position after it, seen from there."""
        child = line.after(move)
        if child.state.ending is not None:
            return _decided(child.state.ending, line.state.turn)
        ordinary = child.ordinary()
        if ordinary:
            return -self._searched(child, ordinary, limit)[1]
        # Every answer is special too. The depth of this is bounded: pawns run out.
        answers = child.special()
        return -max(self._worth(child, answer, limit.share(1 / len(answers))) for answer in answers)

    def _searched(self, line: _Line, moves: Sequence[chess.Move], limit: Limit) -> tuple[str, int]:
        """The best of these moves, of which there is at least one, and its score for the side that makes it."""
        check_position(_padded(line.state))
        texts = [str(move) for move in moves]
        words = f"{limit.words(self.times, line.state.turn)} searchmoves {' '.join(texts)}"
        found = self.uci.search(self.channel, position_words(line.base, line.since), words, self.deadline)
        if found.move not in texts:
            raise Fault("illegal-move", f"answered {found.move!r}, none of the moves it was asked about")
        return found.move, _balance(line.state) if found.score is None else found.score


def _decided(ending: Ending, color: Color) -> int:
    return round((2 * ending.points(color) - 1) * (MATE - 1))


def _balance(state: MicrochessState) -> int:
    """A score for want of one: the material, in hundredths of a pawn, for the side to move."""
    return 100 * (state.material(state.turn) - state.material(not state.turn))


def _padded(state: MicrochessState) -> str:
    """The position on 64 squares, where nobody can castle."""
    fields = state.fen().split()
    return " ".join([*fields[:2], "-", *fields[3:]])
