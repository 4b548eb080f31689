"""Self-play: samples that agree with the rules, and chunks that depend on weights, seed and settings only."""

from dataclasses import replace

import numpy as np
import pytest

import games
from agents.core.knowledge import knowledge_of
from agents.self_learning import _forest, self_play
from agents.self_learning import rows as samples
from agents.self_learning.evaluators import Cached, NativeEvaluator
from agents.self_learning.policy_settings import PolicySettings
from agents.self_learning.self_play import play_chunk, policy_width
from games import encoding

GAMES = ("microchess", "othello", "gomoku:size=6", "mushroom:rows=4,columns=6", "go:size=4,turns=30")
QUICK = PolicySettings(games=6, simulations=16, fast=6, parallel=4)
#: Every position with a choice is searched fully and stored, from the start position on.
EVERY = replace(QUICK, full_share=1.0, opening=0, games=4)


@pytest.mark.parametrize("game", GAMES)
def test_pitfall_05_samples_hold_the_position_the_result_and_the_margin_of_their_game(random_network, game):
    """Draws stay draws, and a result is for the side to move."""
    rules, file = games.load(game), random_network(game, policy=0.5)
    code = encoding.of(rules)
    chunk = play_chunk(rules, file, EVERY, generation=7, seed=11)
    assert len(chunk.examples) == chunk.games == 4
    inputs, at = samples.unpack_inputs(chunk.rows, file.shape), 0
    assert len(chunk.starts) == (4 if rules.name == "mushroom" else 0)  # its start is drawn at random
    starts = [rules.position(text) for text in chunk.starts] or [rules.start()] * 4
    for start, moves in zip(starts, chunk.examples, strict=True):
        states = [start]
        for move in moves:
            states.append(states[-1].forward(states[-1].parse(move)))
        ending = states[-1].ending
        assert ending is not None
        for state in states[:-1]:
            if len(state.legal_moves) == 1:
                continue
            row, expected = chunk.rows[at], np.empty((1, code.inputs), np.float32)
            code.encode([state], expected)
            assert np.array_equal(inputs[at], expected[0])
            assert row["turn"] == state.turns
            assert row["result"] == 2 * ending.points(state.turn) - 1
            used = row["moves"] != samples.NO_MOVE
            assert sorted(row["moves"][used]) == sorted(code.legal_actions(state))
            assert abs(int(row["policy"].sum()) - 65535) < len(used)
            assert (row["generation"], row["full"]) == (7, 1)
            at += 1
    assert at == len(chunk.rows)


def test_pitfall_05_a_drawn_game_gives_draws(zero_network):
    # A rook each: a game without a capture is drawn at the turn limit.
    rules = games.load("microchess:turns=12")
    state = rules.position("1k2/r3/4/3R/2K1 w - - 0 5")
    native = knowledge_of(state).native_position(state)
    forest = _forest.Forest(
        "microchess", (native.text,), limit=12, games=8, parallel=8, full=8, full_share=1.0, opening=0, seed=1
    )
    forest.run(NativeEvaluator(zero_network()).perceptron)
    found = np.frombuffer(forest.rows(), samples.row_type(zero_network().shape, 64))
    assert len(found)
    assert set(found["result"]) <= {0, 1, -1}
    drawn = found["margin"] == 0
    assert drawn.any()
    assert not found["result"][drawn].any()


def test_margins_are_for_the_side_to_move(random_network):
    rules, file = games.load("othello"), random_network("othello")
    chunk = play_chunk(rules, file, EVERY, generation=0, seed=3)
    state = rules.start()
    for move in chunk.examples[0]:
        state = state.forward(state.parse(move))
    black = state.ending.margin.first - state.ending.margin.second
    assert chunk.rows[0]["margin"] == black
    assert chunk.rows[1]["margin"] == -black


@pytest.mark.parametrize("game", ["microchess", "mushroom:rows=4,columns=6"])
def test_a_chunk_is_a_pure_function_of_weights_seed_and_settings(random_network, game):
    rules, file = games.load(game), random_network(game)
    one = play_chunk(rules, file, QUICK, generation=1, seed=5)
    play_chunk(rules, random_network(game, seed=9), QUICK, generation=1, seed=6)
    again = play_chunk(rules, file, QUICK, generation=1, seed=5)
    assert one.rows.tobytes() == again.rows.tobytes()
    assert (one.examples, one.nodes, one.positions) == (again.examples, again.nodes, again.positions)


