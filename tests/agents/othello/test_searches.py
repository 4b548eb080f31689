"""Minimax, alpha-beta and the orders of moves; the native searches find the same."""

import pytest

from agents.budget import Deadline, OutOfTime
from agents.othello import _native
from agents.othello.classic import DISCS, EVERYWHERE, MAP_B, MAPS, RESULT, AlphaBeta, Choice, Minimax, square
from games.base import BLACK
from games.othello import START, Othello

ORDERINGS = ["none", "position", "intuition"]
#: White must pass; Black then takes c1 and has everything.
PASS = Othello().position("XO" + "-" * 62 + " O")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_chooses_as_minimax_does_and_looks_at_no_more(depth, positions):
    for state in positions(10, seed=depth):
        for weights in MAPS.values():
            full, pruned = Minimax(weights).choice(state, depth), AlphaBeta(weights).choice(state, depth)
            assert (full.move, full.value) == (pruned.move, pruned.value)
            assert pruned.nodes <= full.nodes


def test_alpha_beta_chooses_as_minimax_does_natively_and_deeper(positions):
    for state in positions(30, seed=9):
        full = Choice(*_native.minimax(state.text, MAP_B.weights, depth=5))
        pruned = Choice(*_native.alphabeta(state.text, MAP_B.weights, depth=5))
        assert (full.move, full.value) == (pruned.move, pruned.value)
        assert pruned.nodes <= full.nodes


@pytest.mark.parametrize("ordered", [1, EVERYWHERE])
def test_the_order_of_moves_does_not_change_the_value(ordered, positions):
    for state in positions(40, seed=2):
        values = {
            Choice(*_native.alphabeta(state.text, MAP_B.weights, depth=7, ordering=ordering, ordered=ordered)).value
            for ordering in ORDERINGS
        }
        assert len(values) == 1


def test_a_good_order_saves_nodes_and_the_pre_search_is_counted(positions):
    found = {ordering: [0, 0] for ordering in ORDERINGS}
    for state in positions(20, seed=3, empties=range(30, 50)):
        for ordering, sums in found.items():
            choice = Choice(*_native.alphabeta(state.text, MAP_B.weights, depth=8, ordering=ordering))
            sums[0] += choice.nodes
            sums[1] += choice.presearch
    assert found["none"][1] == found["position"][1] == 0
    assert 0 < found["intuition"][1] < found["intuition"][0]
    assert found["position"][0] < 0.7 * found["none"][0]
    assert found["intuition"][0] < 0.7 * found["none"][0]


def test_position_tries_the_heaviest_squares_first_and_equal_ones_by_number():
    state = Othello().position("-XO-----" + "--------" * 2 + "---OX---" + "---XO---" + "--------" * 2 + "-XO----- O")
    assert state.legal_moves[0] == "a1"
    tried = AlphaBeta(DISCS, "position").tried(state, 3, turn=0)
    weights = [MAP_B.weights[square(move)] for move in tried]
    assert weights == sorted(weights, reverse=True)
    assert list(tried[:2]) == ["a1", "a8"]
    assert sorted(tried) == sorted(state.legal_moves)


def test_moves_are_ordered_only_near_the_root():
    state = Othello().start()
    search = AlphaBeta(MAP_B, "position", 2)
    assert search.tried(state, 3, turn=2) == state.legal_moves


@pytest.mark.parametrize("ordering", ORDERINGS)
@pytest.mark.parametrize("ordered", [1, EVERYWHERE])
def test_both_forms_of_alpha_beta_agree_to_the_node(ordering, ordered, positions):
    for state in [*positions(8, seed=4), Othello().start()]:
        for name, weights in MAPS.items():
            depth = 2 if name == "map_a" else 3
            plain = AlphaBeta(weights, ordering, ordered).choice(state, depth)
            found = _native.alphabeta(state.text, weights.weights, depth=depth, ordering=ordering, ordered=ordered)
            assert plain == Choice(*found)


def test_both_forms_have_the_same_intuition(positions):
    for state in positions(12, seed=5, empties=range(8, 13)):
        plain = AlphaBeta(MAP_B, "intuition").choice(state, 6)
        assert plain == Choice(*_native.alphabeta(state.text, MAP_B.weights, depth=6, ordering="intuition"))
        assert plain.presearch > 0


