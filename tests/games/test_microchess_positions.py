"""How microchess positions are written and read."""

import pytest

from games.errors import BadPosition
from games.microchess import MicrochessState

START = "knbr/p3/4/3P/RBNK w Qk - 0 1"
PADDED = "8/8/8/knbr4/p7/8/3P4/RBNK4 w Kk - 0 1"


def test_the_start_position(microchess):
    start = microchess.start()
    assert start.text == START
    assert start.fen() == PADDED.replace("Kk", "Qk")
    assert start.turns == 0


def test_the_board_is_drawn_with_its_coordinates(microchess):
    assert str(microchess.start()).splitlines() == [
        "5 k n b r",
        "4 p . . .",
        "3 . . . .",
        "2 . . . P",
        "1 R B N K",
        "  a b c d",
    ]


@pytest.mark.parametrize("castling", ["Qk", "Kk", "Qq", "Kq"])
@pytest.mark.parametrize("form", [START, PADDED])
def test_both_forms_and_all_castling_letters_are_read(microchess, form, castling):
    fields = form.split()
    assert microchess.position(" ".join([*fields[:2], castling, *fields[3:]])).text == START


@pytest.mark.parametrize(("letters", "kept"), [("Q", "Q"), ("K", "Q"), ("q", "k"), ("k", "k"), ("-", "-")])
def test_castling_letters_stand_for_one_side_each(microchess, letters, kept):
    assert microchess.position(f"k2r/p3/4/3P/R2K w {letters} - 0 1").text == f"k2r/p3/4/3P/R2K w {kept} - 0 1"


@pytest.mark.parametrize(
    ("text", "turns"), [(START, 0), ("k3/4/4/3P/3K b - - 0 1", 1), ("k3/4/4/3P/3K w - - 3 21", 40)]
)
def test_the_turns_follow_the_move_number(microchess, text, turns):
    assert microchess.position(text).turns == turns


BAD = {
    "nothing": ("", "six fields"),
    "no counters": ("knbr/p3/4/3P/RBNK w Qk -", "six fields"),
    "too much": (START + " 1", "six fields"),
    "clock is no number": ("knbr/p3/4/3P/RBNK w Qk - x 1", "numbers below 10000"),
    "clock below 0": ("knbr/p3/4/3P/RBNK w Qk - -1 1", "numbers below 10000"),
    "move number is no number": ("knbr/p3/4/3P/RBNK w Qk - 0 1.5", "numbers below 10000"),
    "huge move number": ("knbr/p3/4/3P/RBNK w Qk - 0 99999999999", "numbers below 10000"),
    "digits of another script": ("knbr/p3/4/3P/RBNK w Qk - \u0661 1", "numbers below 10000"),
    "move number 0": ("knbr/p3/4/3P/RBNK w Qk - 0 0", "starts at 1"),
    "no side": ("knbr/p3/4/3P/RBNK x Qk - 0 1", "'w' or 'b'"),
    "castling to no side": ("knbr/p3/4/3P/RBNK w X - 0 1", "castling is written"),
    "castling twice": ("knbr/p3/4/3P/RBNK w KQ - 0 1", "castling is written"),
    "castling, wrong order": ("knbr/p3/4/3P/RBNK w kQ - 0 1", "castling is written"),
    "White's right without rook": ("knbr/p3/4/3P/1BNK w Q - 0 1", "without king and rook in place"),
    "White's right without king": ("knbr/p3/4/3P/RBKN w Q - 0 1", "without king and rook in place"),
    "Black's right without rook": ("knb1/p3/4/3P/RBNK w k - 0 1", "without king and rook in place"),
    "Black's right with White's rook": ("knbR/p3/4/3P/RBNK w k - 0 1", "without king and rook in place"),
    "en passant": ("k3/4/4/3P/3K b - d3 0 1", "no en passant"),
    "four ranks": ("knbr/p3/4/RBNK w Qk - 0 1", "5 ranks of 4 squares"),
    "three squares": ("knb/p3/4/3P/RBNK w - - 0 1", "3 squares instead of 4"),
    "five squares": ("knbr1/p3/4/3P/RBNK w - - 0 1", "5 squares instead of 4"),
    "numbers side by side": ("knbr/p12/4/3P/RBNK w - - 0 1", "numbers of empty squares"),
    "no such piece": ("knbx/p3/4/3P/RBNK w - - 0 1", "numbers of empty squares"),
    "an empty rank": ("knbr/p3//3P/RBNK w - - 0 1", "numbers of empty squares"),
    "a piece beside the board": ("8/8/8/knbr4/p7/8/3P4/RBNK3Q w - - 0 1", "outside the squares a1 to d5"),
    "a piece above the board": ("q7/8/8/knbr4/p7/8/3P4/RBNK4 w - - 0 1", "outside the squares a1 to d5"),
    "chess": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "castling is written"),
    "no white king": ("k3/4/4/4/3R w - - 0 1", "White has no king"),
    "no black king": ("3r/4/4/4/3K w - - 0 1", "Black has no king"),
    "nobody": ("4/4/4/4/4 w - - 0 1", "White has no king; Black has no king"),
    "two white kings": ("k3/4/4/4/2KK w - - 0 1", "more than two kings"),
    "two white kings, no black one": ("K3/4/4/4/3K w - - 0 1", "Black has no king"),
    "white pawn on rank 5": ("k2P/4/4/4/3K w - - 0 1", "first or last rank"),
    "white pawn on rank 1": ("k3/4/4/4/P2K w - - 0 1", "first or last rank"),
    "black pawn on rank 1": ("k3/4/4/4/p2K w - - 0 1", "first or last rank"),
    "the side not to move in check": ("k3/4/4/4/R2K w - - 0 1", "the side not to move is in check"),
    "kings side by side": ("4/4/4/2k1/3K w - - 0 1", "the side not to move is in check"),
}


@pytest.mark.parametrize(("text", "words"), BAD.values(), ids=BAD)
def test_a_bad_position_is_refused_with_a_reason(microchess, text, words):
    with pytest.raises(BadPosition, match=words):
        microchess.position(text)


def test_a_position_that_is_not_text_is_refused(microchess):
    with pytest.raises(BadPosition):
        microchess.position(None)


def test_python_chess_set_fen_keeps_the_board_when_it_refuses():
    state = MicrochessState()
    for text in ("knbr/p3/4/3P/RBNK w X - 0 1", "k/4/4/4/3K w - - 0 1", "k3/4/4/4/3K w - e3 0 1"):
        with pytest.raises(ValueError, match=r"castling|squares|en passant"):
            state.set_fen(text)
        assert state.text == START


def test_a_short_fen_is_filled_up_by_set_fen():
    state = MicrochessState("k3/4/4/4/3K b")
    assert state.text == "k3/4/4/4/3K b - - 0 1"


def test_three_checkers_may_be_set_up(microchess):
    assert microchess.position("k2r/1b2/2n1/r3/3K w - - 0 1").is_check()
