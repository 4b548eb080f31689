"""Othello: enclosing, turning, passing and counting."""

import copy
import pickle

import pytest

from games.base import BLACK, WHITE, Ending, Margin
from games.errors import IllegalMove
from games.othello import Othello

START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"


def position(*rows, side):
    return Othello().position("".join(row.ljust(8, "-") for row in [*rows, *[""] * (8 - len(rows))]) + " " + side)


def after(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


def test_the_start_position():
    start = Othello().start()
    assert start.text == START
    assert (start.turn, start.turns) == (BLACK, 0)
    assert list(start.legal_moves) == ["d3", "c4", "f5", "e6"]


def test_the_board_is_drawn_with_its_coordinates():
    assert str(Othello().start()).splitlines()[:5] == [
        "  a b c d e f g h",
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . . . . . .",
        "4 . . . O X . . .",
    ]


def test_an_enclosed_disc_turns():
    assert str(after(Othello().start(), "d3")).splitlines()[3:6] == [
        "3 . . . X . . . .",
        "4 . . . X X . . .",
        "5 . . . X O . . .",
    ]


def test_discs_turn_in_all_eight_directions():
    state = position(
        "X--X--X-",
        "-O-O-O--",
        "--OOO---",
        "XOO-OOOX",
        "--OOO---",
        "-O-O-O--",
        "X--O--X-",
        "---X----",
        side="X",
    )
    assert "O" not in after(state, "d4").text[:-2]


def test_a_row_does_not_wrap_around():
    assert list(position("------XO", "O-------", "-X------", side="X").legal_moves) == ["pass"]
    assert list(position("------XO", "OX------", side="X").legal_moves) == ["pass"]


def test_a_row_that_is_open_at_its_end_does_not_turn():
    state = position("XOO-O---", side="X")
    assert after(state, "d1").text.startswith("XXXXO---")


def test_a_player_without_a_move_must_pass():
    state = position("XO-", side="O")
    assert list(state.legal_moves) == ["pass"]
    passed = after(state, "pass")
    assert (passed.turn, passed.turns) == (BLACK, 1)
    assert list(passed.legal_moves) == ["c1"]


def test_a_player_with_a_move_cannot_pass():
    with pytest.raises(IllegalMove):
        Othello().start().parse("pass")
    with pytest.raises(IllegalMove):
        Othello().start().forward("pass")


@pytest.mark.parametrize(
    ("rows", "ending"),
    [
        (["XXX", "", "", "O"], Ending(BLACK, "discs", Margin(3, 1, "discs"))),
        (["OOOOO"], Ending(WHITE, "discs", Margin(0, 5, "discs"))),
        (["X-O"], Ending(None, "discs", Margin(1, 1, "discs"))),
        (["XXXXXXXX"] * 4 + ["OOOOOOOO"] * 4, Ending(None, "discs", Margin(32, 32, "discs"))),
    ],
)
def test_the_game_ends_when_nobody_can_move_and_more_discs_win(rows, ending):
    state = position(*rows, side="X")
    assert state.ending == ending
    assert state.is_game_over()
    assert list(state.legal_moves) == []
    assert state.adjudicate() == ending


def test_a_game_that_must_stop_is_decided_by_discs():
    assert after(Othello().start(), "d3").adjudicate() == Ending(BLACK, "adjudication", Margin(4, 1, "discs"))


def test_the_shortest_game_in_which_white_loses_all_discs():
    state = after(Othello().start(), "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert state.ending == Ending(BLACK, "discs", Margin(13, 0, "discs"))


def test_upper_case_is_read_and_lower_case_written():
    assert Othello().start().parse("D3") == "d3"
    assert position("XO-", side="O").parse("PASS") == "pass"


def test_a_position_starts_with_no_turns_made():
    text = after(Othello().start(), "d3 c3").text
    assert Othello().position(text).turns == 0


def test_states_are_values():
    state = after(Othello().start(), "d3")
    assert state == after(Othello().start(), "d3")
    assert len({state, copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))}) == 1


def test_there_are_no_parameters():
    with pytest.raises(TypeError, match="turns"):
        Othello(turns=5)
    assert Othello().parameters == {}


def test_the_picture_has_a_disc_for_each_disc_and_marks_the_last_move():
    svg = after(Othello().start(), "d3").svg("d3")
    assert svg.count("<use") == 5
    assert svg.count('class="last"') == 1
    assert 'class="last"' not in Othello().start().svg("pass")
    assert svg.count("<text") == 16
