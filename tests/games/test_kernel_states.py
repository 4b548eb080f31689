"""States of the kernels are the same values as the specification's states, whatever is done to them.

For the games whose states are frozen dataclasses; microchess has tests of its own.
"""

import copy
import dataclasses
import gc
import os
import pickle
import random
import sys
import weakref
from pathlib import Path

import pytest

from games import load
from games._grid import grid
from games._live import live
from games.base import BLACK, WHITE, Ending
from games.contract import check
from games.errors import IllegalMove
from games.go import GoState
from games.gomoku import Gomoku, GomokuState
from games.mushroom import MushroomState
from games.othello import OthelloState

#: Options of a game that is short enough to check the contract with the specification.
SMALL = {"go": {"size": 4, "turns": 60}, "gomoku": {"size": 7}, "mushroom": {"rows": 5, "columns": 6}, "othello": {}}

#: Attributes of a state: fields, properties, and one that it does not have.
ATTRIBUTES = {
    "go": ["board", "stones", "turn", "komi", "suicide", "passes", "turns", "seen", "text", "other"],
    "gomoku": ["board", "black", "white", "turn", "turns", "text", "legal_moves", "other"],
    "mushroom": ["rows", "turn", "passes", "turns", "text", "legal_moves", "other"],
    "othello": ["black", "white", "turn", "turns", "text", "legal_moves", "other"],
}

#: Things that are not legal moves, or that only `parse` accepts.
NOT_MOVES = {
    "go": [
        "", "I5", "A0", "A10", "K1", "4D", "D4 ", " D4", "D04", "D", "d4", "PASS", "é4", "\x00", "A\x00", "D" * 99,
        None, 4, b"D4", ["D4"], object(),
    ],
    "gomoku": [
        "", ",", "3", "3,", ",3", "3,4", "03,5", "3,05", "3,5 ", " 3,5", "3, 5", "+3,5", "3.5", "11,0", "0,11", "99,0",
        "100,0", "3,5,1", "3,5\x00", "٣,5", "é", "3" * 999, "-1,0", None, 35, (3, 5), b"3,5", ["3,5"],
    ],
    "mushroom": [
        "", "pass", "-1 -1 -1 -", "-1 -1 -1 -1 ", "0 0 0", "0 0 0 0", "1 0 0 0", "0 1 0 0", "00 0 0 1", "0 0 0 01",
        "0 0 0 17", "0 0 10 0", "0 0 0 99", "0 0 0 100", "0  0 0 1", "0,0,0,1", "+0 0 0 1", "é 0 0 1", "\x00", "9" * 99,
        None, 19, b"0 0 0 1", [load("mushroom").start().legal_moves[0]], object(),
    ],
    "othello": [
        "", "d4", "a1", "D3", "i3", "d9", "pass", "d3 ", "d3d3", "é3", "\x00", "d" * 99, None, 19, b"d3", ["d3"],
    ],
}  # fmt: skip

#: Things that are not states, or states of the specification that no kernel can play on.
NOT_STATES = {
    "go": [GoState("x", 0, BLACK, komi=0, seen=frozenset())],
    "gomoku": [GomokuState(Gomoku().start().board, 1, 1, BLACK)],
    "mushroom": [MushroomState("x", 0), MushroomState((), WHITE)],
    "othello": [OthelloState("x", 0, BLACK), OthelloState(1, 1, BLACK)],
}
ANYTHING = [None, 3, "start", object()]

#: Changes of fields that make a state differ from the start of the game; some are nonsense.
OTHER_FIELDS = {
    "go": [{"board": "board", "stones": None, "turn": 3}, {"turns": "0"}, {"seen": 3}, {"seen": frozenset()}],
    "gomoku": [{"turns": 1}, {"board": None, "black": "black", "white": None, "turn": 3}, {"board": grid(12, 12)}],
    "mushroom": [{"rows": "rows", "turn": None, "passes": 3}, {"turns": "0"}],
    "othello": [{"turns": 1}, {"black": "black", "white": None, "turn": 3}, {"turns": "0"}],
}


def each(table):
    """Parameters for a kernel and each of its entries in a table."""
    return [
        pytest.param(name, entry, id=f"{name}-{number}")
        for name, entries in table.items()
        for number, entry in enumerate(entries)
    ]


