"""The Mushroom kernel does what its specification does, faster, and survives what is done to it."""

import copy
import dataclasses
import gc
import os
import pickle
import random
import subprocess
import sys
import weakref

import pytest

from games import _native_mushroom as kernel
from games import load
from games._live import live
from games.base import BLACK, WHITE, Ending, Margin
from games.contract import check
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


def assert_equal(state):
    twin = specified(state)
    assert type(state) is LiveState
    assert look(state) == look(twin)
    assert state == twin
    assert kernel.key(state) == kernel.key(twin)


def random_board(rng):
    """Digits and owners strewn over a board of any shape, as no game would leave them."""
    shape = {"rows": rng.randint(1, 12), "columns": rng.randint(1, 20)}
    if rng.random() < 0.02:
        shape = {"rows": 30, "columns": 30}
    cells = rng.choice(["123456789", "123AB", "1AABB", "19AAAAAAABBBBBBB", "5AB", "12345" + "A" * 40])
    rows = ("".join(rng.choices(cells, k=shape["columns"])) for _ in range(shape["rows"]))
    return Mushroom(**shape).position(f"{'/'.join(rows)} {rng.choice('AB')} {rng.choice('0012')}")


def run(code, **environment):
    """What a fresh interpreter prints; it must end well."""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_games_are_played_with_the_kernel():
    assert type(load("mushroom").start()) is LiveState is not MushroomState
    assert type(load("mushroom").position(START.text)) is LiveState
    assert live("mushroom") == "kernel"
    assert isinstance(START, MushroomState)


def test_the_specification_plays_where_it_is_asked_for():
    code = "import games; from games._live import live; print(type(games.load('mushroom').start()), live('mushroom'))"
    assert run(code, ARENA_KERNEL="python") == "<class 'games.mushroom.MushroomState'> python"


def test_the_specification_keeps_the_contract_too():
    class Specified(Mushroom):
        def start(self, seed=0):
            return specified(super().start(seed))

        def position(self, text):
            return specified(super().position(text))

    check(Specified(rows=5, columns=6), games=2, seed=3)


def test_kernel_and_specification_agree_on_random_games(walk):
    for seed in range(10):
        for state in walk(Mushroom(), seed):
            assert_equal(state)


def test_kernel_and_specification_agree_on_random_boards():
    rng = random.Random(1)
    for _ in range(600):
        assert_equal(random_board(rng))


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions(walk):
    for seed in range(1000, 1200):
        for state in walk(Mushroom(), seed):
            assert_equal(state)
    rng = random.Random(2)
    for _ in range(12_000):
        assert_equal(random_board(rng))


def test_a_board_can_have_a_thousand_rectangles():
    crowded = Mushroom(rows=30, columns=30).position("/".join(["5A" * 15, "A5" * 15] * 15) + " A 0")
    assert len(crowded.legal_moves) > 1000
    assert_equal(crowded)


NO_MOVES = [
    "", "pass", PASS[:-1], f"{PASS} ", "0 0 0", "0 0 0 0", "1 0 0 0", "0 1 0 0", "00 0 0 1", "0 0 0 01", "0 0 0 17",
    "0 0 10 0", "0 0 0 99", "0 0 0 100", "0  0 0 1", "0,0,0,1", "+0 0 0 1", "é 0 0 1", "\x00", "9" * 99,
    None, 19, b"0 0 0 1",
]  # fmt: skip


@pytest.mark.parametrize("thing", [*NO_MOVES, [FIRST], object()])
def test_what_is_no_legal_move_is_refused_in_the_same_words(thing):
    for name in ("forward", "parse"):
        with pytest.raises(IllegalMove) as told:
            getattr(START, name)(thing)
        with pytest.raises(IllegalMove) as specified_so:
            getattr(specified(START), name)(thing)
        assert str(told.value) == str(specified_so.value)


def test_a_move_may_be_any_equal_string():
    class Text(str):
        __slots__ = ()

    assert START.forward(Text(FIRST)) == START.forward("".join(list(FIRST))) == START.forward(FIRST)


@pytest.mark.parametrize("text", ["", "A", START.text[1:], START.text[:-1] + "3", START.text[:-3] + "é 0", None, 5])
def test_a_bad_position_is_refused(text):
    with pytest.raises(BadPosition):
        Mushroom().position(text)


def test_the_specification_counts_as_many_sequences(perft):
    rng = random.Random(5)
    for _ in range(20):
        state = Mushroom(rows=rng.randint(1, 4), columns=rng.randint(1, 4)).start(rng.randint(0, 99))
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [perft(state, depth) for depth in (1, 2, 3)]
        assert kernel.perft(specified(state), 2) == perft(specified(state), 2)


def test_sequences_on_a_small_board_are_counted_by_hand():
    state = Mushroom(rows=1, columns=2).position("55 A 0")
    # T takes, P passes: T, P; TP, PT, PP; TPP, PTP; PTPP.
    assert [kernel.perft(state, depth) for depth in range(6)] == [1, 2, 3, 2, 1, 0]


def test_nothing_follows_a_game_that_is_over():
    over = Mushroom(rows=1, columns=3).position("55A B 2")
    assert over.ending == Ending(WHITE, "passes", Margin(1, 0, "cells"))
    assert [kernel.perft(over, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(over, 10, 1) == (10, 0, 0)


def test_keys_tell_positions_apart(walk):
    states = {state.text: state for seed in range(30) for state in walk(Mushroom(), seed)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, turn=BLACK))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, passes=1))