def test_the_number_of_games_at_once_does_not_change_them(random_network):
    rules, file = games.load("microchess"), random_network()
    alone, together = (
        play_chunk(rules, file, replace(QUICK, parallel=parallel), generation=1, seed=5) for parallel in (1, 6)
    )
    assert alone.rows.tobytes() == together.rows.tobytes()


def test_pitfall_06_and_15_self_play_through_a_cache_equals_self_play_without(random_network, monkeypatch):
    """Arrays instead of the native loop, a cache keyed by every input, and no answers of other weights."""
    rules, files = games.load("microchess"), [random_network(seed=1), random_network(seed=2)]
    direct = [play_chunk(rules, file, QUICK, generation=1, seed=5) for file in files]

    class Wrapped:
        def __init__(self, file):
            self.file, self._native = file, NativeEvaluator(file)

        def evaluate(self, inputs):
            return self._native.evaluate(inputs)

    monkeypatch.setattr(self_play, "make_evaluator", lambda file, _kind: Wrapped(file))
    cached = [play_chunk(rules, file, QUICK, generation=1, seed=5) for file in files]
    assert [chunk.rows.tobytes() for chunk in direct] == [chunk.rows.tobytes() for chunk in cached]
    assert direct[0].rows.tobytes() != direct[1].rows.tobytes()


def test_pitfall_12_the_temperature_is_not_in_the_target(random_network):
    rules, file = games.load("microchess"), random_network()
    hot, cold = (
        play_chunk(rules, file, replace(EVERY, temperature=heat, temperature_end=heat, games=1), generation=0, seed=2)
        for heat in (5.0, 0.01)
    )
    assert hot.rows[0]["policy"].tobytes() == cold.rows[0]["policy"].tobytes()
    assert hot.examples != cold.examples


def test_pitfall_12_noise_makes_games_differ_and_without_it_they_repeat(random_network):
    rules, file = games.load("microchess"), random_network()
    calm = replace(EVERY, noise=0.0, temperature=0.0, temperature_end=0.0, forced=0.0)
    repeated = play_chunk(rules, file, calm, generation=0, seed=2)
    assert len(set(repeated.examples)) == 1
    noisy = play_chunk(rules, file, replace(calm, noise=0.5), generation=0, seed=2)
    assert len(set(noisy.examples)) == 4


def test_pitfall_13_a_start_that_is_over_gives_a_game_without_samples(zero_network):
    over = "4/N1K1/2b1/4/1k2 w - - 49 41"
    forest = _forest.Forest("microchess", (over,), limit=80, games=3, parallel=2)
    assert forest.run(NativeEvaluator(zero_network()).perceptron)
    assert forest.figures()[:3] == (3, 0, 0)
    assert forest.rows() == b""


def test_pitfall_13_openings_in_which_the_game_ends_are_tried_again(random_network):
    rules = games.load("microchess:turns=30")
    chunk = play_chunk(
        rules, random_network("microchess"), replace(QUICK, games=60, opening=29, full_share=1.0), generation=0, seed=4
    )
    assert chunk.games == 60
    for moves in chunk.examples:
        state = rules.start()
        for move in moves:
            assert state.ending is None
            state = state.forward(state.parse(move))
        assert state.ending is not None
    # A game of 30 turns has at least one position after its opening, unless all moves there were forced.
    assert len(np.unique(np.flatnonzero(np.diff(chunk.rows["turn"].astype(int)) <= 0))) >= 40


def test_pitfall_18_only_full_searches_are_stored_or_marked(random_network):
    rules, file = games.load("microchess"), random_network()
    only_full = play_chunk(rules, file, QUICK, generation=0, seed=1)
    assert only_full.rows["full"].all()
    assert 0 < len(only_full.rows) < only_full.positions
    both = play_chunk(rules, file, replace(QUICK, record_fast=True), generation=0, seed=1)
    assert len(both.rows) == both.positions
    assert both.rows[both.rows["full"] == 1].tobytes() == only_full.rows.tobytes()


def test_a_playout_cap_spends_fewer_simulations(random_network):
    rules, file = games.load("microchess"), random_network()
    capped, full = (
        play_chunk(rules, file, replace(QUICK, full_share=share), generation=0, seed=1) for share in (0.25, 1.0)
    )
    assert capped.nodes / capped.positions < 0.8 * full.nodes / full.positions


