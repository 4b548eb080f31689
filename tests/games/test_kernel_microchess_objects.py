"""Native microchess states as objects of Python: classes, attributes, copies, pickles, memory."""

import contextlib
import copy
import gc
import importlib
import os
import pickle
import subprocess
import sys
import weakref

import chess
import pytest

from games.base import BLACK, WHITE, Ending
from games.errors import IllegalMove
from games.microchess import Microchess, PythonState

NATIVE = importlib.import_module("games._native_microchess")
NativeState = NATIVE.derived(PythonState)
START = "knbr/p3/4/3P/RBNK w Qk - 0 1"
SHUFFLE = "b1b2 c5c4 b2b1 c4c5 "


def played(state, moves):
    for move in moves.split():
        state = state.forward(state.parse(move))
    return state


# ---- classes


class Patient(NativeState):
    quiet_turns = 100


class Careless(NativeState):
    def is_fivefold_repetition(self):
        return False


class Named(NativeState):
    """Adds attributes to a state and overrides nothing."""

    nickname = "nobody"

    def shout(self):
        return self.text.upper()


def test_a_subclass_goes_on_as_itself():
    state = Named(START)
    state.nickname = "somebody"
    after = played(state, "d2d3")
    assert type(after) is type(after.copy()) is type(after.root()) is Named
    assert after.nickname == after.copy().nickname == "somebody"
    assert after.shout() == after.text.upper()


def test_a_subclass_may_change_a_rule():
    assert Patient("k1r1/4/4/4/1R1K w - - 60 30").ending is None
    assert NativeState("k1r1/4/4/4/1R1K w - - 60 30").ending.reason == "fifty-turns"
    state = played(Careless("k1r1/4/4/4/1R1K w - - 0 1"), SHUFFLE * 5)
    assert state.ending is None
    assert len(state.legal_moves) > 0


def test_a_rule_may_be_changed_later():
    class Later(NativeState):
        pass

    state = Later("k1r1/4/4/4/1R1K w - - 30 30")
    assert not state.is_game_over()
    Later.quiet_turns = 20
    assert state.is_game_over()
    del Later.quiet_turns
    assert not state.is_game_over()


def test_the_storage_class_cannot_be_used_by_itself():
    storage = NativeState.__mro__[1]
    with pytest.raises(TypeError):
        storage()
    with pytest.raises(TypeError):
        type("Alien", (storage, chess.Board), {})()
    with pytest.raises(TypeError):
        object.__new__(NativeState)
    with pytest.raises(TypeError):
        NATIVE.derived(int)


# ---- attributes


def test_attributes_of_a_user_go_with_the_state():
    state = NativeState()
    state.note = ["seen"]
    after = played(state, "d2d3")
    assert after.note is state.note
    after.note = None
    assert state.note == ["seen"]
    assert vars(NativeState()) == {}


def test_the_limit_and_the_clocks_take_any_value():
    state = NativeState()
    state.white_remain_sec, state.turn_limit = 12, 10**30
    after = played(state, "d2d3")
    assert (after.white_remain_sec, after.turn_limit) == (12, 10**30)
    assert isinstance(after.white_remain_sec, int)
    del after.turn_limit
    assert after.turn_limit == PythonState.turn_limit
    after.turn_limit = None
    with pytest.raises(TypeError):
        after.is_game_over()


NONSENSE = [None, "x", 1.5, -1, 2**64, 10**40, [], object()]


@pytest.mark.parametrize("name", ["pawns", "kings", "occupied", "promoted", "castling_rights", "move_stack", "_stack",
                                  "occupied_co", "turn", "ep_square", "halfmove_clock", "fullmove_number"])  # fmt: skip
def test_invalid_values_are_refused_and_change_nothing(name):
    for value in NONSENSE:
        state = played(NativeState(), "d2d3")
        before = state.copy()
        try:
            setattr(state, name, value)
        except (TypeError, ValueError):
            assert state == before
            assert state.move_stack == before.move_stack
        state.is_game_over()
        list(state.legal_moves)
    with pytest.raises(AttributeError):
        delattr(NativeState(), name)


