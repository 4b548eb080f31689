"""Encodings for learners: the kernels and the specification give the same numbers, and every move has its own index."""

import functools
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import numpy as np
import pytest

import games
from games.base import BLACK, WHITE, Game, State
from games.encoding import BaseEncoding, of
from games.errors import IllegalMove, NoEncoding

KERNELS = Path(__file__).parents[2] / "games" / "_kernel"
#: How many positions of each game are compared; 10,000 of every game that has a kernel.
POSITIONS = {
    "chess": 8000,
    "chess:turns=90": 2000,
    "microchess": 10_000,
    "microchess:turns=0": 2000,
    "othello": 10000,
    "gomoku:size=6": 6000,
    "gomoku": 4000,
    "mushroom": 6000,
    "mushroom:rows=3,columns=5": 4000,
    "go:size=4,komi=-1.5,turns=70": 5000,
    "go:size=5,suicide=yes": 2000,
    "go:size=5": 2000,
    "go": 1000,
}
EACH_GAME = ["chess", "go:size=5,komi=0.5", "gomoku:size=6", "microchess", "mushroom:rows=4,columns=6", "othello"]


def encodings(text: str) -> tuple[BaseEncoding, BaseEncoding]:
    """The encoding that uses the kernel, and the one that never does."""
    game = games.load(text)
    return of(game), of(game, native=False)  # type: ignore[return-value]


@functools.cache
def positions(text: str, number: int) -> list[State]:
    """So many positions of random games, the last of each game included. Chess pieces like to move back and forth."""
    rng, game = random.Random(text), games.load(text)
    found: list[State] = []
    while len(found) < number:
        state = game.start(rng.randrange(10**9))
        for _ in range(150):
            found.append(state)
            moves = list(state.legal_moves)
            if not moves:
                break
            back = [move for move in moves if rng.random() < 0.4 and goes_back(state, move)]
            state = state.forward(rng.choice(back or moves))
    return found[:number]


def goes_back(state: State, move: Any) -> bool:
    if not isinstance(state, chess.Board) or len(state.move_stack) < 2:
        return False
    last = state.move_stack[-2]
    return (move.from_square, move.to_square) == (last.to_square, last.from_square)


@pytest.mark.parametrize("text", POSITIONS)
def test_the_kernel_gives_the_numbers_of_the_specification(text: str) -> None:
    native, python = encodings(text)
    states = positions(text, POSITIONS[text])
    assert {state.turn for state in states} == {WHITE, BLACK}
    assert any(state.is_game_over() for state in states)
    np.testing.assert_array_equal(native.encoded(states), python.encoded(states))


@pytest.mark.parametrize("text", EACH_GAME)
def test_the_specification_gives_its_numbers_for_its_own_states(text: str) -> None:
    states = positions(text, 120)
    expected = of(games.load(text)).encoded(states)  # type: ignore[attr-defined]
    native, python = encodings(text)
    own = [specified(state) for state in states]
    np.testing.assert_array_equal(python.encoded(own), expected)
    # A list of both forms, too.
    np.testing.assert_array_equal(native.encoded([*states[:60], *own[60:]]), expected)
    assert [native.legal_actions(state) for state in own] == [native.legal_actions(state) for state in states]


def specified(state: Any) -> Any:
    """The same state in the form of the specification."""
    if isinstance(state, chess.Board):
        twin = sys.modules[type(state).__module__].PythonState(None)
        twin.turn_limit = state.turn_limit
        twin.set_fen(state.root().fen())
        for move in state.move_stack:
            twin.push(move)
        return twin
    fields = {name: getattr(state, name) for name in type(state).__dataclass_fields__}
    base = type(state) if type(state).__name__ != "LiveState" else type(state).__mro__[1]
    return base(**fields)


def test_random_games_reach_every_scalar_of_microchess() -> None:
    encoding = of(games.load("microchess"))
    scalars = encoding.encoded(positions("microchess", POSITIONS["microchess"]))[:, 12 * 20 :]  # type: ignore[attr-defined]
    assert np.flatnonzero(scalars.max(axis=0) == 0).tolist() == []
    assert scalars.min() == 0
    assert scalars.max() == 1


def test_pitfall_06_repetitions_turns_and_limits_are_inputs() -> None:
    game = games.load("microchess")
    seen = {}
    state = game.start()
    for number in range(20):
        key = of(game).encoded([state]).tobytes()  # type: ignore[attr-defined]
        assert key not in seen, f"turn {number} looks like turn {seen[key]}"
        seen[key] = number
        state = state.forward(state.parse(["a1a2", "d5d4", "a2a1", "d4d5"][number % 4]))
        if state.is_game_over():
            break
    assert state.ending is not None
    assert state.ending.reason == "repetition"


