"""The Go kernel plays as its specification does, and finds what is known of small boards."""

import dataclasses
import itertools
import random

import pytest

from games import _native_go as kernel
from games._go import Stones
from games._grid import grid
from games.base import BLACK, WHITE
from games.errors import BadPosition
from games.go import Go, GoState, LiveState

START = Go().start()
BOARD = grid(5, 5)
NOTHING = Stones(0, 0)


def specified(state):
    """The same state in the specification's form."""
    return GoState(**{field.name: getattr(state, field.name) for field in dataclasses.fields(GoState)})


def empty(rows, columns, limit=0, kind=LiveState, suicide=True):
    text = "/".join(["." * columns] * rows) + " X 0"
    return kind.read(text, grid(rows, columns), komi=0.5, limit=limit, suicide=suicide)


def look(state):
    moves = state.legal_moves
    return (
        [state.text, state.turn, state.turns, tuple(moves), state.ending, state.is_game_over(), state.adjudicate()],
        [(after.text, after.turn, after.turns) for after in map(state.forward, moves[:3])],
        [state.parse(move.lower()) for move in moves[-3:]],
        [state.board, state.stones, state.komi, state.limit, state.suicide, state.passes, state.seen],
        [hash(state), str(state), state.svg(*moves[:1])],
    )


def assert_equal(state, twin):
    assert type(state) is LiveState
    assert type(twin) is GoState
    assert look(state) == look(twin)
    assert state == twin
    assert kernel.key(state) == kernel.key(twin)


def assert_games_equal(seeds):
    """Random games on boards of all shapes, each form by its own moves; passes are rare, so that superko matters."""
    for seed in seeds:
        rng = random.Random(seed)
        shape = rng.choice([(9, 9), (1, 7), (3, 2), (rng.randint(1, 6), rng.randint(1, 6))])
        limit, suicide = rng.choice([0, 90]), rng.choice([True, False])
        state, twin = (empty(*shape, limit=limit, kind=kind, suicide=suicide) for kind in (LiveState, GoState))
        for _ in range(120):
            assert_equal(state, twin)
            if state.is_game_over():
                break
            *points, passing = state.legal_moves
            move = rng.choice(points) if points and rng.random() < 0.98 else passing
            state, twin = state.forward(move), twin.forward(move)


def random_board(rng):
    """A board with random stones, each with a liberty; None if a stone has none."""
    size = rng.randint(1, 19)
    cells = rng.choices(".XO", rng.choice([(1, 1, 1), (1, 3, 3), (1, 9, 1), (5, 1, 1)]), k=size * size)
    rows = ("".join(cells[row * size : row * size + size]) for row in range(size))
    try:
        game = Go(size=size, suicide=rng.choice(["yes", "no"]))
        return game.position(f"{'/'.join(rows)} {rng.choice('XO')} {rng.choice('0012')}")
    except BadPosition:
        return None


def test_kernel_and_specification_agree_on_random_games():
    assert_games_equal(range(30))


def test_kernel_and_specification_agree_on_random_boards():
    rng = random.Random(1)
    found = [state for state in (random_board(rng) for _ in range(900)) if state]
    assert len(found) > 80
    for state in found:
        assert_equal(state, specified(state))


@pytest.mark.soak
def test_kernel_and_specification_agree_on_many_positions():
    assert_games_equal(range(1000, 1260))
    rng = random.Random(2)
    for state in filter(None, (random_board(rng) for _ in range(12_000))):
        assert_equal(state, specified(state))


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 3), (2, 2), (1, 6), (2, 3)])
def test_perft_agrees_with_the_specification_on_small_boards(shape, suicide, perft):
    state, depth = empty(*shape, suicide=suicide), 7 if shape == (2, 3) else 9
    twin = specified(state)
    for turns in range(1, depth):
        assert kernel.perft(state, turns) == perft(state, turns)
    assert kernel.perft(twin, 4) == perft(twin, 4)


def test_perft_of_an_empty_board_counts_points_and_passes():
    assert [kernel.perft(START, depth) for depth in (0, 1, 2)] == [1, 82, 82 * 81 + 1]
    assert kernel.perft(Go(size=19).start(), 2) == 362 * 361 + 1