def test_the_key_follows_the_moves(walk):
    for state in walk(Mushroom(), 3):
        assert kernel.key(state) == kernel.key(Mushroom().position(state.text))


def test_random_games_follow_their_seed_and_the_rules():
    assert kernel.playouts(START, 200, 7) == kernel.playouts(specified(START), 200, 7)
    assert kernel.playouts(START, 200, 7) != kernel.playouts(START, 200, 8)
    assert kernel.playouts(START, 0, 7) == (0, 0, 0)
    results = kernel.playouts(START, 2000, 1)
    assert sum(results) == 2000
    assert min(results[0], results[2]) > 500


def test_both_forms_are_the_same_value():
    state, twin = START.forward(FIRST), specified(START.forward(FIRST))
    assert state == twin
    assert twin == state
    assert {state: 1}[twin] == {twin: 1}[state] == 1
    assert state != twin.forward(PASS)
    assert MushroomState("rows", None, 3) != START
    assert MushroomState(START.rows, WHITE, 0, "0") != START
    assert START != "start"
    with pytest.raises(TypeError):
        START < START  # noqa: B015


def test_a_state_is_a_dataclass_still():
    assert dataclasses.replace(START, turns=3).turns == 3
    assert dataclasses.astuple(START) == dataclasses.astuple(specified(START))
    assert repr(START) == repr(specified(START)).replace("MushroomState", "LiveState")
    match START:
        case MushroomState(rows, turn, passes, turns):
            assert (rows, turn, passes, turns) == dataclasses.astuple(START)


@pytest.mark.parametrize("name", ["rows", "turn", "passes", "turns", "text", "legal_moves", "other"])
def test_a_state_is_not_changed(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(START, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(START, name)
    with pytest.raises(AttributeError):
        object.__setattr__(START, name, 1)
    with pytest.raises(TypeError, match="once"):
        START.__init__(("55",), WHITE)
    assert Mushroom().start() == START


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
def test_nonsense_makes_no_state(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_that_was_never_set_up_is_harmless():
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


@pytest.mark.parametrize("thing", [None, 3, "start", object(), MushroomState("x", 0), MushroomState((), WHITE)])
def test_what_is_no_state_is_refused(thing):
    for ask in (kernel.key, lambda thing: kernel.perft(thing, 2), lambda thing: kernel.playouts(thing, 2, 1)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            ask(thing)


@pytest.mark.parametrize("thing", [None, 3, int, object, Ending, LiveState, type])
def test_only_the_specification_is_derived_from(thing):
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(thing)


def test_copies_and_pickles_are_equal():
    state = START.forward(FIRST)
    for again in (copy.copy(state), copy.deepcopy(state), *(pickle.loads(pickle.dumps(state, to)) for to in range(6))):
        assert type(again) is LiveState
        assert again == state
        assert again.legal_moves == state.legal_moves


def test_a_pickle_is_read_by_the_other_form():
    state = START.forward(FIRST)
    told = "print(type(state).__name__, state.text, state.turns)"
    read = f"import pickle; state = pickle.loads({pickle.dumps(state)!r}); {told}"
    assert run(read, ARENA_KERNEL="python") == f"MushroomState {state.text} 1"
    assert pickle.loads(pickle.dumps(specified(state))) == state


def test_a_pickle_of_nonsense_is_refused():
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


def test_a_subclass_has_its_own_way():
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


def test_a_cycle_through_a_subclass_is_collected():
    class Linked(LiveState):
        pass

    state = Linked(START.rows, WHITE)
    object.__setattr__(state, "self", state)
    gone = weakref.ref(state)
    del state
    gc.collect()
    assert gone() is None


def test_a_long_chain_through_a_hidden_slot_is_freed():
    state = LiveState(("5",), WHITE)
    for _ in range(200_000):
        later = LiveState(("5",), WHITE)
        MushroomState.rows.__set__(later, [state])
        state = later
    assert state.rows == ("5",)
    del state, later
    gc.collect()


def test_a_million_turns_leave_nothing_behind():
    def turns(number):
        for _ in range(number):
            state = START.forward(FIRST).forward(PASS)
            state.legal_moves, state.text, state.rows, state.ending, hash(state), state == START
            for thing in ("a1", None):
                with pytest.raises(IllegalMove):
                    state.forward(thing)
        gc.collect()
        return sys.getallocatedblocks(), sys.getrefcount(LiveState), len(gc.get_objects())

    turns(300)
    before = turns(300)
    forward = START.forward
    for _ in range(1_000_000):
        forward(FIRST)
    after = turns(3000)
    assert all(abs(now - then) < 100 for now, then in zip(after, before, strict=True))


def test_a_long_count_can_be_interrupted():
    code = """
import signal, games
from games import _native_mushroom as kernel
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
state = games.load("mushroom").start()
for ask in (lambda: kernel.perft(state, 40), lambda: kernel.playouts(state, 10**12, 1)):
    try: signal.setitimer(signal.ITIMER_REAL, 0.05); ask()
    except TimeoutError: print("stopped")
"""
    assert run(code).split() == ["stopped"] * 2