def test_pitfall_19_other_seeds_give_other_games_and_so_do_the_games_of_a_chunk(random_network):
    rules, file = games.load("microchess"), random_network()
    chunks = [play_chunk(rules, file, QUICK, generation=0, seed=seed) for seed in (1, 2)]
    games_played = [moves for chunk in chunks for moves in chunk.examples]
    assert len(set(games_played)) == len(games_played)
    mushroom = games.load("mushroom:rows=4,columns=6")
    starts = [state.text for seed in (1, 2) for state in self_play._starts(mushroom, 5, seed)]
    assert len(set(starts)) == len(starts)


def test_dispatch_gives_equal_games(random_network):
    file = random_network(network="mlp-72-20")
    start = games.load("microchess").start().text
    found = []
    for plain in (False, True):
        forest = _forest.Forest("microchess", (start,), limit=80, games=4, parallel=4, full=12, fast=4, seed=3)
        forest.run(NativeEvaluator(file, plain=plain).perceptron)
        found.append(forest.rows())
    assert found[0] == found[1]


def test_surprising_samples_weigh_more_and_the_mean_weight_of_a_game_is_one(random_network):
    rules, file = games.load("microchess"), random_network()
    chunk = play_chunk(rules, file, replace(EVERY, games=1, surprise=0.5), generation=0, seed=1)
    weights = chunk.rows["weight"]
    assert weights.mean() == pytest.approx(1, abs=1e-5)
    assert weights.min() >= 0.5
    assert weights.std() > 0
    even = play_chunk(rules, file, replace(EVERY, games=1, surprise=0.0), generation=0, seed=1)
    assert (even.rows["weight"] == 1).all()


def test_gumbel_selection_plays_whole_games(random_network):
    rules, file = games.load("gomoku:size=6"), random_network("gomoku:size=6")
    settings = replace(EVERY, gumbel=4, simulations=8)
    chunk = play_chunk(rules, file, settings, generation=0, seed=1)
    assert chunk.games == 4
    assert chunk.nodes <= chunk.positions * 9
    assert chunk.rows.tobytes() == play_chunk(rules, file, settings, generation=0, seed=1).rows.tobytes()


def test_several_leaves_of_a_tree_at_once_play_whole_games(random_network):
    rules, file = games.load("microchess"), random_network()
    chunk = play_chunk(rules, file, replace(QUICK, leaves=4), generation=0, seed=1)
    assert chunk.games == 6
    assert np.isfinite(chunk.rows["root"]).all()
    assert (abs(chunk.rows["root"]) <= 1).all()


def test_a_game_of_too_many_turns_is_decided_as_it_stands(random_network):
    rules, file = games.load("go:size=5"), random_network("go:size=5")
    chunk = play_chunk(rules, file, replace(EVERY, most_turns=12), generation=0, seed=1)
    assert max(map(len, chunk.examples)) <= 12
    assert set(chunk.rows["result"]) <= {-1, 1}


def test_a_policy_with_too_little_room_keeps_the_likeliest_moves(random_network):
    rules, file = games.load("microchess"), random_network()
    wide, narrow = (
        play_chunk(rules, file, replace(EVERY, width=width, games=1), generation=0, seed=1).rows for width in (64, 3)
    )
    assert narrow["moves"].shape[1] == 3
    best = wide["policy"].max(axis=1)
    assert (narrow["policy"].max(axis=1) == best).all()


def test_seconds_say_where_the_time_goes(random_network):
    chunk = play_chunk(games.load("microchess"), random_network(), QUICK, generation=0, seed=1)
    assert set(chunk.seconds) == {"select", "encode", "net", "expand", "backup", "record"}
    assert all(each >= 0 for each in chunk.seconds.values())
    assert sum(chunk.seconds.values()) > 0


def test_a_policy_has_room_for_the_moves_of_its_game():
    settings = PolicySettings()
    assert policy_width(games.load("microchess"), 328, settings) == 64
    assert policy_width(games.load("go:size=9"), 82, settings) == 82
    assert policy_width(games.load("go:size=9"), 82, replace(settings, width=10)) == 10


def test_a_cache_that_is_full_starts_again(random_network):
    cached = Cached(NativeEvaluator(random_network()), size=10)
    rng = np.random.default_rng(1)
    inputs = (rng.random((25, 284)) < 0.1).astype(np.float32)
    for begin in range(0, 25, 5):
        part = inputs[begin : begin + 5]
        assert np.array_equal(cached.evaluate(part).logits, NativeEvaluator(random_network()).evaluate(part).logits)
    assert cached.hits == 0
    cached.evaluate(inputs[20:])
    assert cached.hits == 5
