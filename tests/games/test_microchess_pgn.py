"""Microchess games as PGN, written and read by python-chess."""

import io

import chess.pgn
import chess.variant
import pytest

from games.microchess import MicrochessState


def written(state):
    return str(chess.pgn.Game.from_board(state))


def read(text):
    return chess.pgn.read_game(io.StringIO(text))


def test_the_variant_is_known_to_python_chess_once():
    assert chess.variant.find_variant("microchess") is MicrochessState
    assert chess.variant.VARIANTS.count(MicrochessState) == 1


def test_a_game_names_its_variant_and_its_start(microchess):
    text = written(microchess.start().forward(chess.Move.from_uci("d2d4")))
    assert '[Variant "Microchess"]' in text
    assert '[FEN "8/8/8/knbr4/p7/8/3P4/RBNK4 w Qk - 0 1"]' in text
    assert '[SetUp "1"]' in text
    assert "1. d4 *" in text


@pytest.mark.parametrize("seed", range(20))
def test_a_game_comes_back_as_it_was(microchess, walk, seed):
    *_, last = walk(microchess, seed)
    game = read(written(last))
    assert game.errors == []
    again = game.end().board()
    assert isinstance(again, MicrochessState)
    assert again.move_stack == last.move_stack
    assert again.text == last.text
    assert again.ending == last.ending
    assert game.headers["Result"] == last.result()


@pytest.mark.parametrize(
    ("position", "moves", "san"),
    [
        ("k2r/p3/2P1/3P/R2K w Qk - 0 1", "d1b1 a5c5", "1. O-O-O O-O+"),
        ("k2r/2P1/4/4/K3 w - - 0 1", "c4d5r a5a4", "1. cxd5=R+ Ka4"),
    ],
)
def test_castling_and_promotion_come_back(microchess, position, moves, san):
    state = microchess.position(position)
    for move in moves.split():
        state = state.forward(state.parse(move))
    text = written(state)
    assert san in text
    assert read(text).end().board().text == state.text


def test_a_position_of_either_form_is_read():
    for fen in ("k2r/p3/4/3P/R2K w Qk - 0 1", "8/8/8/k2r4/p7/8/3P4/R2K4 w Kk - 0 1"):
        game = read(f'[Variant "Microchess"]\n[FEN "{fen}"]\n[SetUp "1"]\n\n1. O-O-O a3 *\n')
        assert game.errors == []
        assert game.end().board().text == "k2r/4/p3/3P/1KR1 w k - 0 2"


def test_a_bad_position_is_an_error_of_the_game():
    game = read('[Variant "Microchess"]\n[FEN "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1"]\n\n1. d4 *\n')
    assert len(game.errors) == 1