def test_the_squares_of_both_sides_are_written_through():
    state = NativeState()
    sides = state.occupied_co
    assert sides == PythonState().occupied_co == list(sides) == sides[:] == sides.copy()
    assert repr(sides) == repr(PythonState().occupied_co)
    state.push(chess.Move.from_uci("d2d4"))
    assert sides[WHITE] & chess.BB_D4
    sides[-1] = chess.BB_D1
    assert state.occupied_co == [sides[BLACK], chess.BB_D1]
    sides.reverse()
    assert sides[BLACK] == chess.BB_D1
    for key in (2, -3, "x", None):
        with pytest.raises((IndexError, TypeError)):
            sides[key] = 0
    with pytest.raises(ValueError, match="two items"):
        sides[:] = [1]
    assert pickle.loads(pickle.dumps(sides)) == list(sides)


# ---- moves


class Hostile(chess.Move):
    """A move that changes the board while it is read."""

    board: chess.Board

    @property
    def from_square(self):
        self.board.clear()
        return chess.D2

    @from_square.setter
    def from_square(self, value):
        pass


def test_a_move_that_changes_the_board_is_harmless():
    for made in ("forward", "push", "is_legal"):
        move = Hostile(chess.D2, chess.D3)
        move.board = NativeState()
        with contextlib.suppress(IllegalMove):
            assert not getattr(move.board, made)(move)
        assert move.board.text == "4/4/4/4/4 w - - 0 1"


def test_an_illegal_move_is_refused_with_the_message_of_the_specification():
    for thing in (None, "d2d3", chess.Move.null(), chess.Move(99, 3), chess.Move(3, 11, 9), Hostile):
        words = []
        for form in (PythonState, NativeState):
            with pytest.raises(IllegalMove) as refused:
                form().forward(thing)
            words.append(str(refused.value))
        assert words[0] == words[1]


def test_a_move_of_another_class_or_with_other_numbers_is_read():
    class Own(chess.Move):
        pass

    for move in (Own(chess.D2, chess.D3), chess.Move(True * chess.D2, chess.D3), chess.Move(chess.D2, chess.D3, None)):
        assert NativeState().forward(move).text == played(NativeState(), "d2d3").text


def test_legal_moves_are_a_sequence():
    moves, specified = NativeState().legal_moves, PythonState().legal_moves
    assert isinstance(moves, type(specified))
    assert moves[1:4] == specified[1:4]
    assert moves[-1] == specified[-1]
    assert list(reversed(moves)) == list(reversed(list(specified)))
    assert moves.board == specified.board
    assert repr(moves).split("(")[1] == repr(specified).split("(")[1]
    for index in (12, -13, 10**30, "x", None):
        with pytest.raises((IndexError, TypeError)):
            moves[index]
    assert list(copy.copy(moves)) == list(moves)
    with pytest.raises(TypeError):
        type(moves)(NativeState())


def test_a_position_with_very_many_moves():
    text = "kn1R/P1P1/Q1R1/Q3/K2Q w - - 0 1"
    native, specified = (form(text) for form in (NativeState, PythonState))
    assert len(native.legal_moves) == 40
    assert list(native.legal_moves) == list(specified.legal_moves) == list(native.generate_legal_moves())


# ---- keys and random games


def test_keys_are_equal_exactly_for_repeated_positions():
    start = NativeState("k2r/p3/4/3P/R2K w Qk - 0 1")
    there_and_back = played(start, "a1b1 d5c5 b1a1 c5d5")
    again = played(there_and_back, "a1b1 d5c5 b1a1 c5d5")
    assert NATIVE.key(there_and_back) == NATIVE.key(again)
    assert NATIVE.key(there_and_back) != NATIVE.key(start)
    assert NATIVE.key(start) == NATIVE.key(NativeState(start.fen().replace(" 0 1", " 9 7")))
    assert NATIVE.key(NativeState("k3/4/4/4/1R1K w - - 0 1")) != NATIVE.key(NativeState("k3/4/4/4/1R1K b - - 0 1"))


def test_different_positions_have_different_keys(walk):
    keys = {}
    for seed in range(100):
        for state in walk(Microchess(), seed):
            position = " ".join(state.text.split()[:3])
            assert keys.setdefault(NATIVE.key(state), position) == position
    assert len(keys) == len(set(keys.values())) > 3_000


