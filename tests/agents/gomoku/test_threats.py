"""The board that knows its threats, in diagrams; and that a stone taken back leaves no trace."""

import copy
import random

import pytest

import games
from agents.gomoku.threats import Threats, points
from games.base import BLACK, WHITE

OPEN_THREE = """
    .........
    .........
    .........
    ...XXX...
    .........
    .........
    .....O...
    ....O....
    ........."""
BROKEN_THREE = """
    .........
    ..X......
    .........
    ....X....
    .....X...
    .........
    ......O..
    ....O....
    ........."""
CLOSED_FOUR = """
    .........
    .........
    .........
    OXXXX....
    .........
    .........
    .....O...
    ....O....
    ........."""
TWO_LINES = """
    .........
    .........
    ....X....
    ....X....
    ..XX.....
    .........
    .O.......
    ....O....
    ........."""


def names(board, bits):
    return {f"{point % board.size},{point // board.size}" for point in points(bits)}


def test_an_open_three_can_become_an_open_four_in_two_ways(drawn):
    board = Threats.read(drawn(OPEN_THREE).text)
    assert names(board, board.wins[BLACK]) == {"2,3", "6,3"}
    assert names(board, board.fours[BLACK]) == {"1,3", "7,3"}
    assert board.fives == [0, 0]


def test_a_gap_closed_makes_an_open_four(drawn):
    board = Threats.read(drawn(BROKEN_THREE).text)
    assert "3,2" in names(board, board.wins[BLACK])
    assert board.fives == [0, 0]


def test_a_closed_four_is_made_five_at_one_point(drawn):
    board = Threats.read(drawn(CLOSED_FOUR).text)
    assert names(board, board.fives[BLACK]) == {"5,3"}
    assert board.fives[WHITE] == 0


def test_two_open_threes_meet_in_a_point_that_is_worth_more_than_its_lines(drawn):
    board = Threats.read(drawn(TWO_LINES).text)
    (meeting,) = (point for point in points(board.open) if names(board, 1 << point) == {"4,4"})
    assert board.values[BLACK][meeting] == max(board.values[BLACK])


def test_an_open_three_is_answered_at_its_ends_or_by_a_four(drawn):
    state = drawn(OPEN_THREE, "O")
    board = Threats.read(state.text)
    before = vars(copy.deepcopy(board))
    assert names(board, board.answers()) == {"2,3", "6,3"}
    assert vars(board) == before


def test_whoever_has_a_four_of_his_own_may_answer_with_it(drawn):
    state = drawn(
        """
        .........
        .........
        .........
        ...XXX...
        .........
        .........
        .........
        XOOO.....
        .........""",
        "O",
    )
    board = Threats.read(state.text)
    assert names(board, board.answers()) == {"2,3", "6,3", "4,7", "5,7"}


@pytest.mark.parametrize("size", [5, 6, 9, 11, 15, 20])
def test_the_threats_are_those_that_the_rules_show(size):
    rng = random.Random(size)
    state = games.load(f"gomoku:size={size}").start()
    for _ in range(min(40, size * size - 1)):
        if state.is_game_over():
            break
        board = Threats.read(state.text)
        for color in (BLACK, WHITE):
            own = type(state)(state.board, state.black, state.white, color)
            winning = {move for move in state.legal_moves if own.forward(move).is_game_over()}
            winning = {move for move in winning if own.forward(move).ending.winner == color}
            assert names(board, board.fives[color]) == winning
        state = state.forward(rng.choice(state.legal_moves))


@pytest.mark.parametrize("size", [5, 7, 11])
def test_a_move_taken_back_leaves_no_trace(size):
    rng = random.Random(size)
    board = Threats(size)
    line, pictures = [], []
    for _ in range(size * size):
        pictures.append(copy.deepcopy(vars(board)))
        line.append(rng.choice(list(points(board.open))))
        board.put(line[-1])
    for point in reversed(line):
        board.lift(point)
        assert vars(board) == pictures.pop()


def test_a_board_that_was_played_on_is_the_board_that_was_read():
    rng = random.Random(3)
    state = games.load("gomoku").start()
    board = Threats.read(state.text)
    while not state.is_game_over():
        assert vars(board) == vars(Threats.read(state.text))
        move = rng.choice(state.legal_moves)
        x, y = map(int, move.split(","))
        board.put(y * board.size + x)
        state = state.forward(move)
