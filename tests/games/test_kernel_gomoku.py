"""The Gomoku kernel does what its specification does, faster, and survives what is done to it."""

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
from games import _native_gomoku as kernel
from games import load
from games._grid import grid
from games._live import live
from games.base import BLACK, WHITE, Ending
from games.contract import check
from games.errors import IllegalMove
from games.gomoku import Gomoku, GomokuState, LiveState

HERE = Path(__file__).parent
START = Gomoku().start()
SIZES = range(5, 20)


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
    """Stones strewn over a board of any shape, as no game would leave them."""
    board = grid(rng.randint(1, 19), rng.randint(1, 19))
    weights = rng.choice([(8, 1, 1), (2, 1, 1), (1, 1, 1), (1, 9, 1), (0, 1, 1)])
    cells = rng.choices(".XO", weights, k=len(board.points))
    black, white = (
        sum(point for point, cell in zip(board.points, cells, strict=True) if cell == symbol) for symbol in "XO"
    )
    return LiveState(board, black, white, rng.choice([BLACK, WHITE]), rng.randint(0, 400))


def run(code, **environment):
    """What a fresh interpreter prints; it must end well."""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.strip()


def test_games_are_played_with_the_kernel():
    assert type(load("gomoku:size=7").start()) is LiveState is not GomokuState
    assert live("gomoku") == "kernel"
    assert isinstance(START, GomokuState)


def test_the_specification_plays_where_it_is_asked_for():
    code = "import games; from games._live import live; print(type(games.load('gomoku').start()), live('gomoku'))"
    assert run(code, ARENA_KERNEL="python") == "<class 'games.gomoku.GomokuState'> python"


def test_the_specification_keeps_the_contract_too():
    class Specified(Gomoku):
        def start(self, seed=0):
            return specified(super().start(seed))

        def position(self, text):
            return specified(super().position(text))

    check(Specified(size=7), games=2, seed=3)


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


@pytest.mark.parametrize("size", [5, 6, 11, 19])
def test_five_in_any_line_win_whichever_stone_comes_last(size):
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


@pytest.mark.parametrize("size", [5, 6, 11, 19])
def test_no_line_goes_on_at_the_other_edge(size):
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


def test_a_text_that_is_no_legal_move_is_refused_in_the_same_words():
    state = START.forward("3,4")
    strange = [
        "",
        ",",
        "3",
        "3,",
        ",3",
        "3,4",
        "03,5",
        "3,05",
        "3,5 ",
        " 3,5",
        "3, 5",
        "+3,5",
        "3.5",
        "11,0",
        "0,11",
        "99,0",
    ]
    for thing in [
        *strange,
        "100,0",
        "3,5,1",
        "3,5\x00",
        "٣,5",
        "é",
        "3" * 999,
        "-1,0",
        None,
        35,
        (3, 5),
        b"3,5",
        ["3,5"],
    ]:
        for ask in (GomokuState.forward, LiveState.forward), (GomokuState.parse, LiveState.parse):
            told = []
            for method, form in zip(ask, (specified(state), state), strict=True):
                try:
                    told.append(method(form, thing))
                except IllegalMove as error:
                    told.append(str(error))
            assert told[0] == told[1]


def test_the_known_numbers_of_sequences():
    assert [kernel.perft(START, depth) for depth in range(4)] == [1, 121, 14_520, 1_727_880]
    assert kernel.perft(START, 4) == 121 * 120 * 119 * 118


def test_the_specification_counts_as_many_sequences_from_random_positions(walk, perft):
    rng = random.Random(5)
    crowded = [state for seed in range(12) for state in list(walk(Gomoku(size=5), seed))[-8:]]
    for state in rng.sample(crowded, 40):
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [
            perft(specified(state), depth) for depth in (1, 2, 3)
        ]


