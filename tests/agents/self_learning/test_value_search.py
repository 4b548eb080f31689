"""Alpha-beta with a learned value: the same on every machine, by every path, and as its twin in Python finds it."""

import random
from array import array

import pytest

import games
from agents.core.engine import DECIDED, Limits
from agents.core.native import extension
from agents.self_learning.learned_alphabeta import NativeLearnedSearch, native_game, python_search
from agents.self_learning.value_features import feature_set
from agents.self_learning.value_weights import ValueWeights

GAMES = ["microchess", "othello", "gomoku:size=7"]
SETTINGS = {
    "least_nodes": 20, "most_nodes": 60, "least_opening": 1, "most_opening": 8, "random_turns": 24,
    "random_share": 0.08, "examples": 0,
}  # fmt: skip


@pytest.fixture
def weights(value_weights):
    """Weights that mean nothing, for the game of a state."""

    def make(state, **options):
        features = feature_set(state)
        return value_weights(features.game, features.size, **options)

    return make


def found(game, **limits):
    return game.native.alphabeta(**limits)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("first", "second"), [(32, 8), (96, 24), (128, 32), (160, 64), (256, 40)])
def test_the_search_is_the_same_with_and_without_vector_instructions(name, first, second, weights, states):
    for seed, state in enumerate(states(name, 4, 7)):
        data = weights(state, first=first, second=second, seed=seed).to_bytes()
        fast, plain = native_game(state, data), native_game(state, data, plain=True)
        assert fast.native.value == plain.native.value
        assert found(fast, nodes=1500, seed=3) == found(plain, nodes=1500, seed=3)


def test_this_machine_tells_whether_it_has_vector_instructions():
    assert extension("agents.self_learning._value").AVX2 in (True, False)


@pytest.mark.parametrize("name", GAMES)
def test_the_updated_first_layer_equals_one_from_scratch_on_games_with_undo(name, weights):
    # The states of the game are visited up and down at random; the object that is kept updates its sums each time.
    rng = random.Random(11)
    state = games.load(name).start()
    known = weights(state)
    kept = native_game(state, known.to_bytes())
    path = [state]
    for _ in range(150):
        if len(path) > 1 and (path[-1].is_game_over() or rng.random() < 0.4):
            path.pop()
        else:
            path.append(path[-1].forward(rng.choice(list(path[-1].legal_moves))))
        state = path[-1]
        kept.set(state)
        expected = 0 if state.is_game_over() else known.value(feature_set(state).active(state))
        assert kept.native.value == expected


@pytest.mark.parametrize(("name", "number"), [("microchess", 15), ("othello", 12), ("gomoku:size=5", 3)])
def test_an_exact_search_finds_the_value_of_its_twin(name, number, weights, states):
    # The native search evaluates hundreds of positions with sums that it updates; the twin computes each from scratch.
    for state in states(name, number, 3):
        known = weights(state, first=32, second=8)
        native = NativeLearnedSearch(native_game(state, known.to_bytes()), exact=True, contempt=700)
        twin = python_search(feature_set(state), known, exact=True, contempt=700)
        limits = Limits(depth=2)
        assert native.search(state, limits).score == twin.search(state, limits).score


def test_contempt_makes_a_draw_worth_less_to_the_side_that_searches(value_weights):
    # The turn limit ends this level game after one turn or two.
    data = value_weights("microchess", 286, first=32, second=8).to_bytes()
    for turns in (11, 12):
        state = games.load(f"microchess:turns={turns}").position("kr2/4/4/4/2RK w - - 0 6")
        limits = Limits(depth=turns - 10)
        scores = [NativeLearnedSearch(native_game(state, data), contempt=each).search(state, limits).score
                  for each in (0, 500)]  # fmt: skip
        assert scores == [0, -500]


def test_most_of_the_first_layer_is_kept_from_leaf_to_leaf(weights):
    state = games.load("microchess").start()
    game = native_game(state, weights(state).to_bytes())
    found(game, nodes=5000)
    evaluations, changes = game.native.effort
    assert evaluations > 1000
    assert changes < 8 * evaluations  # from scratch it would be 13 at the start of a game, and more later