def test_games_are_played_with_the_kernel(kernel):
    assert type(load(kernel.name).start()) is kernel.native_class is not kernel.python_class
    assert type(load(kernel.name).position(kernel.start.text)) is kernel.native_class
    assert live(kernel.name) == "kernel"
    assert isinstance(kernel.start, kernel.python_class)


def test_a_game_with_options_is_played_with_the_kernel():
    assert type(load("gomoku:size=7").start()) is type(Gomoku().start())


def test_the_specification_keeps_the_contract_too(kernel):
    class Specified(kernel.game_class):
        def start(self, seed=0):
            return kernel.specified(super().start(seed))

        def position(self, text):
            return kernel.specified(super().position(text))

    check(Specified(**SMALL[kernel.name]), games=2, seed=3)


# ---- moves


@pytest.mark.parametrize(("kernel", "thing"), each(NOT_MOVES), indirect=["kernel"])
def test_both_forms_refuse_an_illegal_move_with_the_same_message(kernel, thing):
    state = kernel.start.forward("3,4") if kernel.name == "gomoku" else kernel.start
    for name in ("forward", "parse"):
        answers = []
        for form in (state, kernel.specified(state)):
            try:
                answers.append(getattr(form, name)(thing))
            except IllegalMove as error:
                answers.append(str(error))
        assert answers[0] == answers[1]
        assert name == "parse" or "is not a legal move" in answers[0]


@pytest.mark.parametrize(("kernel", "thing"), each({"mushroom": NOT_MOVES["mushroom"]}), indirect=["kernel"])
def test_parse_refuses_what_is_not_a_move_of_mushroom(kernel, thing):
    with pytest.raises(IllegalMove):
        kernel.start.parse(thing)


def test_a_move_may_be_any_equal_string(kernel):
    class Text(str):
        __slots__ = ()

    start, move = kernel.start, kernel.first_move
    assert start.forward(Text(move)) == start.forward("".join(list(move))) == start.forward(move)


def test_random_games_follow_their_seed(kernel):
    start, playouts = kernel.start, kernel.module.playouts
    assert playouts(start, 500, 7) == playouts(kernel.specified(start), 500, 7)
    assert playouts(start, 500, 7) != playouts(start, 500, 8)
    assert playouts(start, 0, 7) == (0, 0, 0)


# ---- values


def test_both_forms_are_the_same_value(kernel):
    state = kernel.start.forward(kernel.first_move)
    twin = kernel.specified(state)
    assert state == twin
    assert twin == state
    assert {state: 1}[twin] == {twin: 1}[state] == 1
    assert state != twin.forward(kernel.second_move)
    assert kernel.start != "start"
    with pytest.raises(TypeError):
        kernel.start < kernel.start  # noqa: B015


@pytest.mark.parametrize(("kernel", "change"), each(OTHER_FIELDS), indirect=["kernel"])
def test_a_specified_state_with_other_fields_is_not_equal(kernel, change):
    assert kernel.python_class(**kernel.fields(kernel.start) | change) != kernel.start


def test_a_state_is_a_dataclass(kernel):
    start, python = kernel.start, kernel.specified(kernel.start)
    assert dataclasses.replace(start, turns=3).turns == 3
    assert dataclasses.astuple(start) == dataclasses.astuple(python)
    assert repr(start) == repr(python).replace(kernel.python_class.__name__, "LiveState")
    assert kernel.native_class.__match_args__ == kernel.python_class.__match_args__
    fields = [getattr(python, name) for name in python.__match_args__]
    assert [getattr(start, name) for name in start.__match_args__] == fields
    match start:
        case kernel.python_class(first, second):
            assert [first, second] == fields[:2]
        case _:
            pytest.fail("a state does not match its class")


