"""Text that a reader of a notation cannot read is reported in one line that names the game."""

import pytest

from results.errors import NotationError
from results.notation import mushroom_log, sgf, transcript

READERS = {
    "log": (mushroom_log.read, "log {} cannot be read: "),
    "SGF": (sgf.read, "game {} of the SGF cannot be read: "),
    "transcript": (transcript.read, "transcript {} cannot be read: "),
}

UNREADABLE = {
    "log": {
        "hello": "a log starts with INIT and the rows of the board, not with 'hello'",
        "INIT": "a log starts with INIT",
        "INIT 55 5": "the board is 2 rows of 2 cells",
        "INIT 05": "not '0'",
        "INIT 55\nSECOND 0 0 0 1 5": "'SECOND 0 0 0 1 5' is out of turn",
        "INIT 55\nFIRST 0 0 0 0 5": "'0 0 0 0' is not a legal move",
        "INIT 55\nFIRST 0 0 0 1": "'FIRST 0 0 0 1' does not agree",
        "INIT 55\nFIRST 0 0 0 1 5\nFINISH\nSCOREFIRST 1\nSCORESECOND 0": "SCOREFIRST 1; SCORESECOND 0' does not",
        "INIT 55\nABORT 2 TLE": "'ABORT 2 TLE' does not",
        "INIT 55\nABORT 0 TLE\nFINISH": "does not agree with the moves",
    },
    "SGF": {
        "hello": "this is not SGF: 'hello'",
        ";B[aa]": "unexpected ;",
        "(;B[aa]": "the text ends inside a game",
        "(;B[aa": "this is not SGF: '[aa'",
        "(;[aa])": "unexpected value",
        "(B[aa])": "unexpected B",
        "(;GM[7])": "GM is 1 (Go) or 4 (Gomoku), not '7'",
        "(;SZ[40])": "size is a whole number from 1 to 19, not 40",
        "(;SZ[9:13])": "9:13",
        "(;KM[much])": "much",
        "(;KM[nan])": "komi is a number",
        "(;SZ[5]AB[ff])": "there is no point 'ff' on this board",
        "(;SZ[5]PL[X?])": "the side to move is X or O, not 'X?'",
        "(;SZ[5];B[a])": "there is no point 'a' on this board",
        "(;SZ[5];B[aa];B[bb])": "B[bb] is out of turn",
        "(;SZ[5];B[aa];W[aa])": "'A5' is not a legal move",
        "(;SZ[5];B[aa];AW[bb])": "stones are set up in the middle of the game",
        "(;GM[4]SZ[5];B[])": "there is no point '' on this board",
    },
    "transcript": {
        "hello": "not a move: 'hello'",
        "f5d": "not a move: 'd'",
        "f5f5": "'f5' is not a legal move",
        "--": "'pass' is not a legal move",
        '[Start "nonsense"]\nf5': "a position is 64 characters",
        '[Start "unclosed]\nf5': "not a move: '[Start",
    },
}
CASES = [(notation, text, reason) for notation, texts in UNREADABLE.items() for text, reason in texts.items()]


@pytest.mark.parametrize(("notation", "text", "reason"), CASES)
def test_unreadable_text_is_reported_in_one_line(notation, text, reason):
    read, message = READERS[notation]
    with pytest.raises(NotationError) as caught:
        read(text)
    assert str(caught.value).startswith(message.format(1))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("notation", "text"),
    [("log", "INIT 55\nINIT 5\nFIRST 0 0 0 0 1"), ("SGF", "(;SZ[5])(;SZ[5];B[zz])"), ("transcript", "f5\na1")],
)
def test_an_error_names_the_number_of_the_game(notation, text):
    read, message = READERS[notation]
    with pytest.raises(NotationError) as caught:
        read(text)
    assert str(caught.value).startswith(message.format(2))
