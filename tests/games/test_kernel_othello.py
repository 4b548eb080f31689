"""The Othello kernel does what its specification does, faster, and withstands misuse."""

import copy
import dataclasses
import gc
import pickle
import random

import pytest

from agents.evaluation import balance
from games import _native_othello as kernel
from games.base import BLACK, WHITE, Ending, Margin
from games.errors import BadPosition, IllegalMove
from games.othello import LiveState, Othello, OthelloState

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


def assert_games_equal(assert_equal, walk, seeds):
    for seed in seeds:
        for state in walk(Othello(), seed):
            assert_equal(state)


@pytest.fixture(scope="module")
def assert_equal(kernels):
    """Check that the kernel and the specification agree on a state."""
    return lambda state: kernels["othello"].assert_agrees(state, look)


def random_board(rng):
    """A board with random discs, which need not occur in a game."""
    weights = rng.choice([(8, 1, 1), (1, 1, 1), (1, 4, 4), (1, 9, 1), (1, 1, 9)])
    board = "".join(rng.choices("-XO", weights, k=64))
    return Othello().position(f"{board} {rng.choice('XO')}")


def test_kernel_and_specification_agree_on_random_games(assert_equal, walk):
    assert_games_equal(assert_equal, walk, range(30))


def test_kernel_and_specification_agree_on_random_boards(assert_equal):
    rng = random.Random(1)
    for _ in range(800):
        assert_equal(random_board(rng))


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions(assert_equal, walk):
    assert_games_equal(assert_equal, walk, range(1000, 1300))
    rng = random.Random(2)
    for _ in range(8000):
        assert_equal(random_board(rng))


@pytest.mark.parametrize("text", ["", "X", "-" * 64, "-" * 63 + " X", "-" * 64 + " x", "é" * 64 + " X", None, 5])
def test_a_bad_position_is_refused(text):
    with pytest.raises(BadPosition):
        Othello().position(text)


def test_perft_gives_the_known_numbers():
    counts = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]
    assert [kernel.perft(START, depth) for depth in range(10)] == counts


@pytest.mark.soak
def test_perft_gives_the_known_numbers_for_more_turns():
    # Where a pass is counted after the end too, they are 24,571,284 and 212,258,800: 57 games end after nine turns,
    # in each of four mirror images.
    assert kernel.perft(START, 10) == 24_571_284 - 4 * 57
    assert kernel.perft(START, 11) == 212_258_216


def test_perft_agrees_with_the_specification_on_random_positions(walk, perft):
    rng = random.Random(5)
    for state in [random_board(rng) for _ in range(20)] + list(walk(Othello(), 5))[-8:]:
        assert [kernel.perft(state, depth) for depth in (1, 2, 3)] == [perft(state, depth) for depth in (1, 2, 3)]
        assert kernel.perft(specified(state), 2) == perft(specified(state), 2)


def test_a_finished_game_has_no_moves():
    state = START
    for move in WIPED_OUT:
        state = state.forward(move)
    assert state.ending == Ending(BLACK, "discs", Margin(13, 0, "discs"))
    assert [kernel.perft(state, depth) for depth in (0, 1, 5)] == [1, 0, 0]
    assert kernel.playouts(state, 10, 1) == (0, 0, 10)


def test_different_positions_have_different_keys(walk):
    states = {state.text: state for seed in range(60) for state in walk(Othello(), seed)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    assert (
        kernel.key(START)
        != kernel.key(LiveState(START.white, START.black, WHITE))
        != kernel.key(LiveState(START.black, START.white, WHITE))
    )
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9))


def test_random_games_have_plausible_results():
    white, drawn, black = kernel.playouts(START, 20_000, 1)
    assert white + drawn + black == 20_000
    # White does a little better among random players.
    assert 0.47 < white / 20_000 < 0.54
    assert 0.03 < drawn / 20_000 < 0.06


def test_an_evaluation_accepts_states_of_the_kernel():
    assert balance(START.forward("d3"), BLACK) == 3 / 64


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
def test_invalid_fields_are_refused(fields, error):
    with pytest.raises(error):
        LiveState(*fields)


def test_a_state_without_init_is_harmless():
    state = LiveState.__new__(LiveState)
    assert (state.black, state.white, state.turns) == (0, 0, 0)
    assert state.is_game_over()
    with pytest.raises(IllegalMove):
        state.forward("d3")
    for maker in (object.__new__, OthelloState.__new__):
        with pytest.raises(TypeError, match="not safe"):
            maker(LiveState)


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


def test_a_class_whose_base_has_a_slot_is_not_derived_from():
    class Slot:
        __slots__ = ("black",)

    fields = [("white", int), ("turn", bool), ("turns", int)]
    with pytest.raises(TypeError, match="specification"):
        kernel.derived(dataclasses.make_dataclass("Foreign", fields, bases=(Slot,), frozen=True, slots=True))


def test_an_invalid_pickle_is_refused():
    written = pickle.dumps(START, 0)
    assert b"34628173824" in written
    with pytest.raises((TypeError, ValueError)):
        pickle.loads(written.replace(b"34628173824", b"-4628173824"))


class Stubborn(LiveState):
    """A subclass that overrides, as subclasses of the specification do."""

    @property
    def legal_moves(self):
        return super().legal_moves[:1]


def test_a_subclass_may_override_the_rules():
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


def test_a_subclass_may_have_another_constructor():
    class Noted(LiveState):
        def __init__(self, note):
            super().__init__(START.black, START.white, BLACK, turns=4)
            object.__setattr__(self, "note", note)

    assert (Noted("first").note, Noted("first").turns) == ("first", 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Noted("first").turns = 5


def test_a_cycle_through_a_hidden_slot_is_harmless():
    state = LiveState(START.black, START.white, BLACK)
    OthelloState.black.__set__(state, [state])
    assert state.black == START.black
    assert state.forward("d3").forward("c3").turns == 2
    del state
    gc.collect()


def test_a_specification_made_to_ask_the_kernel_is_harmless(run_python):
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
    assert run_python("-c", code).split() == ["refused"] * 6


def test_a_long_chain_of_states_is_freed():
    for made in (Stubborn, LiveState):
        state = made(START.black, START.white, BLACK)
        for _ in range(200_000):
            later = made(START.black, START.white, BLACK)
            OthelloState.black.__set__(later, state)
            state = later
        del state, later