@pytest.mark.parametrize(
    ("one", "other", "position"),
    [
        ("microchess:turns=80", "microchess:turns=60", "knbr/p3/4/3P/RBNK w Qk - 0 1"),
        ("go:komi=7", "go:komi=6.5", "/".join(["........."] * 9) + " X 0"),
        ("go:turns=50", "go:turns=0", "/".join(["........."] * 9) + " X 0"),
    ],
)
def test_pitfall_06_parameters_that_decide_a_game_are_inputs(one: str, other: str, position: str) -> None:
    first, second = games.load(one), games.load(other)
    # A turn later: at the start all turns are left, whatever the limit.
    states = [game.position(position) for game in (first, second)]
    states = [state.forward(state.legal_moves[0]) for state in states]
    rows = [of(game).encoded([state]) for game, state in zip((first, second), states, strict=True)]  # type: ignore[attr-defined]
    assert not np.array_equal(*rows)


@pytest.mark.parametrize("native", [True, False])
def test_pitfall_06_a_point_that_superko_forbids_is_an_input(native: bool) -> None:
    game = games.load("go:size=5,komi=0")
    state = game.start()
    for move in ("B4", "C4", "A3", "D3", "B2", "C2", "C3", "B3"):
        state = state.forward(move)
    fresh = game.position(state.text)
    assert "C3" not in state.legal_moves
    assert "C3" in fresh.legal_moves
    encoding = of(game, native=native)
    before, after = encoding.encoded([state, fresh])  # type: ignore[attr-defined]
    assert np.flatnonzero(before != after).tolist() == [6 * 25 + 2 * 5 + 2]


@pytest.mark.parametrize("text", [*POSITIONS, "chess"])
def test_pitfall_07_every_legal_move_has_its_own_index(text: str) -> None:
    native, python = encodings(text)
    states = positions(text, POSITIONS.get(text, 400))
    for state in states:
        actions = native.legal_actions(state)
        assert len(set(actions)) == len(actions) == len(state.legal_moves)
        assert all(0 <= action < native.actions for action in actions)
    for state in states[::5]:
        assert python.legal_actions(state) == native.legal_actions(state)


