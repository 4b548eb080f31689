"""The board on which moves are taken back: it follows the rules, and undoing leaves no trace."""

import random

import pytest

import games
from agents.mushroom.board import PASS, Board, written

SHAPES = ["mushroom", "mushroom:rows=1,columns=12", "mushroom:rows=30,columns=30", "mushroom:rows=5,columns=6"]


def picture(board):
    return board.text, board.rows, board.turn, board.passes, list(board.owned), board.lead


@pytest.mark.parametrize("name", SHAPES)
def test_a_game_on_the_board_is_the_game_of_the_rules(name):
    rng = random.Random(name)
    state = games.load(name).start(3)
    board = Board.read(state.text)
    while not state.is_game_over():
        choices = {written(choice.move): choice for choice in board.choices()}
        assert set(choices) == set(state.legal_moves)
        move = rng.choice(state.legal_moves)
        state = state.forward(move)
        board.push(choices[move].move)
        assert board.text == state.text
    assert board.over


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_a_move_taken_back_leaves_no_trace(name, seed):
    rng = random.Random(seed)
    board = Board.read(games.load(name).start(seed).text)
    pictures = []
    while not board.over and len(pictures) < 60:
        pictures.append(repr(picture(board)))
        board.push(rng.choice(board.choices()).move)
    while pictures:
        board.pop()
        assert repr(picture(board)) == pictures.pop()


def test_the_gain_is_the_growth_of_the_lead():
    rng = random.Random(5)
    board = Board.read(games.load("mushroom").start(5).text)
    while not board.over:
        for move, gain, taken in board.choices():
            lead, theirs = board.lead, board.owned[not board.turn]
            board.push(move)
            assert -board.lead - lead == gain
            assert theirs - board.owned[board.turn] == taken
            board.pop()
        board.push(rng.choice(board.choices()).move)


def test_the_greatest_gain_comes_first_and_the_pass_last():
    board = Board.read(games.load("mushroom").start(1).text)
    *rectangles, last = board.choices(seed=99)
    gains = [choice.gain for choice in rectangles]
    assert gains == sorted(gains, reverse=True)
    assert last.move == PASS


def test_the_seed_decides_between_equals_and_nothing_else():
    board = Board.read(games.load("mushroom").start(1).text)
    one, other = board.choices(seed=2**62 + 12345), board.choices(seed=2**61 + 987655)
    assert one != other
    assert sorted(one) == sorted(other)
    assert [choice.gain for choice in one] == [choice.gain for choice in other]


def test_a_copy_is_independent():
    board = Board.read(games.load("mushroom").start(1).text)
    before, twin = board.text, board.copy()
    twin.push(twin.choices()[0].move)
    assert board.text == before != twin.text
