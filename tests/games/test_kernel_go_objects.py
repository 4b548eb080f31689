"""States of the Go kernel are the values that the specification's are, and survive what is done to them."""

import copy
import dataclasses
import functools
import gc
import itertools
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import weakref
from pathlib import Path

import pytest

import games
from games import _native_go as kernel
from games._go import Stones
from games._grid import Grid, grid
from games.base import BLACK, WHITE, Ending
from games.errors import IllegalMove
from games.go import Go, GoState, LiveState

HERE = Path(__file__).parent
START = Go().start()
BOARD = grid(5, 5)
NOTHING = Stones(0, 0)

make = functools.partial(LiveState, BOARD, NOTHING, BLACK, komi=7, seen=frozenset())


def specified(state):
    """The same state in the specification's form."""
    return GoState(**{field.name: getattr(state, field.name) for field in dataclasses.fields(GoState)})


def wander(state, rng):
    """A random game in which nobody passes who can move; its states."""
    while not state.is_game_over():
        yield state
        *points, passing = state.legal_moves
        state = state.forward(rng.choice(points) if points else passing)


def run(*words, **environment):
    """What a fresh interpreter prints; it must end well."""
    ran = subprocess.run(
        [sys.executable, *words], env=os.environ | environment, capture_output=True, text=True, check=False,
        cwd=HERE.parents[1],
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.strip()


def test_the_specification_plays_where_it_is_asked_for():
    code = "import games; from games._live import live; print(type(games.load('go').start()), live('go'))"
    assert run("-c", code, ARENA_KERNEL="python") == "<class 'games.go.GoState'> python"


def test_both_forms_are_the_same_value():
    state, twin = START.forward("D4"), specified(START).forward("D4")
    assert state == twin
    assert twin == state
    assert {state: 1}[twin] == {twin: 1}[state] == 1
    assert state != twin.forward("pass")
    assert GoState("board", None, 3, komi=7, seen=frozenset()) != START
    assert dataclasses.replace(specified(START), turns="0") != START
    assert dataclasses.replace(specified(START), seen=3) != START
    assert START != "start"
    with pytest.raises(TypeError):
        START < START  # noqa: B015


@pytest.mark.parametrize(
    "change",
    [
        {"turn": WHITE}, {"komi": 6}, {"limit": 9}, {"passes": 1}, {"turns": 1}, {"seen": frozenset()},
        {"board": grid(9, 10)}, {"stones": Stones(1, 0)}, {"seen": frozenset({NOTHING, Stones(1, 0)})},
        {"seen": frozenset({Stones(1, 0)})},
    ],
)  # fmt: skip
def test_states_that_differ_are_not_equal(change):
    other = dataclasses.replace(START, **change)
    assert other != START
    assert dataclasses.replace(specified(START), **change) == other


def test_the_order_in_which_boards_were_seen_does_not_matter():
    state = START
    for move in ("A1", "B1", "C1", "D1"):
        state = state.forward(move)
    later = LiveState(**{field.name: getattr(state, field.name) for field in dataclasses.fields(state)})
    assert later == state
    other = dataclasses.replace(state, seen=state.seen - {NOTHING} | {Stones(2, 4)})
    assert len(other.seen) == len(state.seen)
    assert other != state


def test_a_state_is_a_dataclass_still():
    assert dataclasses.replace(START, turns=3).turns == 3
    assert dataclasses.astuple(START) == dataclasses.astuple(specified(START))
    assert repr(START) == repr(specified(START)).replace("GoState", "LiveState")
    match START:
        case GoState(board, stones, turn):
            assert (board, stones, turn) == (grid(9, 9), NOTHING, BLACK)


@pytest.mark.parametrize("name", ["board", "stones", "turn", "komi", "passes", "turns", "seen", "text", "other"])
def test_a_state_is_not_changed(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(START, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(START, name)
    with pytest.raises(TypeError, match="once"):
        START.__init__(BOARD, NOTHING, BLACK, komi=7, seen=frozenset())
    assert Go().start() == START


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"board": None}, AttributeError),
        ({"board": Grid("5", 5, (), 0)}, TypeError),
        ({"board": Grid(0, 5, (), 0)}, ValueError),
        ({"board": Grid(5, 20, (), 0)}, ValueError),
        ({"board": Grid(1 << 99, 5, (), 0)}, ValueError),
        ({"stones": None}, TypeError),
        ({"stones": (1,)}, TypeError),
        ({"stones": (1, 2, 4)}, TypeError),
        ({"stones": [1, 2]}, TypeError),
        ({"stones": ("1", 2)}, TypeError),
        ({"stones": (1.0, 2)}, TypeError),
        ({"stones": (-1, 2)}, ValueError),
        ({"stones": (3, 1)}, ValueError),
        ({"stones": (1 << 5, 0)}, ValueError),
        ({"stones": (1 << 30, 0)}, ValueError),
        ({"stones": (1 << 9999, 0)}, ValueError),
        ({"stones": (1, 2 | 1 << 6)}, ValueError),
        ({"turn": 0}, TypeError),
        ({"komi": "7"}, TypeError),
        ({"komi": None}, TypeError),
        ({"komi": float("nan")}, ValueError),
        ({"komi": float("inf")}, ValueError),
        ({"komi": 10**999}, ValueError),
        ({"limit": -1}, ValueError),
        ({"limit": "1"}, TypeError),
        ({"passes": 3}, ValueError),
        ({"passes": None}, TypeError),
        ({"turns": -1}, ValueError),
        ({"turns": 1 << 99}, ValueError),
        ({"seen": None}, TypeError),
        ({"seen": [NOTHING]}, TypeError),
        ({"seen": frozenset({1})}, TypeError),
        ({"seen": frozenset({(1, "2")})}, TypeError),
        ({"seen": frozenset({(1, 1)})}, ValueError),
        ({"seen": frozenset({(1 << 40, 0)})}, ValueError),
        ({"other": 1}, TypeError),
    ],
)
def test_nonsense_makes_no_state(change, error):
    fields = {"board": BOARD, "stones": NOTHING, "turn": BLACK, "komi": 7, "seen": frozenset({NOTHING})}
    assert LiveState(**fields).text == ("." * 5 + "/") * 4 + "..... X 0"
    with pytest.raises(error):
        LiveState(**fields | change)