def test_a_mate_in_one_is_played_whatever_the_weights_say(weights, mate_in_one):
    position, mate = mate_in_one
    state = games.load("microchess").position(position)
    report = NativeLearnedSearch(native_game(state, weights(state).to_bytes())).search(state, Limits(depth=3))
    assert (report.move, report.score) == (mate, DECIDED - 1)


def test_a_position_far_ahead_near_the_leaves_is_not_searched():
    # The value is 600 for each point of material. A search of all these positions visits 39,284 nodes.
    leads, units = range(25), range(8)
    first = array("h", bytes(2 * 32 * 286))
    for lead in leads:
        first[32 * (261 + lead)] = 20 * lead
    second = array("b", [64 if place % 32 == 0 else 0 for place in range(32 * 8)])
    weights = ValueWeights(
        game="microchess", first=first, first_bias=array("h", bytes(2 * 32)), second=second,
        second_bias=array("i", [0 for _ in units]), output=array("h", [488 for _ in units]),
        output_bias=-40 * 12 * 488 * 8,
    )  # fmt: skip
    state = games.load("microchess").start()
    report = NativeLearnedSearch(native_game(state, weights.to_bytes())).search(state, Limits(depth=9))
    assert report.depth == 9
    assert report.nodes < 30_000


def play(state, data, **changes):
    return native_game(state, data).native.play(**{"seed": 5, "games": 6, **SETTINGS, **changes})


@pytest.mark.parametrize("name", GAMES)
def test_self_play_is_a_pure_function_of_weights_seed_and_settings(name, weights):
    state = games.load(name).start()
    data = weights(state).to_bytes()
    first = play(state, data, examples=2)
    assert first == play(state, data, examples=2)
    assert first[0] == native_game(state, data, plain=True).native.play(seed=5, games=6, **SETTINGS)[0]
    used = native_game(state, data)
    used.native.alphabeta(nodes=2000)
    assert used.native.play(seed=5, games=6, **SETTINGS)[0] == first[0]
    assert play(state, weights(state, seed=1).to_bytes())[0] != first[0]
    assert play(state, data, most_nodes=61)[0] != first[0]


@pytest.mark.parametrize("name", GAMES)
def test_pitfall_19_other_seeds_give_other_games(name, weights):
    state = games.load(name).start()
    data = weights(state).to_bytes()
    played = {moves for seed in range(10) for moves in play(state, data, seed=seed, examples=6)[4]}
    assert len(played) == 60


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_are_whole_games_from_the_start(name, weights):
    start = games.load(name).start()
    rows, positions, nodes, turns, examples = play(start, weights(start).to_bytes(), examples=6)
    assert len(examples) == 6
    for moves in examples:
        state = start
        for move in moves:
            state = state.forward(state.parse(move))
        assert state.is_game_over()
    assert sum(map(len, examples)) >= turns >= positions > 0
    assert nodes > turns
    assert len(rows) == positions * (2 * native_game(start, b"").native.sizes[1] + 6)


def test_pitfall_13_openings_that_are_over_are_played_anew(weights):
    state = games.load("microchess:turns=9").start()
    data = weights(state).to_bytes()
    found = play(state, data, games=30, least_opening=8, most_opening=9, examples=30)
    assert all(len(moves) == 9 for moves in found[4])
    assert found[3] == 30


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": -1}, {"least_nodes": 0}, {"most_nodes": 19}, {"most_nodes": 2**63}, {"least_opening": -1},
        {"most_opening": 0}, {"random_share": 1.0}, {"random_share": float("nan")},
    ],
)  # fmt: skip
def test_impossible_settings_are_refused(wrong, weights):
    state = games.load("microchess").start()
    with pytest.raises(ValueError, match="no such settings of self-play"):
        play(state, weights(state).to_bytes(), **wrong)


def test_a_second_call_while_a_search_runs_is_refused(weights, refuses_sharing):
    state = games.load("microchess").start()
    game = native_game(state, weights(state).to_bytes())
    refuses_sharing(lambda: game.native.alphabeta(nodes=200_000), lambda: game.native.value)


@pytest.mark.soak
def test_no_memory_error_is_found_by_the_address_sanitizer(passes_watched):
    files = [f"tests/agents/self_learning/test_value_{name}.py" for name in ("weights", "search")]
    passes_watched("agents.self_learning", "value.cpp", *files, "-k", "not sanitizer")
