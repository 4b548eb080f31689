"""The Othello kernel does what its specification does, faster, and survives what is done to it."""

import copy
import dataclasses
import gc
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import weakref
from pathlib import Path

import pytest

from agents.evaluation import balance
from games import _native_othello as kernel
from games import load
from games._live import live
from games.base import BLACK, WHITE, Ending, Margin
from games.contract import check
from games.errors import BadPosition, IllegalMove
from games.othello import LiveState, Othello, OthelloState

HERE = Path(__file__).parent
START = Othello().start()
WIPED_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]


def specified(state):
    """The same state in the specification's form."""
    return OthelloState(state.black, state.white, state.turn, state.turns)


def look(state):
    moves = state.legal_moves
    return (
        [state.text, state.turn, state.turns, tuple(moves), state.ending, state.is_game_over(), state.adjudicate()],
        [(after.text, after.turn, after.turns) for after in map(state.forward, moves)],
        [state.parse(move.upper()) for move in moves],
        [state.black, state.white, hash(state), str(state), state.svg(*moves[:1])],
    )


def assert_equal(state):
    twin = specified(state)
    assert type(state) is LiveState
    assert look(state) == look(twin)
    assert state == twin
    assert kernel.key(state) == kernel.key(twin)


def assert_games_equal(walk, seeds):
    for seed in seeds:
        for state in walk(Othello(), seed):
            assert_equal(state)


def random_board(rng):
    """Discs strewn over the board, as no game would leave them."""
    weights = rng.choice([(8, 1, 1), (1, 1, 1), (1, 4, 4), (1, 9, 1), (1, 1, 9)])
    board = "".join(rng.choices("-XO", weights, k=64))
    return Othello().position(f"{board} {rng.choice('XO')}")


def run(code, **environment):
    """What a fresh interpreter prints; it must end well."""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.strip()


def test_games_are_played_with_the_kernel():
    assert type(load("othello").start()) is LiveState is not OthelloState
    assert live("othello") == "kernel"
    assert isinstance(START, OthelloState)


def test_the_specification_plays_where_it_is_asked_for():
    code = "import games; from games._live import live; print(type(games.load('othello').start()), live('othello'))"
    assert run(code, ARENA_KERNEL="python") == "<class 'games.othello.OthelloState'> python"


def test_the_specification_keeps_the_contract_too():
    class Specified(Othello):
        def position(self, text):
            return specified(super().position(text))

    check(Specified(), games=2, seed=3)


def test_kernel_and_specification_agree_on_random_games(walk):
    assert_games_equal(walk, range(30))


def test_kernel_and_specification_agree_on_random_boards():
    rng = random.Random(1)
    for _ in range(800):
        assert_equal(random_board(rng))


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions(walk):
    assert_games_equal(walk, range(1000, 1300))
    rng = random.Random(2)
    for _ in range(8000):
        assert_equal(random_board(rng))


def test_a_text_that_is_no_legal_move_is_refused_in_the_same_words():
    for thing in [
        "",
        "d4",
        "a1",
        "D3",
        "i3",
        "d9",
        "pass",
        "d3 ",
        "d3d3",
        "é3",
        "\x00",
        "d" * 99,
        None,
        19,
        b"d3",
        ["d3"],
    ]:
        for ask in (OthelloState.forward, LiveState.forward), (OthelloState.parse, LiveState.parse):
            told = []
            for method, state in zip(ask, (specified(START), START), strict=True):
                try:
                    told.append(method(state, thing))
                except IllegalMove as error:
                    told.append(str(error))
            assert told[0] == told[1]


def test_a_move_may_be_any_equal_string():
    class Square(str):
        __slots__ = ()

    assert START.forward(Square("d3")) == START.forward("".join(["d", "3"])) == START.forward("d3")


@pytest.mark.parametrize("text", ["", "X", "-" * 64, "-" * 63 + " X", "-" * 64 + " x", "é" * 64 + " X", None, 5])
def test_a_bad_position_is_refused(text):
    with pytest.raises(BadPosition):
        Othello().position(text)


def test_the_known_numbers_of_sequences():
    counts = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]
    assert [kernel.perft(START, depth) for depth in range(10)] == counts


