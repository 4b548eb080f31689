"""Gomoku: five in a line, full boards, texts and pictures."""

import copy
import pickle

import pytest

import games
from games.base import BLACK, WHITE, Ending
from games.contract import check
from games.errors import IllegalMove, UnknownGame
from games.gomoku import Gomoku

EMPTY = "/".join(["." * 11] * 11) + " X"
FULL_BUT_ONE = "XOXOX/XOXOX/OXOXO/XOXOX/OXOX. O"


def position(*rows, side, size=7):
    rows = [*rows, *[""] * (size - len(rows))]
    return Gomoku(size=size).position("/".join(row.ljust(size, ".") for row in rows) + " " + side)


def after(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


def test_the_start_position():
    start = Gomoku().start()
    assert start.text == EMPTY
    assert (start.turn, start.turns) == (BLACK, 0)
    assert len(start.legal_moves) == 121
    assert start.legal_moves[:3] == ("0,0", "1,0", "2,0")
    assert start.legal_moves[11] == "0,1"
    assert start.legal_moves[-1] == "10,10"


def test_a_move_names_the_column_before_the_row():
    state = after(Gomoku(size=5).start(), "3,0 0,4")
    assert state.text == "...X./...../...../...../O.... X"
    assert (state.turn, state.turns) == (BLACK, 2)


def test_the_board_is_drawn_with_its_coordinates():
    assert str(after(Gomoku(size=5).start(), "3,0 0,4")).splitlines() == [
        "  0 1 2 3 4",
        "0 . . . X .",
        "1 . . . . .",
        "2 . . . . .",
        "3 . . . . .",
        "4 O . . . .",
    ]
    assert str(Gomoku().start()).splitlines()[0] == "    0  1  2  3  4  5  6  7  8  9 10"


def test_a_taken_point_is_not_free():
    state = after(Gomoku().start(), "5,5")
    assert "5,5" not in state.legal_moves
    with pytest.raises(IllegalMove):
        state.forward("5,5")


LINES = {
    "row": (["", ".OOOO"], "5,1"),
    "last row": (["", "", "", "", "", "", "..OOO.O"], "5,6"),
    "column": (["", ".O", ".O", ".O", ".O"], "1,5"),
    "last column": (["......O", "......O", "", "......O", "......O"], "6,2"),
    "diagonal": (["", ".O", "..O", "", "....O", ".....O"], "3,3"),
    "other diagonal": (["", "", "....O", "...O", "..O", ".O"], "5,1"),
    "corner to corner": (["O", ".O", "..O", "...O"], "4,4"),
}


@pytest.mark.parametrize(("rows", "move"), LINES.values(), ids=LINES)
def test_five_in_a_line_win(rows, move):
    state = position(*rows, side="O")
    assert state.ending is None
    won = after(state, move)
    assert won.ending == won.adjudicate() == Ending(WHITE, "five")
    assert won.is_game_over()
    assert won.legal_moves == ()
    with pytest.raises(IllegalMove):
        won.forward("0,6")


def test_more_than_five_win_too():
    assert after(position(".XX.XXX", side="X"), "3,0").ending == Ending(BLACK, "five")


def test_the_first_side_wins_as_well():
    state = after(Gomoku().start(), "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1")
    assert state.ending is None
    assert after(state, "4,0").ending == Ending(BLACK, "five")


@pytest.mark.parametrize(
    "rows",
    [
        ["....XXX", "XX"],
        ["..XXXX.", "X"],
        ["", ".....X", "......X", "", "X", ".X", "..X"],
        [".X", "X", "......X", ".....X", "....X"],
        ["XX.XX"],
        ["XXOXX"],
        ["XXXX"],
    ],
)
def test_a_line_does_not_wrap_around_and_has_no_gap(rows):
    assert position(*rows, side="O").ending is None


def test_a_full_board_is_a_draw():
    state = Gomoku(size=5).position(FULL_BUT_ONE)
    assert state.legal_moves == ("4,4",)
    assert after(state, "4,4").ending == Ending(None, "full-board")


def test_five_on_a_full_board_win():
    state = Gomoku(size=5).position("XOXOO/XOXXO/OXOXO/XOXOO/OXOX. O")
    assert after(state, "4,4").ending == Ending(WHITE, "five")


def test_a_game_that_must_stop_is_a_draw():
    assert position("XXXX", side="X").adjudicate() == Ending(None, "adjudication")


def test_any_number_of_stones_can_be_set_up():
    state = position("OOO", side="X")
    assert (state.turn, state.turns) == (BLACK, 0)
    assert state.text.startswith("OOO....")


def test_states_are_values():
    state = after(Gomoku().start(), "5,5")
    assert state == after(Gomoku().start(), "5,5") != after(Gomoku().start(), "5,6")
    assert Gomoku(size=5).start() != Gomoku(size=6).start()
    assert len({state, copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))}) == 1


@pytest.mark.parametrize("size", [4, 21, 5.5, "big"])
def test_a_board_of_another_size_is_refused_with_a_reason(size):
    with pytest.raises(UnknownGame, match="gomoku: size is a whole number from 5 to 20"):
        games.load(f"gomoku:size={size}")


@pytest.mark.parametrize("size", [5, 20])
def test_the_smallest_and_the_largest_board_keep_the_contract(size):
    assert Gomoku(size=size).parameters == {"size": size}
    check(Gomoku(size=size), games=1)


def test_the_picture_has_a_stone_for_each_stone_and_marks_the_last_move():
    svg = after(Gomoku().start(), "5,5 4,4 0,10").svg("0,10")
    assert svg.count("<use") == 3
    assert svg.count('class="last"') == 1
    assert 'class="last" cx="22.5" cy="472.5"' in svg
    assert 'class="last"' not in Gomoku().start().svg()
    assert svg.count("<text") == 22
