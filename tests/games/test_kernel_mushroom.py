"""The Mushroom kernel does what its specification does, faster, and withstands misuse."""

import copy
import dataclasses
import gc
import pickle
import random

import pytest

from games import _native_mushroom as kernel
from games.base import BLACK, WHITE, Ending, Margin
from games.errors import BadPosition, IllegalMove
from games.mushroom import LiveState, Mushroom, MushroomState

START = Mushroom().start()
FIRST = START.legal_moves[0]
PASS = "-1 -1 -1 -1"


def specified(state):
    """The same state in the specification's form."""
    return MushroomState(state.rows, state.turn, state.passes, state.turns)


def look(state):
    moves = state.legal_moves
    return (
        [state.text, state.turn, state.turns, tuple(moves), state.ending, state.is_game_over(), state.adjudicate()],
        [(after.text, after.turn, after.turns) for after in map(state.forward, moves[-9:])],
        [state.parse(move) for move in moves],
        [state.rows, state.passes, hash(state), str(state), state.svg(*moves[:1])],
    )


@pytest.fixture(scope="module")
def assert_equal(kernels):
    """Check that the kernel and the specification agree on a state."""
    return lambda state: kernels["mushroom"].assert_agrees(state, look)


def random_board(rng):
    """A board of any shape with random digits and owners, which need not occur in a game."""
    shape = {"rows": rng.randint(1, 12), "columns": rng.randint(1, 20)}
    if rng.random() < 0.02:
        shape = {"rows": 30, "columns": 30}
    cells = rng.choice(["123456789", "123AB", "1AABB", "19AAAAAAABBBBBBB", "5AB", "12345" + "A" * 40])
    rows = ("".join(rng.choices(cells, k=shape["columns"])) for _ in range(shape["rows"]))
    return Mushroom(**shape).position(f"{'/'.join(rows)} {rng.choice('AB')} {rng.choice('0012')}")


def test_kernel_and_specification_agree_on_random_games(assert_equal, walk):
    for seed in range(10):
        for state in walk(Mushroom(), seed):
            assert_equal(state)


def test_kernel_and_specification_agree_on_random_boards(assert_equal):
    rng = random.Random(1)
    for _ in range(600):
        assert_equal(random_board(rng))


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions(assert_equal, walk):
    for seed in range(1000, 1200):
        for state in walk(Mushroom(), seed):
            assert_equal(state)
    rng = random.Random(2)
    for _ in range(12_000):
        assert_equal(random_board(rng))


def test_a_board_can_have_a_thousand_rectangles(assert_equal):
    crowded = Mushroom(rows=30, columns=30).position("/".join(["5A" * 15, "A5" * 15] * 15) + " A 0")
    assert len(crowded.legal_moves) > 1000
    assert_equal(crowded)


@pytest.mark.parametrize("text", ["", "A", START.text[1:], START.text[:-1] + "3", START.text[:-3] + "é 0", None, 5])
def test_a_bad_position_is_refused(text):
    with pytest.raises(BadPosition):
        Mushroom().position(text)


def test_perft_agrees_with_the_specification(perft):
    rng = random.Random(5)
    for _ in range(20):
        state = Mushroom(rows=rng.randint(1, 4), columns=rng.randint(1, 4)).start(rng.randint(0, 99))
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [perft(state, depth) for depth in (1, 2, 3)]
        assert kernel.perft(specified(state), 2) == perft(specified(state), 2)


def test_perft_agrees_with_a_count_by_hand():
    state = Mushroom(rows=1, columns=2).position("55 A 0")
    # T takes, P passes: T, P; TP, PT, PP; TPP, PTP; PTPP.
    assert [kernel.perft(state, depth) for depth in range(6)] == [1, 2, 3, 2, 1, 0]


def test_a_finished_game_has_no_moves():
    over = Mushroom(rows=1, columns=3).position("55A B 2")
    assert over.ending == Ending(WHITE, "passes", Margin(1, 0, "cells"))
    assert [kernel.perft(over, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(over, 10, 1) == (10, 0, 0)


def test_different_positions_have_different_keys(walk):
    states = {state.text: state for seed in range(30) for state in walk(Mushroom(), seed)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, turn=BLACK))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, passes=1))


def test_the_key_follows_the_moves(walk):
    for state in walk(Mushroom(), 3):
        assert kernel.key(state) == kernel.key(Mushroom().position(state.text))


def test_random_games_have_plausible_results():
    results = kernel.playouts(START, 2000, 1)
    assert sum(results) == 2000
    assert min(results[0], results[2]) > 500


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ((), TypeError),
        ((("55",),), TypeError),
        ((("55",), WHITE, 0, 0, 0), TypeError),
        ((["55"], WHITE), TypeError),
        (((55,), WHITE), TypeError),
        (("55", WHITE), TypeError),
        ((("55",), 1), TypeError),
        ((("55",), WHITE, "0"), TypeError),
        ((("55",), WHITE, 0, "0"), TypeError),
        (((), WHITE), ValueError),
        ((("",), WHITE), ValueError),
        ((("55", "5"), WHITE), ValueError),
        ((("5", "55"), WHITE), ValueError),
        ((("50",), WHITE), ValueError),
        ((("5C",), WHITE), ValueError),
        ((("5\0",), WHITE), ValueError),
        ((("5é",), WHITE), ValueError),
        ((("5\u0665",), WHITE), ValueError),
        ((("5" * 31,), WHITE), ValueError),
        ((("5" * 287,), WHITE), ValueError),
        ((("5",) * 31, WHITE), ValueError),
        ((("55",), WHITE, 3), ValueError),
        ((("55",), WHITE, -1), ValueError),
        ((("55",), WHITE, 0, -1), ValueError),
        ((("55",), WHITE, 0, 1 << 99), ValueError),
    ],
)
def test_invalid_fields_are_refused(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_without_init_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.rows, state.passes, state.turns) == ((), 0, 0)
    assert state.legal_moves == (PASS,)
    assert state.forward(PASS).forward(PASS).is_game_over()
    assert isinstance(state.text, str)
    with pytest.raises(IllegalMove):
        state.forward("0 0 0 0")
    for maker in (object.__new__, MushroomState.__new__):
        with pytest.raises(TypeError, match="not safe"):
            maker(LiveState)


def test_an_invalid_pickle_is_refused():
    written = pickle.dumps(START, 0)
    row = START.rows[3].encode()
    assert row in written
    with pytest.raises((TypeError, ValueError)):
        pickle.loads(written.replace(row, b"X" * len(row)))


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    @property
    def legal_moves(self):
        return super().legal_moves[:1]

    def _allows(self, move):
        return move in self.legal_moves


def test_a_subclass_may_override_the_rules():
    state = Stubborn(START.rows, WHITE)
    assert state.legal_moves == (FIRST,)
    assert type(state.forward(FIRST)) is Stubborn
    assert state.forward(FIRST).turns == 1
    assert state.text == START.text
    assert state.ending is None
    assert not state.is_game_over()
    for ask in (state.forward, state.parse):
        with pytest.raises(IllegalMove):
            ask(PASS)
    assert state != START
    assert state == copy.deepcopy(state) == pickle.loads(pickle.dumps(state))
    assert kernel.perft(state, 2) == kernel.perft(START, 2)


def test_a_long_chain_through_a_hidden_slot_is_freed():
    state = LiveState(("5",), WHITE)
    for _ in range(200_000):
        later = LiveState(("5",), WHITE)
        MushroomState.rows.__set__(later, [state])
        state = later
    assert state.rows == ("5",)
    del state, later
    gc.collect()