@pytest.mark.parametrize("text", ["microchess", "chess"])
def test_pitfall_07_promotions_and_castling_of_both_colours_are_among_the_moves(text: str) -> None:
    promotions, castlings = set(), set()
    extra = "4k3/P6P/8/8/8/8/p6p/R3K2R w KQ - 0 1", "r3k2r/P6P/8/8/8/8/p6p/4K3 b kq - 0 1"
    states: list[Any] = [*positions(text, POSITIONS.get(text, 400))]
    if text == "chess":
        states += [games.load(text).position(fen) for fen in extra]
    for state in states:
        for move in state.legal_moves:
            if move.promotion:
                promotions.add((state.turn, move.promotion))
            elif state.is_castling(move):
                castlings.add((state.turn, move.uci()))
    assert len(promotions) == 8
    assert castlings >= {(WHITE, "d1b1"), (BLACK, "a5c5")} if text == "microchess" else len(castlings) == 4


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("text", EACH_GAME)
def test_moves_and_actions_are_inverse(text: str, native: bool) -> None:
    encoding = of(games.load(text), native=native)
    for state in positions(text, 120)[::8]:
        for move in list(state.legal_moves)[:10]:
            assert encoding.move(state, encoding.action(state, move)) == move
        legal = set(encoding.legal_actions(state))
        others = [action for action in (0, encoding.actions // 2, encoding.actions - 1) if action not in legal]
        for action in (*others, -1, encoding.actions, 2**70):
            with pytest.raises(IllegalMove, match="no legal move has the index"):
                encoding.move(state, action)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("text", EACH_GAME)
def test_what_is_not_a_legal_move_has_no_index(text: str, native: bool) -> None:
    encoding = of(games.load(text), native=native)
    state = games.load(text).start()
    for thing in (None, 3, "", "x9", b"d3", [], object(), chess.Move.null(), chess.Move(63, 0), chess.Move(99, -1)):
        with pytest.raises(IllegalMove):
            encoding.action(state, thing)


def test_both_texts_of_castling_have_the_same_index() -> None:
    state = games.load("microchess").position("k2r/p3/4/3P/R2K w Qk - 0 1")
    for encoding in encodings("microchess"):
        assert encoding.action(state, chess.Move.from_uci("d1a1")) == encoding.action(state, state.parse("d1b1"))


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("text", EACH_GAME)
def test_an_array_that_does_not_fit_is_refused(text: str, native: bool) -> None:
    encoding = of(games.load(text), native=native)
    states = positions(text, 120)[:3]
    size = encoding.inputs
    good = np.empty((3, size), dtype=np.float32)
    read_only = good.copy()
    read_only.flags.writeable = False
    bad: list[Any] = [
        np.empty((2, size), dtype=np.float32), np.empty((4, size), dtype=np.float32), np.empty(3 * size, np.float32),
        np.empty((3, size - 1), dtype=np.float32), np.empty((3, size), dtype=np.float64), np.empty((0, 0), np.float32),
        np.empty((3, size), dtype=np.int32), np.empty((6, size), dtype=np.float32)[::2], good.T,
        np.empty((3, size), dtype=">f4"), np.asfortranarray(good), read_only, None, [[0.0] * size] * 3,
        bytearray(12 * size),
    ]  # fmt: skip
    for out in bad:
        with pytest.raises(ValueError, match=r"^the (states need an array of float32|array must be contiguous)"):
            encoding.encode(states, out)
    encoding.encode(states, good)
    encoding.encode([], np.empty((0, size), dtype=np.float32))


@pytest.mark.parametrize("text", ["go:size=5", "gomoku:size=6", "microchess", "mushroom:rows=2,columns=6", "othello"])
def test_the_kernel_itself_never_writes_outside_an_array(text: str) -> None:
    native, _ = encodings(text)
    kernel: Any = native._kernel
    state = games.load(text).start()
    shape = tuple(native.shape)
    for numbers in (0, native.inputs - 1, native.inputs + 1, 2 * native.inputs):
        with pytest.raises(ValueError, match="the array has"):
            kernel.encode([state], np.empty(numbers, np.float32), shape)
    for array in (bytes(4 * native.inputs), bytearray(4 * native.inputs), np.empty(native.inputs, np.float64), None):
        with pytest.raises((TypeError, BufferError, ValueError)):
            kernel.encode([state], array, shape)
    for other in ((*shape[:4], shape[4] + 1), (2**30, 2**30, 4, 0, 0), (-1, -1, -1, -1, -1)):
        with pytest.raises(ValueError, match="a state is of another board size"):
            kernel.encode([state], np.empty(native.inputs, np.float32), other)
    for thing in (None, 3, object(), chess.Board()):
        assert kernel.encode([thing], np.empty(native.inputs, np.float32), shape) is False
        assert kernel.shape(thing) is kernel.legal_actions(thing) is kernel.action(thing, "pass") is None
    assert kernel.shape(state) == shape


def test_a_state_of_another_board_or_game_is_refused() -> None:
    # Both boards have twelve cells, so the size of the array does not give them away.
    encoding = of(games.load("mushroom:rows=2,columns=6"))
    state = games.load("mushroom:rows=3,columns=4").start()
    for native in (True, False):
        encoding = of(games.load("mushroom:rows=2,columns=6"), native=native)
        with pytest.raises(ValueError, match="another board size"):
            encoding.encoded([state])  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match="another board size"):
            encoding.action(state, state.legal_moves[0])
        with pytest.raises(ValueError, match="a state is a MushroomState, not a"):
            encoding.encoded([games.load("othello").start()])  # type: ignore[attr-defined]


def test_a_state_that_was_never_set_up_is_left_to_the_specification() -> None:
    encoding, _ = encodings("othello")
    empty = games.othello.LiveState.__new__(games.othello.LiveState)
    assert encoding._kernel.shape(empty) is None  # type: ignore[union-attr]


def test_a_subclass_of_a_native_state_is_encoded_by_the_specification() -> None:
    class Mine(games.othello.LiveState):  # type: ignore[misc, name-defined]
        pass

    start = games.load("othello").start()
    mine = Mine(start.black, start.white, start.turn)  # type: ignore[attr-defined]
    native, _ = encodings("othello")
    assert native._kernel.shape(mine) is None  # type: ignore[union-attr]
    np.testing.assert_array_equal(native.encoded([mine]), native.encoded([start]))


class Nim:
    """A game from outside the repository that nobody taught to a learner."""

    name = "nim"


def test_a_game_from_outside_brings_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    made = of(games.load("othello"))
    monkeypatch.setitem(sys.modules, "outside", SimpleNamespace(encoding=lambda _: made))  # type: ignore[misc]
    monkeypatch.setattr(Nim, "__module__", "outside")
    nim: Game = Nim()  # type: ignore[assignment]
    assert of(nim) is made
    brought = of(games.load("gomoku"))
    nim.encoding = brought  # type: ignore[attr-defined]
    assert of(nim) is brought


@pytest.mark.parametrize("name", ["nim", "othello"])
def test_a_game_without_an_encoding_is_named_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A game from outside may have the name of a bundled one.
    monkeypatch.setattr(Nim, "name", name)
    with pytest.raises(NoEncoding, match=rf"^the game {name} has no encoding; define .*$"):
        of(Nim())  # type: ignore[arg-type]


def test_every_bundled_game_has_an_encoding(any_game: Game) -> None:
    encoding = of(any_game)
    assert encoding.inputs == encoding.planes * encoding.height * encoding.width + encoding.scalars
    assert len(encoding.legal_actions(any_game.start())) == len(any_game.start().legal_moves)


def test_importing_games_does_not_import_numpy(run_python: Any) -> None:
    code = "import sys, games; [games.load(name).start() for name in games.names()]; print('numpy' in sys.modules)"
    assert run_python("-P", "-c", code) == "False"


@pytest.mark.parametrize("name", ["chess", "go", "gomoku", "microchess", "mushroom", "othello"])
def test_every_kernel_asserts_the_contract_of_encodings(name: str) -> None:
    text = (KERNELS / f"{name}_encoding.hpp").read_text(encoding="utf-8")
    assert f"static_assert(Encodable<{name}::Board>);" in text