def test_random_games_follow_their_seed():
    state = NativeState()
    assert NATIVE.playouts(state, 500, 7) == NATIVE.playouts(state, 500, 7) != NATIVE.playouts(state, 500, 8)
    assert sum(NATIVE.playouts(state, 500, 7)) == 500
    assert NATIVE.playout(state, 3) in {-1, 0, 1}


@pytest.mark.parametrize(
    ("text", "moves", "result"),
    [
        ("k3/4/1Q2/4/3K b - - 0 10", "", 1),
        ("4/4/k3/3q/K3 b - - 0 10", "d2b2", -1),
        ("k3/4/4/4/3K w - - 0 1", "", 0),
        ("k1r1/4/4/4/1R1K w - - 0 1", SHUFFLE * 4, 0),
        ("k1r1/4/4/4/1R1K b - - 49 40", "", 0),
        ("k3/p3/4/3P/RN1K b - - 0 40", "", 1),
    ],
)
def test_a_random_game_ends_by_the_rules_of_the_competition(text, moves, result):
    assert NATIVE.playout(played(NativeState(text), moves), 1) == result


def test_random_games_end_as_often_for_either_side_as_in_python(walk):
    wins = NATIVE.playouts(NativeState(), 20_000, 1)
    seen = [last.ending.winner for *_, last in (walk(Microchess(), seed) for seed in range(400))]
    for winner, count in zip((WHITE, None, BLACK), wins, strict=True):
        assert abs(seen.count(winner) / 400 - count / 20_000) < 0.1


@pytest.mark.parametrize("function", ["perft", "playout", "key"])
def test_the_kernel_refuses_what_it_cannot_play_on(function):
    rest = () if function == "key" else (1,)
    for state, error in ((PythonState(), TypeError), (None, TypeError), (NativeState.empty(), ValueError)):
        with pytest.raises(error):
            getattr(NATIVE, function)(state, *rest)
    for bad in (-1, 10**40, "x", None):
        with pytest.raises((TypeError, ValueError)):
            NATIVE.perft(NativeState(), bad)


# ---- pickles


READ = """
import pickle, sys
state = pickle.load(sys.stdin.buffer)
import games.microchess
native = type(state) is not games.microchess.PythonState
print(native, state.text, *state.move_stack, state.turn_limit, state.note, state.root().text, state.ending, sep=";")
sys.stdout.flush()
sys.stdout.buffer.write(pickle.dumps(state))
"""


def test_each_form_reads_the_pickles_of_the_other():
    state = played(NativeState("k2r/p3/4/3P/R2K w Qk - 0 1"), "d1c1 a5b5 d2d3")
    state.note, state.turn_limit = "kept", 11
    sent = pickle.dumps(state)
    for rules, native in (("python", "False"), ("kernel", "True")):
        environment = os.environ | {"ARENA_KERNEL": rules}
        ran = subprocess.run(
            [sys.executable, "-P", "-c", READ], input=sent, env=environment, capture_output=True, check=True
        )
        line, _, sent = ran.stdout.partition(b"\n")
        expected = [native, state.text, *map(str, state.move_stack), "11", "kept", state.root().text, "None"]
        assert line.decode().split(";") == expected
    assert pickle.loads(sent).move_stack == state.move_stack


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_pickle_protocol_works(protocol):
    state = played(NativeState(), "d2d3 a4a3")
    again = pickle.loads(pickle.dumps(state, protocol))
    assert (type(again), again.text, again.pop()) == (NativeState, state.text, state.peek())


GARBAGE = [
    None, 5, {}, {"pawns": "x"}, {"move_stack": 5}, {"_stack": [None]}, {"move_stack": [None], "_stack": [None]},
    {"move_stack": [chess.Move.null()], "_stack": [chess._BoardState(chess.Board())]}, {"occupied_co": [1]}, {3: 4},
    {"turn": None}, {"kings": 2**63, "occupied": 2**63}, {"legal_moves": 1}, {"__dict__": 3}, {"__class__": int},
]  # fmt: skip


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_an_invalid_pickle_is_refused_or_gives_some_board(garbage):
    state = NativeState()
    refusals = (AttributeError, IndexError, TypeError, ValueError)
    with contextlib.suppress(*refusals):
        state.__setstate__(garbage)
    for question in (lambda: state.ending, lambda: list(state.legal_moves), state.copy, state.pop, lambda: str(state)):
        with contextlib.suppress(*refusals):
            question()


