"""States of the Go kernel are the values that the specification's are, and withstand misuse."""

import copy
import dataclasses
import functools
import gc
import itertools
import pickle
import random

import pytest

from games import _native_go as kernel
from games._go import Stones
from games._grid import Grid, grid
from games.base import BLACK, WHITE
from games.errors import IllegalMove
from games.go import Go, GoState, LiveState

START = Go().start()
BOARD = grid(5, 5)
NOTHING = Stones(0, 0)

make = functools.partial(LiveState, BOARD, NOTHING, BLACK, komi=7, seen=frozenset())


def specified(state):
    """The same state in the specification's form."""
    return GoState(**{field.name: getattr(state, field.name) for field in dataclasses.fields(GoState)})


def wander(state, rng):
    """The states of a random game in which a player passes only if no other move is legal."""
    while not state.is_game_over():
        yield state
        *points, passing = state.legal_moves
        state = state.forward(rng.choice(points) if points else passing)


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
def test_invalid_fields_are_refused(change, error):
    fields = {"board": BOARD, "stones": NOTHING, "turn": BLACK, "komi": 7, "seen": frozenset({NOTHING})}
    assert LiveState(**fields).text == ("." * 5 + "/") * 4 + "..... X 0"
    with pytest.raises(error):
        LiveState(**fields | change)


def test_keyword_arguments_cannot_be_positional_or_missing():
    for call in (
        lambda: LiveState(BOARD, NOTHING, BLACK),
        lambda: LiveState(BOARD, NOTHING, BLACK, komi=7),
        lambda: LiveState(BOARD, NOTHING, BLACK, seen=frozenset()),
        lambda: LiveState(BOARD, NOTHING, BLACK, 7, seen=frozenset()),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_state_without_init_is_harmless():
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


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    def _placements(self):
        return itertools.islice(super()._placements(), 1)


def test_a_subclass_may_override_the_rules():
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


def test_invalid_values_in_hidden_slots_are_harmless():
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


def test_init_called_within_init_is_refused():
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


def test_a_million_earlier_boards_are_freed():
    boards = frozenset(Stones(upper | lower, 0) for upper in range(1 << 19) for lower in (0, 1 << 20))
    state = LiveState(grid(2, 19), NOTHING, BLACK, komi=7, seen=boards)
    assert "A2" not in state.legal_moves
    later = [state.forward("pass").forward(move) for move in ("A2", "B2", "A1") * 5]
    del state
    assert later[0] == later[3] != later[1]
    assert later[0].forward("B1").turns == 3
    del later


def test_the_states_of_a_very_long_game_share_its_history():
    states = list(itertools.islice(wander(START, random.Random(1)), 5000))
    assert len(states) > 1000
    last = states[-1]
    size = len(last.seen)
    del states
    gc.collect()
    assert len(last.seen) == size > 1000
    assert pickle.loads(pickle.dumps(last)) == last
