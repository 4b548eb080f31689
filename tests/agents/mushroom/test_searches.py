"""Alpha-beta and UCT in both forms, and three ways to keep states that choose the same moves."""

import random

import pytest

import games
from agents.core.engine import DECIDED, Limits
from agents.core.native import NativeTextSearch, extension
from agents.mushroom.agent import MushroomAgent
from agents.mushroom.alphabeta import PythonMushroomAlphaBeta
from agents.mushroom.board import Board, written
from agents.mushroom.uct import (
    STATES,
    MushroomUctSettings,
    NativeMushroomUct,
    PythonMushroomUct,
    balance,
    mushroom_uct,
)
from games.base import WHITE

SMALL = "mushroom:rows=6,columns=8"


def native():
    return extension("agents.mushroom._native")


def native_alphabeta():
    return NativeTextSearch(native().Searcher().alphabeta)


def native_uct(**settings):
    return NativeMushroomUct(native().Searcher(), MushroomUctSettings(**settings))


def python_uct(**settings):
    return PythonMushroomUct(MushroomUctSettings(**settings))


def alphabeta_of_the_agent(state):
    return MushroomAgent("x", WHITE).engine(state)


def states_of(name, seed, most=12):
    """The states of a random game."""
    rng = random.Random(seed)
    state = games.load(name).start(seed)
    while not state.is_game_over() and state.turns < most:
        yield state
        state = state.forward(rng.choice(state.legal_moves))


@pytest.mark.parametrize("seed", range(3))
def test_both_forms_of_alphabeta_find_the_same_by_the_same_nodes(seed):
    searches = native_alphabeta(), PythonMushroomAlphaBeta()
    for state in states_of(SMALL, seed):
        limits = Limits(depth=4, nodes=300, seed=seed)
        found, twin = (search.search(state, limits) for search in searches)
        assert (found.move, found.nodes, found.depth, found.score) == (twin.move, twin.nodes, twin.depth, twin.score)


@pytest.mark.parametrize("seed", range(3))
def test_all_ways_to_keep_states_lead_to_the_same_tree_in_both_forms(seed):
    searches = [uct(c=0.05, states=states) for uct in (native_uct, python_uct) for states in STATES]
    for state in states_of("mushroom" if seed == 0 else SMALL, seed):
        reports = [search.search(state, Limits(simulations=50, seed=2 * seed + 1)) for search in searches]
        assert len({report.move for report in reports}) == 1
        assert len({tuple(report.visits) for report in reports}) == 1
        assert len({report.depth for report in reports}) == 1


def test_the_ways_to_keep_states_agree_when_the_cache_is_far_too_small():
    state, limits = games.load("mushroom").start(7), Limits(simulations=20_000, seed=5)
    found = [native_uct(c=0.05, states=states).run(state, limits) for states in STATES]
    assert len({tuple(result.report.visits) for result in found}) == 1
    copied, rebuilt, undone = (result.costs for result in found)
    assert 0 < rebuilt.cached < rebuilt.asked
    assert undone.bytes < rebuilt.bytes < copied.bytes


@pytest.mark.parametrize("kind", STATES)
def test_a_state_is_the_one_that_the_moves_lead_to(kind):
    rng = random.Random(kind)
    text = games.load(SMALL).start(2).text
    states = STATES[kind](Board.read(text))
    tree = {(): 0}
    states.at([0], [])
    for number in range(1, 200):
        way = rng.choice(sorted(tree))
        board = Board.read(text)
        for move in way:
            board.push(move)
        if board.over:
            continue
        way = (*way, rng.choice(board.choices()).move)
        if way in tree:
            continue
        # Numbers far apart, so that cache entries collide.
        tree[way] = 700 * number
        path = [tree[way[:turns]] for turns in range(len(way) + 1)]
        board.push(way[-1])
        assert states.at(path, way).text == board.text


def best_by_minimax(board, depth):
    """The value of a position, `depth` turns deep, without any cut."""
    if board.over:
        return (board.lead > 0) - (board.lead < 0)
    if depth == 0:
        return 0
    values = []
    for choice in board.choices():
        board.push(choice.move)
        values.append(-best_by_minimax(board, depth - 1))
        board.pop()
    return max(values)


