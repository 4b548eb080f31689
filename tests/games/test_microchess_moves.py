"""How the pieces of microchess move."""

import chess
import pytest

from games.errors import IllegalMove


def moves(state, *, of=""):
    return [str(move) for move in state.legal_moves if str(move).startswith(of)]


def test_the_first_moves_are_listed_by_from_and_to_square(microchess):
    assert moves(microchess.start()) == [
        "a1a2", "a1a3", "a1a4", "b1a2", "b1c2", "b1d3", "c1a2", "c1b3", "c1d3", "d1c2", "d2d3", "d2d4",
    ]  # fmt: skip


def test_a_pawn_on_its_start_square_may_step_twice(microchess):
    assert moves(microchess.start(), of="d2") == ["d2d3", "d2d4"]
    assert moves(microchess.position("knbr/p3/4/3P/RBNK b Qk - 0 1"), of="a4") == ["a4a2", "a4a3"]


def test_a_pawn_does_not_jump_over_a_piece(microchess):
    assert moves(microchess.position("k2r/4/3n/3P/K3 w - - 0 1"), of="d2") == []
    assert moves(microchess.position("k2r/3n/4/3P/K3 w - - 0 1"), of="d2") == ["d2d3"]


def test_a_pawn_that_has_moved_steps_once(microchess):
    assert moves(microchess.position("k2r/4/4/p2P/3K b - - 0 1"), of="a2") == ["a2a1n", "a2a1b", "a2a1r", "a2a1q"]
    assert moves(microchess.position("k2r/4/3P/p3/3K w - - 0 1"), of="d3") == ["d3d4"]


def test_there_is_no_en_passant(microchess):
    state = microchess.position("3k/4/2p1/3P/K3 w - - 0 1").forward(chess.Move.from_uci("d2d4"))
    assert state.ep_square is None
    assert state.text == "3k/3P/2p1/4/K3 b - - 0 1"
    assert moves(state, of="c3") == ["c3c2"]


def test_a_white_pawn_promotes_on_the_fifth_rank(microchess):
    state = microchess.position("k3/2P1/4/4/K3 w - - 0 1")
    assert moves(state, of="c4") == ["c4c5n", "c4c5b", "c4c5r", "c4c5q"]
    assert state.forward(state.parse("c4c5q")).text == "k1Q1/4/4/4/K3 b - - 0 1"


def test_a_white_pawn_promotes_by_capture(microchess):
    state = microchess.position("k2r/2P1/4/4/K3 w - - 0 1")
    assert moves(state, of="c4d5") == ["c4d5n", "c4d5b", "c4d5r", "c4d5q"]
    assert state.forward(state.parse("c4d5r")).text == "k2R/4/4/4/K3 b - - 0 1"


def test_a_black_pawn_promotes_by_capture(microchess):
    state = microchess.position("3k/4/4/1p2/R2K b - - 0 1")
    assert moves(state, of="b2a1") == ["b2a1n", "b2a1b", "b2a1r", "b2a1q"]
    assert state.forward(state.parse("b2a1n")).text == "3k/4/4/4/n2K w - - 0 2"


@pytest.mark.parametrize("text", ["c4c5", "c4c5k", "c4c5p", "c4d5", "a1a2q"])
def test_a_promotion_names_its_piece_and_nothing_else_does(microchess, text):
    with pytest.raises(IllegalMove):
        microchess.position("k2r/2P1/4/4/K3 w - - 0 1").parse(text)


@pytest.mark.parametrize("text", ["d1e1", "d1e2", "b1e4", "a5a6", "c1e2", "h1h2", "d1d6"])
def test_no_piece_leaves_the_board(microchess, text):
    with pytest.raises(IllegalMove):
        microchess.position("1k2/4/4/4/RBNK w - - 0 1").parse(text)


def test_a_queen_in_the_corner_sees_the_lines_of_four_by_five_squares(microchess):
    state = microchess.position("3k/4/4/4/QK2 w - - 0 1")
    assert [chess.square_name(square) for square in state.attacks(chess.A1)] == [
        "b1", "a2", "b2", "a3", "c3", "a4", "d4", "a5",
    ]  # fmt: skip


def test_squares_beside_the_board_are_not_attacked(microchess):
    state = microchess.start()
    assert not state.attackers(chess.WHITE, chess.E1)
    assert not state.is_attacked_by(chess.BLACK, chess.A6)


def test_a_pinned_piece_stays_in_line(microchess):
    state = microchess.position("k2r/4/4/3R/3K w - - 0 1")
    assert moves(state, of="d2") == ["d2d3", "d2d4", "d2d5"]
    assert moves(microchess.position("k2r/4/4/3N/3K w - - 0 1"), of="d2") == []


def test_a_check_is_answered_by_block_capture_or_king_move(microchess):
    state = microchess.position("k2r/B3/4/R3/3K w - - 0 1")
    assert moves(state) == ["d1c1", "d1c2", "a2d2"]


def test_the_king_does_not_move_along_the_line_of_check(microchess):
    assert "d2d1" not in moves(microchess.position("k2r/4/4/3K/4 w - - 0 1"))


def test_only_the_king_answers_a_double_check(microchess):
    state = microchess.position("1k1r/4/2n1/R3/3K w - - 0 1")
    assert moves(state) == ["d1c1", "d1c2"]