def test_nothing_follows_a_game_that_is_over():
    state = LiveState(START.board, 0b11111, 0, WHITE)
    assert [kernel.perft(state, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(state, 10, 1) == (0, 0, 10)
    assert state.legal_moves == ()


def test_keys_tell_positions_apart(walk):
    states = {state.text: state for size in SIZES for state in walk(Gomoku(size=size), size)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    one, other = (LiveState(START.board, 1, 2, turn) for turn in (BLACK, WHITE))
    assert kernel.key(one) != kernel.key(other)
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))


def test_a_key_does_not_tell_how_a_position_came_about():
    one, other = START, START
    for move in ("0,0", "1,1", "2,2", "3,3"):
        one = one.forward(move)
    for move in ("2,2", "3,3", "0,0", "1,1"):
        other = other.forward(move)
    assert one == other
    assert kernel.key(one) == kernel.key(other)


def test_random_games_follow_their_seed_and_the_rules():
    assert kernel.playouts(START, 500, 7) == kernel.playouts(specified(START), 500, 7)
    assert kernel.playouts(START, 500, 7) != kernel.playouts(START, 500, 8)
    assert kernel.playouts(START, 0, 7) == (0, 0, 0)
    white, drawn, black = kernel.playouts(Gomoku(size=5).start(), 20_000, 1)
    assert white + drawn + black == 20_000
    # Random players fill the smallest board more often than not; who begins wins more of the rest.
    assert drawn > black > white > 1000


def test_both_forms_are_the_same_value():
    state, twin = START.forward("3,4"), specified(START.forward("3,4"))
    assert state == twin
    assert twin == state
    assert {state: 1}[twin] == {twin: 1}[state] == 1
    assert state != twin.forward("4,4")
    assert Gomoku(size=12).start() != START
    assert GomokuState(START.board, 0, 0, BLACK, 1) != START
    assert GomokuState(None, "black", None, 3) != START


def test_a_state_is_a_dataclass_still():
    assert dataclasses.replace(START, turns=3).turns == 3
    assert repr(START) == repr(specified(START)).replace("GomokuState", "LiveState")
    match START:
        case GomokuState(board, 0, 0, turn, 0):
            assert (board, turn) == (grid(11, 11), BLACK)


def test_an_evaluation_knows_the_state():
    state = START.forward("5,5")
    assert balance(state, BLACK) == balance(specified(state), BLACK)


@pytest.mark.parametrize("name", ["board", "black", "white", "turn", "turns", "text", "legal_moves", "other"])
def test_a_state_is_not_changed(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(START, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(START, name)
    with pytest.raises(TypeError, match="once"):
        START.__init__(START.board, 1, 2, WHITE)
    assert Gomoku().start() == START


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
        ((Shape(20, 11), 1, 2, BLACK), ValueError),
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
def test_nonsense_makes_no_state(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_that_was_never_set_up_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.black, state.white, state.turns, state.legal_moves) == (0, 0, 0, ())
    assert (kernel.perft(state, 2), kernel.playouts(state, 2, 1)) == (0, (0, 2, 0))
    assert state.text == " X"
    for ask in (hash, str, lambda state: state.ending, lambda state: state.forward("0,0"), pickle.dumps):
        with pytest.raises(AttributeError, match="board"):
            ask(state)


def test_a_board_put_in_by_force_is_no_danger():
    state = LiveState(BOARD, 1, 2, BLACK)
    GomokuState.board.__set__(state, grid(3, 3))
    assert state.forward("10,10").legal_moves == START.legal_moves[2:-1]
    GomokuState.board.__delete__(state)
    assert state.forward("10,10").turns == 1
    with pytest.raises(AttributeError):
        hash(state)


@pytest.mark.parametrize("thing", [None, 3, "start", object(), GomokuState(BOARD, 1, 1, BLACK)])
def test_what_is_no_state_is_refused(thing):
    for ask in (kernel.key, lambda thing: kernel.perft(thing, 2), lambda thing: kernel.playouts(thing, 2, 1)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            ask(thing)


@pytest.mark.parametrize("thing", [None, 3, int, object, list, Ending, LiveState, type])
def test_only_the_specification_is_derived_from(thing):
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(thing)


def test_copies_and_pickles_are_equal():
    state = START.forward("3,4")
    for again in (copy.copy(state), copy.deepcopy(state), *(pickle.loads(pickle.dumps(state, to)) for to in range(6))):
        assert type(again) is LiveState
        assert again == state
        assert again.legal_moves == state.legal_moves


def test_a_pickle_is_read_by_the_other_form():
    state = START.forward("3,4")
    told = "print(type(state).__name__, state.text, state.turns)"
    read = f"import pickle; state = pickle.loads({pickle.dumps(state)!r}); {told}"
    assert run(read, ARENA_KERNEL="python") == f"GomokuState {state.text} 1"
    assert pickle.loads(pickle.dumps(specified(state))) == state


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    @property
    def ending(self):
        return Ending(WHITE, "whim") if self.turns == 1 else super().ending


def test_a_subclass_has_its_own_way():
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


def test_a_state_made_to_hold_itself_has_no_hash():
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


def test_a_million_turns_leave_nothing_behind():
    def turns(number):
        for _ in range(number):
            state = START.forward("3,4").forward("5,5")
            state.legal_moves, state.text, state.ending, hash(state), state == START
            for thing in ("3,4", None):
                with pytest.raises(IllegalMove):
                    state.forward(thing)
        gc.collect()
        return sys.getallocatedblocks(), sys.getrefcount(LiveState), sys.getrefcount(BOARD), len(gc.get_objects())

    turns(300)
    before = turns(300)
    forward = START.forward
    for _ in range(1_000_000):
        forward("3,4")
    after = turns(3000)
    # Free lists of the interpreter come and go; a leak would be thousands.
    assert all(abs(now - then) < 1000 for now, then in zip(after, before, strict=True))


def test_the_interpreter_ends_well_with_states_about():
    code = """
import builtins, games, sys
from games.gomoku import LiveState
class Linked(LiveState): pass
state = games.load("gomoku").start()
linked = Linked(state.board, 1, 2, state.turn)
object.__setattr__(linked, "self", linked)
builtins.kept = [state.forward("0,0"), linked, LiveState.forward, state.legal_moves]
del sys.modules["games.gomoku"], sys.modules["games._native_gomoku"]
import games.gomoku
builtins.again = games.gomoku.Gomoku().start().forward("0,0")
print(again.text == kept[0].text)
"""
    assert run(code) == "True"


def test_a_long_count_can_be_interrupted():
    code = """
import signal, games
from games import _native_gomoku as kernel
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
state = games.load("gomoku").start()
for ask in (lambda: kernel.perft(state, 40), lambda: kernel.playouts(state, 10**12, 1)):
    try: signal.setitimer(signal.ITIMER_REAL, 0.05); ask()
    except TimeoutError: print("stopped")
"""
    assert run(code).split() == ["stopped"] * 2


@pytest.mark.soak
def test_the_kernel_does_nothing_undefined(tmp_path):
    """These tests again, with a kernel that watches every access."""
    library = tmp_path / f"watched{sysconfig.get_config_var('EXT_SUFFIX')}"
    source = HERE.parents[1] / "games" / "_kernel" / "gomoku.cpp"
    watching = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=c++20", "-O1", "-g", "-fPIC", "-shared", *watching, f"-I{sysconfig.get_paths()['include']}"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    found = ["g++", "-print-file-name=libasan.so"], ["g++", "-print-file-name=libubsan.so"]
    preload = [subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip() for ask in found]
    tests = [str(HERE / name) for name in ("test_kernel_gomoku.py", "test_gomoku.py")]
    code = f"""
import importlib.util, sys, games, pytest
spec = importlib.util.spec_from_file_location("games._native_gomoku", {str(library)!r})
sys.modules[spec.name] = games._native_gomoku = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *{tests!r}]))
"""
    watched = {"LD_PRELOAD": " ".join(preload), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    assert "passed" in run(code, **watched)
