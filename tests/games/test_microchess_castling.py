"""Castling in microchess: White Kd1-b1 with Ra1-c1, Black Ka5-c5 with Rd5-b5."""

import chess
import pytest

from games.base import WHITE
from games.errors import IllegalMove

READY = "k2r/p3/4/3P/R2K {side} Qk - 0 1"
WHITE_CASTLES, BLACK_CASTLES = chess.Move.from_uci("d1b1"), chess.Move.from_uci("a5c5")


def after(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


@pytest.mark.parametrize(
    ("side", "move", "expected"),
    [
        ("w", "d1b1", "k2r/p3/4/3P/1KR1 b k - 1 1"), ("w", "d1a1", "k2r/p3/4/3P/1KR1 b k - 1 1"),
        ("b", "a5c5", "1rk1/p3/4/3P/R2K w Q - 1 2"), ("b", "a5d5", "1rk1/p3/4/3P/R2K w Q - 1 2"),
    ],
)  # fmt: skip
def test_king_and_rook_land_beside_each_other(microchess, side, move, expected):
    assert after(microchess.position(READY.format(side=side)), move).text == expected


@pytest.mark.parametrize(("side", "move"), [("w", "d1b1"), ("b", "a5c5")])
def test_castling_is_one_of_ten_moves(microchess, side, move):
    moves = [str(move) for move in microchess.position(READY.format(side=side)).legal_moves]
    assert len(moves) == 10
    assert move in moves


@pytest.mark.parametrize(("side", "text", "alias"), [("w", "d1b1", "d1a1"), ("b", "a5c5", "a5d5")])
def test_the_rook_square_is_another_way_to_write_it(microchess, side, text, alias):
    state = microchess.position(READY.format(side=side))
    move = chess.Move.from_uci(alias)
    assert move in state.legal_moves
    assert state.is_legal(move)
    assert str(state.parse(alias)) == text
    assert str(state.parse_uci(alias)) == text
    assert [str(made) for made in state.forward(move).move_stack] == [text]
    state.push(move)
    assert [str(made) for made in state.move_stack] == [text]


def test_the_rook_square_is_not_castling_without_the_right(microchess):
    state = microchess.position("k2r/p3/4/3P/R2K w - - 0 1")
    assert chess.Move.from_uci("d1a1") not in state.legal_moves
    with pytest.raises(IllegalMove):
        state.parse("d1a1")


def test_a_rook_may_take_where_a_king_would_castle(microchess):
    state = microchess.position("k3/p3/4/K3/r2R w - - 0 1")
    assert state.forward(state.parse("d1a1")).text == "k3/p3/4/K3/R3 b - - 0 1"


#: Positions in which the side to move may not castle.
NO_CASTLING = {
    "White: both squares taken": "knbr/p3/4/3P/RBNK w Qk - 0 1",
    "White: b1 taken": "k2r/p3/4/3P/RB1K w Qk - 0 1",
    "White: c1 taken": "k2r/p3/4/3P/R1NK w Qk - 0 1",
    "White: no right": "k2r/p3/4/3P/R2K w k - 0 1",
    "White: out of check": "k2r/p3/4/4/R2K w Qk - 0 1",
    "White: through check": "k1r1/p3/4/3P/R2K w Q - 0 1",
    "White: into check": "kr2/p3/4/3P/R2K w Q - 0 1",
    "White: into a pawn's check": "k3/p3/4/p2P/R2K w Q - 0 1",
    "Black: both squares taken": "knbr/p3/4/3P/RBNK b Qk - 0 1",
    "Black: b5 taken": "kn1r/p3/4/3P/R2K b Qk - 0 1",
    "Black: c5 taken": "k1br/p3/4/3P/R2K b Qk - 0 1",
    "Black: no right": "k2r/p3/4/3P/R2K b Q - 0 1",
    "Black: out of check": "k2r/4/4/3P/R2K b Qk - 0 1",
    "Black: through check": "k2r/p3/4/3P/1R1K b k - 0 1",
    "Black: into check": "k2r/p3/4/3P/2RK b k - 0 1",
    "Black: into a pawn's check": "k2r/p2P/4/4/R2K b Qk - 0 1",
}


@pytest.mark.parametrize("position", NO_CASTLING.values(), ids=NO_CASTLING)
def test_castling_is_not_legal(microchess, position):
    state = microchess.position(position)
    castling, texts = (WHITE_CASTLES, ("d1b1", "d1a1")) if state.turn == WHITE else (BLACK_CASTLES, ("a5c5", "a5d5"))
    assert castling not in state.legal_moves
    assert castling not in list(state.legal_moves)
    assert not state.is_pseudo_legal(castling)
    assert list(state.generate_castling_moves()) == []
    for text in texts:
        with pytest.raises(IllegalMove):
            state.parse(text)


def test_an_attacked_rook_may_castle(microchess):
    assert WHITE_CASTLES in microchess.position("k3/r3/4/3P/R2K w Q - 0 1").legal_moves
    assert BLACK_CASTLES in microchess.position("k2r/p3/3R/4/3K b k - 0 1").legal_moves


@pytest.mark.parametrize(
    ("moves", "rights"),
    [
        ("d1c1 a4a3", "k"),
        ("d1c1 a5b5 c1d1 b5a5", "-"),
        ("a1b1 d5c5 b1a1 c5d5", "-"),
        ("d2d3 a4a3", "Qk"),
        ("d1b1 a4a3", "k"),
    ],
)
def test_moving_king_or_rook_loses_the_right(microchess, moves, rights):
    assert after(microchess.position(READY.format(side="w")), moves).text.split()[2] == rights


def test_a_lost_right_is_lost_at_once(microchess):
    state = after(microchess.position(READY.format(side="b")), "a5b5")
    assert state.castling_rights == chess.BB_A1
    assert state.is_valid()


def test_capturing_the_rook_removes_the_right(microchess):
    assert after(microchess.position("k2r/p3/2b1/3P/R2K b Qk - 0 1"), "c3a1").text.split()[2] == "k"
    assert after(microchess.position("k2r/p3/1B2/3P/R2K w Qk - 0 1"), "b3d5").text.split()[2] == "Q"


@pytest.mark.parametrize("side", ["w", "b"])
def test_castling_can_be_taken_back(microchess, side):
    state = microchess.position(READY.format(side=side))
    before = state.text
    state.push(WHITE_CASTLES if side == "w" else BLACK_CASTLES)
    state.pop()
    assert state.text == before


def test_castling_has_the_san_of_its_side(microchess):
    white, black = (microchess.position(READY.format(side=side)) for side in "wb")
    assert (white.san(WHITE_CASTLES), black.san(BLACK_CASTLES)) == ("O-O-O", "O-O")
    assert (white.parse_san("O-O-O"), black.parse_san("O-O")) == (WHITE_CASTLES, BLACK_CASTLES)


def test_python_chess_can_be_asked_for_the_rights(microchess):
    state = microchess.position(READY.format(side="w"))
    assert state.has_castling_rights(chess.WHITE)
    assert state.has_queenside_castling_rights(chess.WHITE)
    assert not state.has_kingside_castling_rights(chess.WHITE)
    assert state.has_kingside_castling_rights(chess.BLACK)
    assert not state.has_queenside_castling_rights(chess.BLACK)
    assert not state.has_chess960_castling_rights()
    assert state.castling_shredder_fen() == "Ad"
    assert state.is_castling(WHITE_CASTLES)
    assert state.is_queenside_castling(WHITE_CASTLES)
    assert state.is_irreversible(WHITE_CASTLES)
    assert list(state.generate_castling_moves()) == [WHITE_CASTLES]