@pytest.mark.soak
def test_the_known_numbers_of_longer_sequences():
    # Where a pass is counted after the end too, they are 24,571,284 and 212,258,800: 57 games end after nine turns,
    # in each of four mirror images.
    assert kernel.perft(START, 10) == 24_571_284 - 4 * 57
    assert kernel.perft(START, 11) == 212_258_216


def test_the_specification_counts_as_many_sequences_from_random_positions(walk, perft):
    rng = random.Random(5)
    for state in [random_board(rng) for _ in range(20)] + list(walk(Othello(), 5))[-8:]:
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [perft(state, depth) for depth in (1, 2, 3)]
        assert kernel.perft(specified(state), 2) == perft(specified(state), 2)


def test_nothing_follows_a_game_that_is_over():
    state = START
    for move in WIPED_OUT:
        state = state.forward(move)
    assert state.ending == Ending(BLACK, "discs", Margin(13, 0, "discs"))
    assert [kernel.perft(state, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(state, 10, 1) == (0, 0, 10)


def test_keys_tell_positions_apart(walk):
    states = {state.text: state for seed in range(60) for state in walk(Othello(), seed)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    assert (
        kernel.key(START)
        != kernel.key(LiveState(START.white, START.black, WHITE))
        != kernel.key(LiveState(START.black, START.white, WHITE))
    )
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))


def test_random_games_follow_their_seed_and_the_rules():
    assert kernel.playouts(START, 500, 7) == kernel.playouts(specified(START), 500, 7)
    assert kernel.playouts(START, 500, 7) != kernel.playouts(START, 500, 8)
    assert kernel.playouts(START, 0, 7) == (0, 0, 0)
    white, drawn, black = kernel.playouts(START, 20_000, 1)
    assert white + drawn + black == 20_000
    # White does a little better among random players.
    assert 0.47 < white / 20_000 < 0.54
    assert 0.03 < drawn / 20_000 < 0.06


def test_both_forms_are_the_same_value():
    state, twin = START.forward("d3"), specified(START.forward("d3"))
    assert state == twin
    assert twin == state
    assert {state: 1}[twin] == {twin: 1}[state] == 1
    assert state != twin.forward("c3")
    assert OthelloState(START.black, START.white, BLACK, 1) != START
    assert OthelloState("black", None, 3) != START
    assert OthelloState(START.black, START.white, BLACK, "0") != START
    assert START != "start"
    with pytest.raises(TypeError):
        START < START  # noqa: B015


def test_a_state_is_a_dataclass_still():
    assert dataclasses.replace(START, turns=3).turns == 3
    assert dataclasses.astuple(START) == dataclasses.astuple(specified(START))
    assert repr(START) == repr(specified(START)).replace("OthelloState", "LiveState")
    match START:
        case OthelloState(black, white, turn, turns):
            assert (black, white, turn, turns) == dataclasses.astuple(START)


def test_an_evaluation_knows_the_state():
    assert balance(START.forward("d3"), BLACK) == 3 / 64


@pytest.mark.parametrize("name", ["black", "white", "turn", "turns", "text", "legal_moves", "other"])
def test_a_state_is_not_changed(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(START, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(START, name)
    with pytest.raises(AttributeError):
        object.__setattr__(START, name, 1)
    with pytest.raises(TypeError, match="once"):
        START.__init__(1, 2, WHITE)
    assert Othello().start() == START


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ((), TypeError),
        ((1, 2), TypeError),
        ((1, 2, BLACK, 0, 0), TypeError),
        (("1", 2, BLACK), TypeError),
        ((1, None, BLACK), TypeError),
        ((1.0, 2, BLACK), TypeError),
        ((1, 2, 0), TypeError),
        ((1, 2, "X"), TypeError),
        ((1, 2, BLACK, "0"), TypeError),
        ((-1, 2, BLACK), ValueError),
        ((1, 1 << 64, BLACK), ValueError),
        ((1 << 9999, 0, BLACK), ValueError),
        ((3, 1, BLACK), ValueError),
        ((1, 2, BLACK, -1), ValueError),
        ((1, 2, BLACK, 1 << 99), ValueError),
    ],
)
def test_nonsense_makes_no_state(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_that_was_never_set_up_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.black, state.white, state.turns) == (0, 0, 0)
    assert state.is_game_over()
    with pytest.raises(IllegalMove):
        state.forward("d3")
    for maker in (object.__new__, OthelloState.__new__):
        with pytest.raises(TypeError, match="not safe"):
            maker(LiveState)


@pytest.mark.parametrize("thing", [None, 3, "start", object(), OthelloState("x", 0, BLACK), OthelloState(1, 1, BLACK)])
def test_what_is_no_state_is_refused(thing):
    for ask in (kernel.key, lambda thing: kernel.perft(thing, 2), lambda thing: kernel.playouts(thing, 2, 1)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            ask(thing)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: kernel.perft(START, -1),
        lambda: kernel.perft(START, 61),
        lambda: kernel.perft(START, "3"),
        lambda: kernel.perft(START),
        lambda: kernel.playouts(START, -1, 0),
        lambda: kernel.playouts(START, 1 << 70, 0),
        lambda: kernel.playouts(START, 1, "seed"),
        lambda: kernel.playouts(START, 1),
    ],
)
def test_numbers_out_of_range_are_refused(ask):
    with pytest.raises((TypeError, ValueError)):
        ask()