# ---- memory


def blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def test_a_million_turns_of_microchess_leave_nothing_behind():
    start = NativeState("k1r1/4/4/4/1R1K w - - 0 1")
    start.turn_limit = 0
    moves = [chess.Move.from_uci(text) for text in SHUFFLE.split()]

    def walk(turns):
        state = start
        for number in range(turns):
            state = start if number % 4 == 0 else state.forward(moves[number % 4 - 1])
            list(state.legal_moves), state.ending, state.text, state.copy(), state.move_stack, state.is_legal(moves[0])

    walk(1_000)
    before = blocks()
    walk(1_000_000)
    assert abs(blocks() - before) < 50


def test_a_very_long_history_is_freed_without_recursion():
    before = blocks()
    state = NativeState()
    for _ in range(1_000_000):
        state.push(chess.Move.null())
    other = state.copy()
    assert len(state.copy(stack=10).move_stack) == 10
    del state
    assert other.pop() == chess.Move.null()
    del other
    assert abs(blocks() - before) < 50


@pytest.mark.parametrize("form", [NativeState, Named])
@pytest.mark.parametrize("name", ["before", "white_remain_sec"])
def test_a_chain_of_states_in_attributes_is_freed_without_recursion(form, name):
    before = blocks()
    state = form()
    for _ in range(100_000):
        following = state.copy()
        setattr(following, name, state)
        state = following
    del state, following
    assert abs(blocks() - before) < 50


def test_a_chain_of_moves_is_freed_without_recursion():
    state = NativeState()
    before = blocks()
    moves = state.legal_moves
    for _ in range(100_000):
        following = state.legal_moves
        following.board = moves
        moves = following
    del moves, following
    assert abs(blocks() - before) < 50


def test_states_that_refer_to_themselves_are_collected():
    state = NativeState()
    state.own, state.moves, state.sides, state.white_remain_sec = state, state.legal_moves, state.occupied_co, state
    state.move_stack.append(state)
    seen = weakref.ref(state), weakref.ref(state.moves)
    del state
    gc.collect()
    assert [reference() for reference in seen] == [None, None]


def test_references_to_classes_do_not_leak():
    before = sys.getrefcount(NativeState), sys.getrefcount(type(NativeState().legal_moves))
    for _ in range(1_000):
        played(NativeState(), "d2d3").legal_moves.count()
    after = sys.getrefcount(NativeState), sys.getrefcount(type(NativeState().legal_moves))
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) < 5


ENDS_WITH_STATES_ALIVE = """
import atexit, games, chess
state = games.load('microchess').start()
class Late:
    def __init__(self): self.state = state.forward(state.legal_moves[0])
    def __del__(self): self.state.ending, list(self.state.legal_moves)
state.late = Late()
chess.kept = [state, state.legal_moves, iter(state.legal_moves), state.occupied_co]
atexit.register(lambda: state.forward(state.legal_moves[1]))
"""

IMPORTS_THE_GAME_AGAIN = """
import sys, games.microchess as one
old = one.MicrochessState()
del sys.modules['games.microchess']
import games.microchess as two
assert two is not one and two.MicrochessState is not one.MicrochessState
assert old.forward(old.legal_moves[0]).text == two.MicrochessState().forward(old.legal_moves[0]).text
assert type(old.copy()) is one.MicrochessState and one.MicrochessState().text == old.text
"""


@pytest.mark.parametrize("code", [ENDS_WITH_STATES_ALIVE, IMPORTS_THE_GAME_AGAIN], ids=["end", "import again"])
def test_a_program_ends_without_errors(code):
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_an_ending_has_the_class_of_the_contract():
    assert type(played(NativeState("4/4/k3/3q/K3 b - - 0 10"), "d2b2").ending) is Ending