def test_a_finished_game_has_no_moves():
    for over in (START.forward("E5").forward("pass").forward("pass"), Go(turns=1).start().forward("E5")):
        assert over.ending.winner == BLACK
        assert [kernel.perft(over, depth) for depth in (0, 1, 5)] == [1, 0, 0]
        assert kernel.playouts(over, 10, 1) == (0, 0, 10)


COUNTS = {(1, 1): 1, (1, 2): 5, (1, 3): 15, (1, 4): 41, (2, 2): 57, (2, 3): 489, (2, 4): 4125, (3, 3): 12675}


def accepts(board, stones):
    try:
        LiveState(board, stones, BLACK, komi=0, seen=frozenset({stones}))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(("shape", "count"), COUNTS.items(), ids=str)
def test_the_number_of_legal_positions_is_the_known_one(shape, count):
    board = grid(*shape)
    found = 0
    for cells in itertools.product(range(3), repeat=len(board.points)):
        bits = [sum(point for point, cell in zip(board.points, cells, strict=True) if cell == side) for side in (1, 2)]
        found += accepts(board, Stones(*bits))
    assert found == count


def wander(state, rng):
    """The states of a random game in which a player passes only if no other move is legal."""
    while not state.is_game_over():
        yield state
        *points, passing = state.legal_moves
        state = state.forward(rng.choice(points) if points else passing)


def test_superko_covers_the_whole_history():
    states = [state for state in wander(empty(3, 3), random.Random(3)) if not state.passes]
    assert len(states) > 100
    assert len({state.stones for state in states}) == len(states)
    assert states[-1].seen == {state.stones for state in states}


def test_earlier_boards_may_be_given_freely():
    stones = Stones(BOARD.points[0], 0)
    assert "A5" not in LiveState(BOARD, NOTHING, BLACK, komi=7, seen=frozenset({stones})).legal_moves
    assert "A5" in LiveState(BOARD, NOTHING, WHITE, komi=7, seen=frozenset({stones})).legal_moves
    # Even a suicide that changes nothing, where the present board was never seen.
    walls = Stones(0, BOARD.points[1] | BOARD.points[5])
    for seen, legal in ((frozenset(), True), (frozenset({walls}), False)):
        state = LiveState(BOARD, walls, BLACK, komi=7, suicide=True, seen=seen)
        assert ("A5" in state.legal_moves) == legal
        assert_equal(state, specified(state))


def test_different_positions_have_different_keys(walk):
    states = {state.text: state for seed in range(30) for state in walk(Go(size=7, turns=70), seed)}
    assert len({kernel.key(state) for state in states.values()}) == len(states)
    assert kernel.key(START) == kernel.key(dataclasses.replace(START, turns=9, seen=frozenset()))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, turn=WHITE))
    assert kernel.key(START) != kernel.key(dataclasses.replace(START, passes=1))
    assert kernel.key(empty(2, 3)) != kernel.key(empty(3, 2))


def test_the_key_follows_the_moves(walk):
    for state in walk(Go(size=5, turns=80), 3):
        assert kernel.key(state) == kernel.key(Go(size=5).position(state.text))


def test_random_games_have_plausible_results():
    results = kernel.playouts(Go(komi=0).start(), 5000, 1)
    assert sum(results) == 5000
    # Black moves first, and that is worth something among random players too.
    assert results[2] > results[0] > 1500


def test_random_games_respect_komi_and_the_turn_limit():
    assert kernel.playouts(Go(komi=100).start(), 100, 1) == (100, 0, 0)
    assert kernel.playouts(Go(komi=-100).start(), 100, 1) == (0, 0, 100)
    # One stone, and all is Black's.
    assert kernel.playouts(Go(turns=1).start(), 100, 1) == (0, 0, 100)


def test_random_games_leave_eyes_alone():
    alive = Go(size=5, komi=0).position("X.X.X/XXXXX/...../...../..... O 0")
    walled = Go(size=5, komi=0).position(".X.XO/XXXXO/OOOOO/O.O.O/OOOOO O 0")
    # Both sides have two eyes; nobody fills them, so nobody dies: 8 points to 17.
    assert kernel.playouts(walled, 100, 1) == (100, 0, 0)
    assert kernel.playouts(alive, 100, 1)[2] > 0


@pytest.mark.parametrize("size", [1, 2, 3, 4, 19])
def test_random_games_end_on_boards_of_all_sizes(size):
    assert sum(kernel.playouts(Go(size=size).start(), 50, 1)) == 50
