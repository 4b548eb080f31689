"""Chess: python-chess decides, without claims and with an optional turn limit."""

import random

import chess
import pytest

from games.base import BLACK, WHITE, Ending
from games.chess import Chess, ChessState

DRAW = None
SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "

ENDED = {
    "fool's mate": (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", BLACK, "checkmate"),
    "back rank mate": ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", WHITE, "checkmate"),
    "stalemate": ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", DRAW, "stalemate"),
    "king against king and bishop": ("8/8/8/8/8/8/8/K1kb4 w - - 0 1", "", DRAW, "insufficient-material"),
    "75 moves": ("8/8/8/8/8/8/8/K1k1R3 b - - 149 90", "c1c2", DRAW, "seventyfive-moves"),
    "fivefold repetition": (chess.STARTING_FEN, SHUFFLE * 4, DRAW, "repetition"),
}


def after(state, moves):
    for move in moves.split():
        assert state.ending is None
        state = state.forward(state.parse(move))
    return state


@pytest.mark.parametrize(("position", "moves", "winner", "reason"), ENDED.values(), ids=ENDED)
def test_the_game_is_over(position, moves, winner, reason):
    state = after(Chess().position(position), moves)
    assert state.ending == Ending(winner, reason)
    assert state.outcome() == chess.Board.outcome(state)
    assert state.is_game_over()
    assert not state.legal_moves


@pytest.mark.parametrize("seed", range(5))
def test_the_verdict_is_that_of_python_chess(seed):
    rng = random.Random(seed)
    state, board = Chess().start(), chess.Board()
    while moves := list(state.legal_moves):
        assert board.outcome() is None
        assert set(moves) == set(board.legal_moves)
        move = rng.choice(moves)
        board.push(move)
        state = state.forward(move)
        assert state.text == board.fen()
    assert state.outcome() == board.outcome()


def test_draws_are_not_claimed():
    state = after(Chess().start(), SHUFFLE * 2)
    assert state.is_repetition(3)
    assert state.ending is None
    assert not state.can_claim_draw()


def test_the_turn_limit_is_a_draw():
    state = after(Chess(turns=3).start(), "e2e4 e7e5 d1h5")
    assert state.ending == Ending(DRAW, "turn-limit")
    assert state.result() == "1/2-1/2"
    assert not state.legal_moves


def test_mate_on_the_last_turn_is_mate():
    assert after(Chess(turns=4).start(), "f2f3 e7e5 g2g4 d8h4").ending == Ending(BLACK, "checkmate")


def test_a_game_that_must_stop_is_a_draw():
    assert Chess().start().adjudicate() == Ending(DRAW, "adjudication")


def test_moves_are_listed_by_from_to_and_promotion():
    state = Chess().position("3rk3/2P5/8/8/8/8/8/R3K2R w KQ - 0 1")
    keys = [(move.from_square, move.to_square, move.promotion or 0) for move in state.legal_moves]
    assert keys == sorted(keys)
    assert [str(move) for move in state.legal_moves if str(move).startswith("c7d8")] == [
        "c7d8n", "c7d8b", "c7d8r", "c7d8q",
    ]  # fmt: skip


def test_castling_may_be_written_with_the_rook_square():
    state = Chess().position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert str(state.parse("e1h1")) == "e1g1"
    assert chess.Move.from_uci("e1a1") in state.legal_moves
    assert state.forward(chess.Move.from_uci("e1a1")).text == "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"


@pytest.mark.parametrize("turns", [-1, 0.5, "x", False])
def test_an_invalid_turn_limit_is_refused(turns):
    with pytest.raises(ValueError, match="turns is a whole number"):
        Chess(turns=turns)


def test_a_state_is_a_board_drawn_with_coordinates():
    state = Chess().start()
    assert isinstance(state, chess.Board)
    assert isinstance(state.copy(), ChessState)
    assert str(state).splitlines()[0] == "8 r n b q k b n r"
    assert str(state).splitlines()[-1] == "  a b c d e f g h"