@pytest.mark.parametrize("thing", [None, 3, int, object, list, OSError, Ending, LiveState, type, random.Random])
def test_only_the_specification_is_derived_from(thing):
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(thing)


def test_a_class_whose_base_has_a_slot_is_not_derived_from():
    class Slot:
        __slots__ = ("black",)

    fields = [("white", int), ("turn", bool), ("turns", int)]
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(dataclasses.make_dataclass("Foreign", fields, bases=(Slot,), frozen=True, slots=True))


def test_copies_and_pickles_are_equal():
    state = START.forward("d3")
    for again in (copy.copy(state), copy.deepcopy(state), *(pickle.loads(pickle.dumps(state, to)) for to in range(6))):
        assert type(again) is LiveState
        assert again == state
        assert again.legal_moves == state.legal_moves


def test_a_pickle_is_read_by_the_other_form():
    told = "print(type(state).__name__, state.text, state.turns)"
    state = START.forward("d3")
    read = f"import pickle; state = pickle.loads({pickle.dumps(state)!r}); {told}"
    assert run(read, ARENA_KERNEL="python") == f"OthelloState {state.text} 1"
    assert pickle.loads(pickle.dumps(specified(state))) == state


def test_a_pickle_of_nonsense_is_refused():
    written = pickle.dumps(START, 0)
    assert b"34628173824" in written
    with pytest.raises((TypeError, ValueError)):
        pickle.loads(written.replace(b"34628173824", b"-4628173824"))


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    @property
    def legal_moves(self):
        return super().legal_moves[:1]


def test_a_subclass_has_its_own_way():
    state = Stubborn(START.black, START.white, BLACK)
    assert state.legal_moves == ("d3",)
    assert type(state.forward("d3")) is Stubborn
    assert state.forward("d3").turns == 1
    assert state.text == START.text
    assert state.ending is None
    assert not state.is_game_over()
    for ask in (state.forward, state.parse):
        with pytest.raises(IllegalMove):
            ask("f5")
    assert state != START
    assert state == copy.deepcopy(state) == pickle.loads(pickle.dumps(state))
    assert kernel.perft(state, 3) == 56