@pytest.mark.parametrize("seed", range(12))
def test_small_games_are_solved_as_by_minimax(seed):
    state = games.load("mushroom:rows=3,columns=4").start(seed)
    board = Board.read(state.text)
    if len(board.choices()) == 1:
        return
    value = best_by_minimax(board, 10)
    for search in (native_alphabeta(), PythonMushroomAlphaBeta()):
        report = search.search(state, Limits(depth=12, seed=1))
        assert (report.score > 0) - (report.score < 0) == value
        assert report.score == 0 or abs(report.score) > DECIDED - 100


def test_a_pass_wins_at_once_after_a_pass_of_the_side_that_is_behind(form):
    state = games.load("mushroom:rows=2,columns=4").position("AA55/1291 A 1")
    search = alphabeta_of_the_agent(state)
    assert search.form == form
    report = search.search(state, Limits(depth=2))
    assert (report.move, report.score) == ("-1 -1 -1 -1", DECIDED - 1)


def test_uct_takes_the_win_too(form):
    state = games.load("mushroom:rows=2,columns=4").position("AA55/1291 A 1")
    search = mushroom_uct(MushroomUctSettings())
    assert search.form == form
    report = search.search(state, Limits(simulations=100))
    assert report.move == "-1 -1 -1 -1"
    assert report.score == 1.0


def test_without_rectangles_the_only_move_is_the_pass(form):
    state = games.load("mushroom:rows=2,columns=4").position("9999/9999 A 0")
    for search in (alphabeta_of_the_agent(state), mushroom_uct(MushroomUctSettings())):
        assert search.search(state, Limits(depth=5, simulations=5)).move == "-1 -1 -1 -1"


def test_visits_are_as_many_as_simulations():
    state = games.load("mushroom").start(3)
    report = native_uct().search(state, Limits(simulations=500, seed=1))
    # The first simulation expands the root, and each child starts with one visit.
    assert sum(child.visits - 1 for child in report.visits) == 499


@pytest.mark.parametrize(("mine", "theirs", "value"), [(0, 0, 0.0), (1, 0, 0.5), (0, 1, -0.5), (6, 3, 0.3)])
def test_the_balance_is_that_of_the_earlier_report(mine, theirs, value):
    assert balance(mine, theirs) == value


def test_limits_are_kept(fake_clock):
    state = games.load("mushroom").start(1)
    for search in (
        PythonMushroomAlphaBeta(now=fake_clock(0.01)), PythonMushroomUct(MushroomUctSettings(), now=fake_clock(0.01)),
    ):  # fmt: skip
        assert 90 <= search.search(state, Limits(seconds=1.0)).nodes <= 101
    for search in (native_alphabeta(), PythonMushroomAlphaBeta()):
        assert search.search(state, Limits(nodes=50)).nodes <= 51
    for search in (native_uct(), python_uct()):
        assert search.search(state, Limits(simulations=50)).nodes == 50
        assert search.search(state, Limits(seconds=0.0)).nodes >= 1


@pytest.mark.parametrize("search", ["alphabeta", "uct"])
def test_invalid_positions_and_finished_games_are_refused(search):
    searcher = native().Searcher()
    for text in ("", "12/3a A 0", "12/34 A", "1" * 31 + " A 0", "12/345 A 0", "12/34 C 0", "12/34 A 3"):
        with pytest.raises(ValueError, match="no position of this game"):
            getattr(searcher, search)(text)
    with pytest.raises(ValueError, match="the game is over"):
        getattr(searcher, search)("12/34 A 2")


def test_arguments_of_the_wrong_type_are_refused():
    searcher = native().Searcher()
    for call in (
        lambda: searcher.uct(None), lambda: searcher.alphabeta("12/34 A 0", depth="x"), lambda: native().Searcher(1),
        lambda: searcher.uct("12/34 A 0", states=3),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="states is copy, rebuild or undo"):
        searcher.uct("12/34 A 0", states="keep")


@pytest.mark.parametrize("search", ["alphabeta", "uct"])
def test_a_signal_ends_a_search(search, interrupted):
    text = games.load("mushroom").start(1).text
    interrupted(lambda: getattr(native().Searcher(), search)(text, seconds=600.0))


def test_the_native_moves_are_legal_on_boards_of_every_shape():
    for rows, columns in ((1, 1), (1, 30), (30, 1), (30, 30), (2, 5)):
        state = games.load(f"mushroom:rows={rows},columns={columns}").start(1)
        for search in (native_alphabeta(), native_uct()):
            assert search.search(state, Limits(nodes=500, simulations=50)).move in state.legal_moves


def test_a_move_is_written_in_the_text_form_of_the_game():
    assert written((1 << 15) | (2 << 10) | (3 << 5) | 16) == "1 2 3 16"