def test_what_must_be_named_must_be_named():
    for call in (
        lambda: LiveState(BOARD, NOTHING, BLACK),
        lambda: LiveState(BOARD, NOTHING, BLACK, komi=7),
        lambda: LiveState(BOARD, NOTHING, BLACK, seen=frozenset()),
        lambda: LiveState(BOARD, NOTHING, BLACK, 7, seen=frozenset()),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_state_that_was_never_set_up_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.stones, state.passes, state.turns, state.seen) == (NOTHING, 0, 0, frozenset())
    assert state.legal_moves == ("pass",)
    assert isinstance(state.text, str)
    assert state.forward("pass").forward("pass").is_game_over()
    for ask in (lambda: state.board, lambda: state.forward("A1"), lambda: hash(state), lambda: pickle.dumps(state)):
        with pytest.raises(AttributeError):
            ask()
    assert sum(kernel.playouts(state, 3, 1)) == 3
    for maker in (object.__new__, GoState.__new__):
        with pytest.raises(TypeError, match="not safe"):
            maker(LiveState)


@pytest.mark.parametrize("thing", [None, 3, "start", object(), GoState("x", 0, BLACK, komi=0, seen=frozenset())])
def test_what_is_no_state_is_refused(thing):
    for ask in (kernel.key, lambda thing: kernel.perft(thing, 2), lambda thing: kernel.playouts(thing, 2, 1)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            ask(thing)


@pytest.mark.parametrize("thing", [None, 3, int, object, Ending, LiveState, type])
def test_only_the_specification_is_derived_from(thing):
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(thing)


def test_copies_and_pickles_are_equal():
    state = START.forward("D4").forward("E5")
    for again in (copy.copy(state), copy.deepcopy(state), *(pickle.loads(pickle.dumps(state, to)) for to in range(6))):
        assert type(again) is LiveState
        assert again == state
        assert again.legal_moves == state.legal_moves


def test_a_pickle_is_read_by_the_other_form():
    state = START.forward("D4").forward("E5")
    told = "print(type(state).__name__, state.text, state.turns, len(state.seen))"
    read = f"import pickle; state = pickle.loads({pickle.dumps(state)!r}); {told}"
    assert run("-c", read, ARENA_KERNEL="python") == f"GoState {state.text} 2 3"
    assert pickle.loads(pickle.dumps(specified(state))) == state


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    def _placements(self):
        return itertools.islice(super()._placements(), 1)


def test_a_subclass_has_its_own_way():
    state = Stubborn(BOARD, NOTHING, BLACK, komi=7, seen=frozenset({NOTHING}))
    assert state.legal_moves == ("A5", "pass")
    assert type(state.forward("A5")) is Stubborn
    assert (state.forward("A5").turns, len(state.forward("A5").seen)) == (1, 2)
    assert state.ending is None
    assert not state.is_game_over()
    for ask in (state.forward, state.parse):
        with pytest.raises(IllegalMove):
            ask("C3")
    assert state != Go(size=5).start()
    assert state == copy.deepcopy(state) == pickle.loads(pickle.dumps(state))
    assert kernel.perft(state, 2) == 26 * 25 + 1


def test_a_cycle_through_a_subclass_is_collected():
    class Linked(LiveState):
        pass

    state = Linked(BOARD, NOTHING, BLACK, komi=7, seen=frozenset())
    object.__setattr__(state, "self", state)
    gone = weakref.ref(state)
    del state
    gc.collect()
    assert gone() is None


def test_nonsense_in_a_hidden_slot_is_no_danger():
    state = make()
    for name in ("seen", "stones", "passes", "turn", "turns", "board", "komi", "limit"):
        getattr(GoState, name).__set__(state, [state])
    assert (state.stones, state.seen, state.turns) == (NOTHING, frozenset(), 0)
    assert state.forward("C3").forward("C4").turns == 2
    assert kernel.perft(state, 1) == 26
    with pytest.raises(TypeError):
        hash(state)
    with pytest.raises((AttributeError, TypeError)):
        state.forward("pass").forward("pass").ending  # noqa: B018
    del state
    gc.collect()


def test_set_up_within_set_up_counts_once():
    class Board:
        columns = 5

        @property
        def rows(self):
            state.__init__(BOARD, Stones(1, 0), BLACK, komi=7, seen=frozenset())
            return 5

    state = LiveState.__new__(LiveState)
    with pytest.raises(TypeError, match="once"):
        state.__init__(Board(), NOTHING, BLACK, komi=7, seen=frozenset())
    assert state.stones == Stones(1, 0)


def test_a_million_boards_of_the_past_are_freed():
    boards = frozenset(Stones(upper | lower, 0) for upper in range(1 << 19) for lower in (0, 1 << 20))
    state = LiveState(grid(2, 19), NOTHING, BLACK, komi=7, seen=boards)
    assert "A2" not in state.legal_moves
    later = [state.forward("pass").forward(move) for move in ("A2", "B2", "A1") * 5]
    del state
    assert later[0] == later[3] != later[1]
    assert later[0].forward("B1").turns == 3
    del later


def test_the_states_of_a_very_long_game_share_its_past():
    states = list(itertools.islice(wander(START, random.Random(1)), 5000))
    assert len(states) > 1000
    last = states[-1]
    size = len(last.seen)
    del states
    gc.collect()
    assert len(last.seen) == size > 1000
    assert pickle.loads(pickle.dumps(last)) == last


def test_a_million_turns_leave_nothing_behind():
    def turns(number):
        for _ in range(number):
            state = START.forward("D4").forward("E5")
            state.legal_moves, state.text, state.stones, state.seen, state.ending, hash(state), state == START
            for thing in ("D4", None):
                with pytest.raises(IllegalMove):
                    state.forward(thing)
        gc.collect()
        return sys.getallocatedblocks(), sys.getrefcount(LiveState), len(gc.get_objects())

    turns(100)
    before = turns(100)
    forward = START.forward
    memory = [None, None]
    for half in range(2):
        for _ in range(500_000):
            forward("D4")
        memory[half] = resident()
    after = turns(300)
    assert all(abs(now - then) < 100 for now, then in zip(after, before, strict=True))
    assert memory[1] - memory[0] < 10_000_000


def resident():
    """How many bytes of memory this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_a_long_count_can_be_interrupted():
    code = """
import signal, games
from games import _native_go as kernel
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
state = games.load("go").start()
for ask in (lambda: kernel.perft(state, 40), lambda: kernel.playouts(state, 10**12, 1)):
    try: signal.setitimer(signal.ITIMER_REAL, 0.05); ask()
    except TimeoutError: print("stopped")
"""
    assert run("-c", code).split() == ["stopped"] * 2


@pytest.mark.parametrize("name", ["go", "mushroom"])
def test_the_tests_of_the_rules_hold_for_the_python_form_too(name):
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / f"test_{name}.py")]
    assert "passed" in run(*words, ARENA_KERNEL="python")


@pytest.mark.soak
@pytest.mark.parametrize("name", ["go", "mushroom"])
def test_no_memory_is_touched_that_should_not_be(tmp_path, name):
    """The tests again, with a kernel that watches every access."""
    library = tmp_path / f"_native_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    source = Path(games.__file__).parent / "_kernel" / f"{name}.cpp"
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=c++20", "-O1", "-g", "-fPIC", "-shared", *checks, f"-I{sysconfig.get_paths()['include']}"]
    subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
    preload = " ".join(
        subprocess.run(["g++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    )
    start = tmp_path / "start.py"
    start.write_text(
        "import sys, importlib.util, games, pytest\n"
        f"spec = importlib.util.spec_from_file_location('games._native_{name}', {str(library)!r})\n"
        "sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "unwatched = 'not python_form and not leave_nothing and not interrupted'\n"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-m', 'not soak', '-k', unwatched, *sys.argv[1:]]))\n"
    )
    patterns = (f"test_{name}.py", f"test_kernel_{name}.py", f"test_kernel_{name}_*.py")
    tests = [str(path) for pattern in patterns for path in sorted(HERE.glob(pattern))]
    told = {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    assert "passed" in run(str(start), *tests, **told)