def test_a_subclass_may_be_set_up_otherwise():
    class Noted(LiveState):
        def __init__(self, note):
            super().__init__(START.black, START.white, BLACK, turns=4)
            object.__setattr__(self, "note", note)

    assert (Noted("first").note, Noted("first").turns) == ("first", 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Noted("first").turns = 5


def test_a_cycle_through_a_subclass_is_collected():
    class Linked(LiveState):
        pass

    state = Linked(START.black, START.white, BLACK)
    object.__setattr__(state, "self", state)
    gone = weakref.ref(state)
    del state
    gc.collect()
    assert gone() is None


def test_a_cycle_through_a_hidden_slot_is_no_danger():
    state = LiveState(START.black, START.white, BLACK)
    OthelloState.black.__set__(state, [state])
    assert state.black == START.black
    assert state.forward("d3").forward("c3").turns == 2
    del state
    gc.collect()


def test_a_specification_made_to_ask_the_kernel_is_no_danger():
    code = """
from games.othello import LiveState, OthelloState
class Sub(LiveState): pass
for name in ("ending", "text", "legal_moves", "forward", "parse", "is_game_over"):
    setattr(OthelloState, name, LiveState.__dict__[name])
state = Sub(1, 2, False)
asked = [lambda name=name: getattr(state, name) for name in ("ending", "text", "legal_moves")]
for ask in [*asked, lambda: state.forward("d3"), lambda: state.parse("d3"), state.is_game_over]:
    try: ask()
    except RecursionError: print("refused")
"""
    assert run(code).split() == ["refused"] * 6


def test_a_long_chain_of_states_is_freed():
    for made in (Stubborn, LiveState):
        state = made(START.black, START.white, BLACK)
        for _ in range(200_000):
            later = made(START.black, START.white, BLACK)
            OthelloState.black.__set__(later, state)
            state = later
        del state, later


def test_a_million_turns_leave_nothing_behind():
    def turns(number):
        for _ in range(number // 4):
            state = START.forward("d3").forward("c3")
            state.legal_moves, state.text, state.ending, hash(state), state == START
            for thing in ("a1", None):
                with pytest.raises(IllegalMove):
                    state.forward(thing)
        gc.collect()
        return sys.getallocatedblocks(), sys.getrefcount(LiveState), len(gc.get_objects())

    turns(1000)
    before = turns(1000)
    forward = START.forward
    for _ in range(1_000_000):
        forward("d3")
    after = turns(20_000)
    # Free lists of the interpreter come and go; a leak would be thousands.
    assert all(abs(now - then) < 1000 for now, then in zip(after, before, strict=True))


def test_the_interpreter_ends_well_with_states_about():
    code = """
import builtins, games, sys
from games.othello import LiveState
class Linked(LiveState): pass
state = games.load("othello").start()
linked = Linked(state.black, state.white, state.turn)
object.__setattr__(linked, "self", linked)
builtins.kept = [state.forward("d3"), linked, LiveState.forward, state.legal_moves]
del sys.modules["games.othello"], sys.modules["games._native_othello"]
import games.othello
builtins.again = games.othello.Othello().start().forward("d3")
print(again == kept[0], again.text == kept[0].text)
"""
    assert run(code) == "False True"


def test_a_long_count_can_be_interrupted():
    code = """
import signal, games
from games import _native_othello as kernel
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
state = games.load("othello").start()
for ask in (lambda: kernel.perft(state, 40), lambda: kernel.playouts(state, 10**12, 1)):
    try: signal.setitimer(signal.ITIMER_REAL, 0.05); ask()
    except TimeoutError: print("stopped")
"""
    assert run(code).split() == ["stopped"] * 2


@pytest.mark.soak
def test_the_kernel_does_nothing_undefined(tmp_path):
    """These tests again, with a kernel that watches every access."""
    library = tmp_path / f"watched{sysconfig.get_config_var('EXT_SUFFIX')}"
    source = HERE.parents[1] / "games" / "_kernel" / "othello.cpp"
    watching = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=c++20", "-O1", "-g", "-fPIC", "-shared", *watching, f"-I{sysconfig.get_paths()['include']}"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    found = ["g++", "-print-file-name=libasan.so"], ["g++", "-print-file-name=libubsan.so"]
    preload = [subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip() for ask in found]
    tests = [str(HERE / name) for name in ("test_kernel_othello.py", "test_othello.py", "test_othello_study.py")]
    code = f"""
import importlib.util, sys, games, pytest
spec = importlib.util.spec_from_file_location("games._native_othello", {str(library)!r})
sys.modules[spec.name] = games._native_othello = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *{tests!r}]))
"""
    watched = {"LD_PRELOAD": " ".join(preload), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    watched["CXXFLAGS"] = " ".join(watching)  # for the study, which is built by its tests
    assert "passed" in run(code, **watched)