@pytest.mark.parametrize(("kernel", "name"), each(ATTRIBUTES), indirect=["kernel"])
def test_a_state_cannot_be_changed(kernel, name):
    start = kernel.start
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(start, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(start, name)
    with pytest.raises(TypeError, match="once"):
        start.__init__(**kernel.fields(start.forward(kernel.first_move)))
    assert kernel.game_class().start() == start


@pytest.mark.parametrize(
    ("kernel", "name"), each({name: ATTRIBUTES[name] for name in ("mushroom", "othello")}), indirect=["kernel"]
)
def test_a_state_without_a_board_object_cannot_be_changed_by_force(kernel, name):
    with pytest.raises(AttributeError):
        object.__setattr__(kernel.start, name, 1)


@pytest.mark.parametrize(
    ("kernel", "thing"), each({name: ANYTHING + states for name, states in NOT_STATES.items()}), indirect=["kernel"]
)
def test_functions_of_the_kernel_refuse_what_is_not_a_state(kernel, thing):
    module = kernel.module
    for ask in (module.key, lambda thing: module.perft(thing, 2), lambda thing: module.playouts(thing, 2, 1)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            ask(thing)


@pytest.mark.parametrize("thing", [None, 3, int, object, list, OSError, Ending, type, random.Random])
def test_the_kernel_derives_only_from_the_specification(kernel, thing):
    with pytest.raises(TypeError, match="specification"):
        kernel.module.derived(thing)


def test_the_kernel_does_not_derive_from_its_own_class(kernel):
    with pytest.raises(TypeError, match="specification"):
        kernel.module.derived(kernel.native_class)


# ---- copies and pickles


def after_two_moves(kernel):
    return kernel.start.forward(kernel.first_move).forward(kernel.second_move)


def test_copies_and_pickles_are_equal(kernel):
    state = after_two_moves(kernel)
    for again in (copy.copy(state), copy.deepcopy(state), *(pickle.loads(pickle.dumps(state, to)) for to in range(6))):
        assert type(again) is kernel.native_class
        assert again == state
        assert again.legal_moves == state.legal_moves


def test_each_form_reads_the_pickles_of_the_other(kernel, run_python):
    state = after_two_moves(kernel)
    code = f"""
import pickle
state = pickle.loads({pickle.dumps(state)!r})
print(type(state).__name__, state.text, state.turns, len(getattr(state, "seen", ())))
"""
    boards_seen = 3 if kernel.name == "go" else 0
    printed = f"{kernel.python_class.__name__} {state.text} 2 {boards_seen}"
    assert run_python("-c", code, ARENA_KERNEL="python") == printed
    assert pickle.loads(pickle.dumps(kernel.specified(state))) == state


# ---- memory


def test_a_cycle_through_a_subclass_is_collected(kernel):
    class Linked(kernel.native_class):
        pass

    state = Linked(**kernel.fields(kernel.start))
    object.__setattr__(state, "self", state)
    reference = weakref.ref(state)
    del state
    gc.collect()
    assert reference() is None


def resident():
    """Bytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def use(kernel, times):
    """Use states in all ways that must not leak, then count what the interpreter holds."""
    start = kernel.start
    for _ in range(times):
        state = start.forward(kernel.first_move).forward(kernel.second_move)
        _ = state.legal_moves, state.text, kernel.fields(state), state.ending, hash(state), state == start
        for thing in ("a1", kernel.first_move, None):
            with pytest.raises(IllegalMove):
                state.forward(thing)
    gc.collect()
    held = [sys.getallocatedblocks(), sys.getrefcount(kernel.native_class), len(gc.get_objects())]
    return held + ([sys.getrefcount(start.board)] if hasattr(start, "board") else [])


def test_a_million_turns_leave_nothing_behind(kernel):
    use(kernel, 300)
    before = use(kernel, 300)
    forward, move = kernel.start.forward, kernel.first_move
    for _ in range(1_000_000):
        forward(move)
    after = use(kernel, 3000)
    # Free lists of the interpreter come and go; a leak would be thousands.
    allowed = 100 if kernel.name in ("go", "mushroom") else 1000
    assert all(abs(now - then) < allowed for now, then in zip(after, before, strict=True))


def test_resident_memory_does_not_grow_with_the_turns(kernel):
    forward, move = kernel.start.forward, kernel.first_move
    memory = []
    for _ in range(2):
        for _ in range(500_000):
            forward(move)
        memory.append(resident())
    assert memory[1] - memory[0] < 10_000_000
