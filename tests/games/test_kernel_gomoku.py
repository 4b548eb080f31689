"""The Gomoku kernel does what its specification does, faster, and withstands misuse."""

import copy
import dataclasses
import gc
import pickle
import random
import weakref

import pytest

from agents.evaluation import balance
from games import _native_gomoku as kernel
from games._grid import grid
from games.base import BLACK, WHITE, Ending
from games.errors import IllegalMove
from games.gomoku import Gomoku, GomokuState, LiveState

START = Gomoku().start()
SIZES = range(5, 21)


def specified(state):
    """The same state in the specification's form."""
    return GomokuState(state.board, state.black, state.white, state.turn, state.turns)


def look(state, *, closely):
    moves = state.legal_moves
    chosen = moves if closely else moves[:: 1 + len(moves) // 4]
    return (
        [state.text, state.turn, state.turns, tuple(moves), state.ending, state.is_game_over(), state.adjudicate()],
        [state.board, state.black, state.white, hash(state)],
        [(after.text, after.turn, after.turns, after.ending) for after in map(state.forward, chosen)],
        [state.parse(move) for move in chosen],
        [str(state), state.svg(*moves[:1])] if closely else [],
    )


def assert_equal(state, *, closely=False):
    twin = specified(state)
    assert type(state) is LiveState
    assert look(state, closely=closely) == look(twin, closely=closely)
    assert state == twin
    assert kernel.key(state) == kernel.key(twin)


def random_board(rng):
    """A board of any shape with random stones, which need not occur in a game."""
    board = grid(rng.randint(1, 20), rng.randint(1, 20))
    weights = rng.choice([(8, 1, 1), (2, 1, 1), (1, 1, 1), (1, 9, 1), (0, 1, 1)])
    cells = rng.choices(".XO", weights, k=len(board.points))
    black, white = (
        sum(point for point, cell in zip(board.points, cells, strict=True) if cell == symbol) for symbol in "XO"
    )
    return LiveState(board, black, white, rng.choice([BLACK, WHITE]), rng.randint(0, 400))


@pytest.mark.parametrize("size", SIZES)
def test_kernel_and_specification_agree_on_random_games(size, walk):
    for number, state in enumerate(walk(Gomoku(size=size), size)):
        assert_equal(state, closely=number % 50 == 0)


def test_kernel_and_specification_agree_on_random_boards():
    rng = random.Random(1)
    for number in range(600):
        assert_equal(random_board(rng), closely=number % 20 == 0)


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions(walk):
    for size in SIZES:
        for seed in range(10):
            for state in walk(Gomoku(size=size), 100 + seed):
                assert_equal(state)
    rng = random.Random(2)
    for number in range(8000):
        assert_equal(random_board(rng), closely=number % 20 == 0)


def lines(size):
    """All lines of five points on a board, and all that would be lines if its edges were not there."""
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                yield [(row + down * place, column + right * place) for place in range(5)]


@pytest.mark.parametrize("size", [5, 6, 11, 20])
def test_five_in_any_line_win_whichever_stone_is_last(size):
    rng = random.Random(size)
    empty = Gomoku(size=size).start()
    for line in lines(size):
        if any(not 0 <= place < size for point in line for place in point):
            continue
        *before, last = rng.sample(line, 5)
        bits = sum(1 << row * (size + 1) + column for row, column in before)
        state = LiveState(empty.board, 0, bits, WHITE)
        assert state.ending is None
        assert state.forward(f"{last[1]},{last[0]}").ending == Ending(WHITE, "five")


@pytest.mark.parametrize("size", [5, 6, 11, 20])
def test_a_line_does_not_continue_at_the_other_edge(size):
    empty = Gomoku(size=size).start()
    for line in lines(size):
        wrapped = {((row + column // size) % size, column % size) for row, column in line}
        if wrapped == set(line):
            continue
        state = LiveState(empty.board, sum(1 << row * (size + 1) + column for row, column in wrapped), 0, WHITE)
        assert state.ending == specified(state).ending


def test_a_full_board_is_a_draw_at_the_last_stone():
    rows = ["XXOO", "OOXX", "XXOO", "OOX."]
    board = grid(4, 4)
    found = board.stones("/".join(rows))
    state = LiveState(board, found[BLACK], found[WHITE], BLACK)
    assert state.legal_moves == ("3,3",)
    assert state.forward("3,3").ending == Ending(None, "full-board")


def test_perft_gives_the_known_numbers():
    assert [kernel.perft(START, depth) for depth in range(4)] == [1, 121, 14_520, 1_727_880]
    assert kernel.perft(START, 4) == 121 * 120 * 119 * 118


def test_perft_agrees_with_the_specification_on_random_positions(walk, perft):
    rng = random.Random(5)
    crowded = [state for seed in range(12) for state in list(walk(Gomoku(size=5), seed))[-8:]]
    for state in rng.sample(crowded, 40):
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [
            perft(specified(state), depth) for depth in (1, 2, 3)
        ]


def test_a_finished_game_has_no_moves():
    state = LiveState(START.board, 0b11111, 0, WHITE)
    assert [kernel.perft(state, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(state, 10, 1) == (0, 0, 10)
    assert state.legal_moves == ()


def test_different_positions_have_different_keys(walk):
    states = {state.text: state for size in SIZES for state in walk(Gomoku(size=size), size)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    one, other = (LiveState(START.board, 1, 2, turn) for turn in (BLACK, WHITE))
    assert kernel.key(one) != kernel.key(other)
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))


def test_a_key_does_not_depend_on_the_order_of_moves():
    one, other = START, START
    for move in ("0,0", "1,1", "2,2", "3,3"):
        one = one.forward(move)
    for move in ("2,2", "3,3", "0,0", "1,1"):
        other = other.forward(move)
    assert one == other
    assert kernel.key(one) == kernel.key(other)


def test_random_games_have_plausible_results():
    white, drawn, black = kernel.playouts(Gomoku(size=5).start(), 20_000, 1)
    assert white + drawn + black == 20_000
    # Random players fill the smallest board more often than not; who begins wins more of the rest.
    assert drawn > black > white > 1000


def test_an_evaluation_accepts_states_of_the_kernel():
    state = START.forward("5,5")
    assert balance(state, BLACK) == balance(specified(state), BLACK)


class Shape:
    """Something with the sides of a board."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns


BOARD = START.board


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ((), TypeError),
        ((BOARD, 1, 2), TypeError),
        ((None, 1, 2, BLACK), AttributeError),
        ((Shape("11", 11), 1, 2, BLACK), TypeError),
        ((Shape(11, 0), 1, 2, BLACK), ValueError),
        ((Shape(21, 11), 1, 2, BLACK), ValueError),
        ((Shape(-1, 11), 1, 2, BLACK), ValueError),
        ((BOARD, "1", 2, BLACK), TypeError),
        ((BOARD, 1, None, BLACK), TypeError),
        ((BOARD, 1, 2, 0), TypeError),
        ((BOARD, -1, 2, BLACK), ValueError),
        ((BOARD, 1, 1, BLACK), ValueError),
        ((BOARD, 1 << 11, 0, BLACK), ValueError),
        ((BOARD, 0, 1 << 11 * 12, BLACK), ValueError),
        ((BOARD, 1 << 9999, 0, BLACK), ValueError),
        ((BOARD, 1, 2, BLACK, -1), ValueError),
        ((BOARD, 1, 2, BLACK, 1 << 99), ValueError),
        ((BOARD, 1, 2, BLACK, None), TypeError),
    ],
)
def test_invalid_fields_are_refused(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_without_init_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.black, state.white, state.turns, state.legal_moves) == (0, 0, 0, ())
    assert (kernel.perft(state, 2), kernel.playouts(state, 2, 1)) == (0, (0, 2, 0))
    assert state.text == " X"
    for ask in (hash, str, lambda state: state.ending, lambda state: state.forward("0,0"), pickle.dumps):
        with pytest.raises(AttributeError, match="board"):
            ask(state)


def test_a_board_set_by_force_is_harmless():
    state = LiveState(BOARD, 1, 2, BLACK)
    GomokuState.board.__set__(state, grid(3, 3))
    assert state.forward("10,10").legal_moves == START.legal_moves[2:-1]
    GomokuState.board.__delete__(state)
    assert state.forward("10,10").turns == 1
    with pytest.raises(AttributeError):
        hash(state)


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    @property
    def ending(self):
        return Ending(WHITE, "whim") if self.turns == 1 else super().ending


def test_a_subclass_may_override_the_rules():
    state = Stubborn(BOARD, 0, 0, BLACK)
    assert state.legal_moves == START.legal_moves
    after = state.forward("3,4")
    assert type(after) is Stubborn
    assert after.legal_moves == ()
    assert after.is_game_over()
    with pytest.raises(IllegalMove):
        after.forward("5,5")
    assert after == copy.deepcopy(after) == pickle.loads(pickle.dumps(after))


def test_a_cycle_through_the_board_is_collected():
    board = Shape(7, 7)
    board.state = LiveState(board, 0, 0, BLACK).forward("3,3")
    gone = weakref.ref(board)
    del board
    gc.collect()
    assert gone() is None


def test_a_state_that_holds_itself_cannot_be_hashed():
    state = LiveState(BOARD, 0, 0, BLACK)
    GomokuState.board.__set__(state, state)
    with pytest.raises(RecursionError):
        hash(state)
    assert state.forward("3,3").turns == 1


def test_a_long_chain_of_states_is_freed():
    state = LiveState(BOARD, 0, 0, BLACK)
    for _ in range(300_000):
        later = LiveState(BOARD, 0, 0, BLACK)
        GomokuState.board.__set__(later, state)
        state = later
    del state, later