def test_both_forms_of_minimax_agree_to_the_node(positions):
    for state in positions(20, seed=6):
        for weights in MAPS.values():
            assert Minimax(weights).choice(state, 3) == Choice(*_native.minimax(state.text, weights.weights, depth=3))


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_without_an_order_it_is_the_search_of_the_earlier_study(depth, othello_study):
    state, counts = Othello().start(), {False: [], True: []}
    while not state.is_game_over():
        if state.legal_moves == ("pass",):
            state = state.forward("pass")
            continue
        choice = Choice(*_native.alphabeta(state.text, MAP_B.weights, depth=depth + 1))
        counts[state.turn].append(choice.nodes)
        state = state.forward(choice.move)
    study = othello_study.study(depth)
    assert (state.black.bit_count(), state.white.bit_count()) == (study.black, study.white)
    assert sum(counts[BLACK]) + sum(counts[not BLACK]) == study.nodes


def test_a_move_that_goes_first_wins_a_tie():
    # All four first moves are each other's mirror images.
    for first in ("d3", "c4", "f5", "e6"):
        assert AlphaBeta(MAP_B).choice(Othello().start(), 2, first=first).move == first
        assert Minimax(MAP_B).choice(Othello().start(), 2, first=first).move == first
        assert _native.alphabeta(START, MAP_B.weights, depth=2, first=square(first))[0] == first
        assert _native.minimax(START, MAP_B.weights, depth=2, first=square(first))[0] == first


def test_a_forced_pass_inside_the_search_costs_a_turn_and_an_ending_is_weighed():
    assert PASS.legal_moves == ("pass",)
    search = AlphaBeta(DISCS)
    assert search.value(PASS, 1, -100, 100, turn=1) == 0
    assert search.value(PASS, 2, -100, 100, turn=1) == -3
    assert search.value(PASS, 9, -100, 100, turn=1) == -3
    assert Minimax(DISCS).value(PASS, 9, BLACK) == 3


def test_a_finished_game_can_be_valued_by_its_result():
    assert AlphaBeta(DISCS, results=True).value(PASS, 9, -(10**6), 10**6, turn=1) == -3 * RESULT
    assert Minimax(MAP_B, results=True).value(PASS, 9, BLACK) == 3 * RESULT


@pytest.mark.parametrize("ordering", ORDERINGS)
def test_both_forms_value_results_alike(ordering, positions):
    for state in positions(15, seed=8, empties=range(2, 6)):
        for depth in (2, 4, 6):
            plain = AlphaBeta(MAP_B, ordering, results=True).choice(state, depth)
            found = _native.alphabeta(state.text, MAP_B.weights, depth=depth, ordering=ordering, results=True)
            assert plain == Choice(*found)
        full = Minimax(MAP_B, results=True).choice(state, 4)
        assert full == Choice(*_native.minimax(state.text, MAP_B.weights, depth=4, results=True))


def test_a_search_to_the_end_by_results_is_that_of_a_solver(positions):
    for state in positions(20, seed=9, empties=range(2, 9)):
        discs = _native.minimax(state.text, DISCS.weights, depth=20)[1]
        assert _native.alphabeta(state.text, MAP_B.weights, depth=20, results=True)[1] == RESULT * discs


def test_a_search_in_python_stops_at_its_deadline():
    with pytest.raises(OutOfTime):
        AlphaBeta(MAP_B, check=Deadline(0).check).choice(Othello().start(), 4)
    with pytest.raises(OutOfTime):
        Minimax(MAP_B, check=Deadline(0).check).choice(Othello().start(), 4)


def test_a_native_search_without_time_finds_nothing():
    assert _native.alphabeta(START, MAP_B.weights, depth=40, seconds=0.0) is None
    assert _native.minimax(START, MAP_B.weights, depth=40, seconds=0.01) is None


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("nonsense", MAP_B.weights), {}, "no position of Othello"),
        ((PASS.text, MAP_B.weights), {}, "no square to choose"),
        ((START, (1,) * 63), {}, "64 weights"),
        ((START, (10**6,) * 64), {}, "from -1000 to 1000"),
        ((START, MAP_B.weights), {"depth": 0}, "depth must be"),
        ((START, MAP_B.weights), {"depth": 61}, "depth must be"),
        ((START, MAP_B.weights), {"ordering": "luck"}, "no ordering is called luck"),
    ],
)
def test_invalid_arguments_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        _native.alphabeta(*arguments, **options)
