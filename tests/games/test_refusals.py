"""Every game refuses bad positions with a reason, and everything that is not a legal move."""

import chess
import pytest

import games
from games.errors import BadPosition, IllegalMove

GO = "...../...../...../...../....."
GOMOKU = "/".join(["." * 11] * 11) + " X"
MUSHROOM = "1234/5678/9123"
OTHELLO = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"

#: By game: a text and a part of the reason why it is not a position. Microchess has a longer list in its own tests.
BAD_POSITIONS = {
    "chess": [
        ("", "six fields"), ("nonsense w - - 0 1", "8 rows"), ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "first or last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "without king and rook"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant"), ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "numbers below"),
    ],
    "go:size=5": [
        ("", "the rows joined by /"), (f"{GO} X", "the rows joined by /"),
        (f"{GO[6:]} X 0", "5 rows of 5 cells"), (f"{GO}. X 0", "5 rows of 5 cells"),
        (f"{GO[:-1]}# X 0", "one of .XO, not '#'"), (f"{GO} B 0", "X or O, not 'B'"),
        (f"{GO} X 3", "0, 1 or 2, not '3'"), (f"{GO} X 0".replace(".", "X"), "stone on A5 has no liberty"),
        (f"XO...{GO[5:]} X 0".replace("/.....", "/O....", 1), "stone on A5 has no liberty"),
    ],
    "gomoku": [
        ("", "rows of the board"), (GOMOKU[:-2], "rows of the board"),
        (GOMOKU[12:], "11 rows of 11 cells"), ("." + GOMOKU, "11 rows of 11 cells"),
        (GOMOKU.replace(".", "-", 1), "one of .XO, not '-'"), (GOMOKU[:-1] + "B", "X or O, not 'B'"),
        (GOMOKU.replace("." * 11, "XXXXX.OOOOO", 1), "both sides have five"),
    ],
    "mushroom:rows=3,columns=4": [
        ("", "the rows joined by /"), (f"{MUSHROOM} A", "the rows joined by /"),
        ("1234/5678 A 0", "3 rows of 4 cells"), (f"{MUSHROOM}4 A 0", "3 rows of 4 cells"),
        (f"0{MUSHROOM[1:]} A 0", "one of 123456789AB, not '0'"), (f"C{MUSHROOM[1:]} A 0", "not 'C'"),
        (f"{MUSHROOM} X 0", "A or B, not 'X'"), (f"{MUSHROOM} A 3", "0, 1 or 2, not '3'"),
    ],
    "othello": [
        ("", "64 characters"), (OTHELLO[:-2], "64 characters"), (OTHELLO[1:], "64 characters"),
        ("-" + OTHELLO, "64 characters"), (OTHELLO.replace("O", "0"), "64 characters"),
        (OTHELLO.lower(), "64 characters"), (OTHELLO[:-1] + "B", "X or O, not 'B'"),
    ],
}  # fmt: skip

#: By game: texts that are not legal moves at the start.
NOT_LEGAL = {
    "chess": ["", "e2", "e2e5", "e7e5", "0000", "e2e4q", "E2E4", "Nf3", "P@e4", "e2e4 "],
    "go": ["", "I5", "A0", "A10", "K1", "4D", "D4 ", " D4", "D04", "D", "resign", "D\u0664"],
    "gomoku": ["", "0", "0,0,0", "11,0", "0,11", "-1,0", "00,0", "0, 0", " 0,0", "a,b", "0;0", "0,\u0660"],
    "othello": ["", "d4", "a1", "d9", "i3", "3d", "d3 ", "--", "0", "dd3"],
}

#: By game: things that are not legal moves at the start, though `parse` may read some of them.
NOT_MOVES = {
    "chess": [
        None, 0, "e2e4", [], chess.Move.null(), chess.Move(99, 0), chess.Move.from_uci("e2e5"),
        chess.Move(chess.G1, chess.F3, drop=0), chess.Move.from_uci("P@e4"),
    ],
    "go": [None, 0, "d4", "PASS", ["D4"], ("D4",), b"D4", object()],
    "gomoku": [None, 0, (0, 0), ["0,0"], b"0,0", "11,11", object()],
    "othello": [None, 19, "D3", "a1", ["d3"], ("d3",), b"d3", object()],
}  # fmt: skip


def each(table):
    """Parameters for every game and each of its entries."""
    return [
        pytest.param(games.load(game), entry, id=f"{game}-{number}")
        for game, entries in table.items()
        for number, entry in enumerate(entries)
    ]


@pytest.mark.parametrize(("game", "case"), each(BAD_POSITIONS))
def test_a_bad_position_is_refused_with_a_reason(game, case):
    text, reason = case
    with pytest.raises(BadPosition, match=reason):
        game.position(text)


@pytest.mark.parametrize(("game", "text"), each(NOT_LEGAL))
def test_parse_refuses_a_text_that_is_not_a_legal_move(game, text):
    with pytest.raises(IllegalMove):
        game.start().parse(text)


@pytest.mark.parametrize(("game", "thing"), each(NOT_MOVES))
def test_forward_refuses_anything_that_is_not_a_legal_move(game, thing):
    with pytest.raises(IllegalMove):
        game.start().forward(thing)
