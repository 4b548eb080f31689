"""The learner of values: its samples, its labels, its net, and the rounding of the net to whole numbers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import games
from agents.self_learning.errors import BadRecipe
from agents.self_learning.learned_alphabeta import native_game
from agents.self_learning.learner import Chunk, Learner, make_learner
from agents.self_learning.value_features import feature_set
from agents.self_learning.value_learner import ValueLearner, ValueSettings
from agents.self_learning.value_weights import ValueWeights
from games.base import BLACK, WHITE

OPENINGS = Path(__file__).parents[1] / "microchess_openings.txt"
QUICK = ValueSettings(games=12, least_nodes=20, most_nodes=60, first=32, second=8)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def learner(game="microchess", **settings):
    return ValueLearner(game, replace(QUICK, **settings))


def played(made, *, seed=1, weights=None):
    data = made.weights(made.network(0)) if weights is None else weights
    return made.play(data, generation=0, seed=seed, settings=made.settings)


def trained(made, rows, *, steps, seed=0):
    network = made.network(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3)
    rng = np.random.default_rng(seed)
    losses = []
    for _ in range(steps):
        batch = made.augment(rows[rng.integers(len(rows), size=128)], rng)
        optimiser.zero_grad()
        loss, _ = made.loss(network, batch)
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return network, losses


def test_it_is_the_learner_of_that_name():
    made = make_learner("learned_alphabeta", "microchess", QUICK)
    assert isinstance(made, ValueLearner)
    assert isinstance(made, Learner)


@pytest.mark.parametrize("game", ["microchess", "othello", "gomoku:size=7"])
def test_a_fresh_net_values_every_position_the_same_and_its_rows_are_filled(game):
    made = learner(game)
    chunk = played(made)
    assert isinstance(chunk, Chunk)
    assert chunk.games == 12
    assert chunk.rows.dtype == made.row
    assert len(chunk.examples) == 1
    size = made.features.size
    for row in chunk.rows[:50]:
        active = [feature for feature in row["features"] if feature < size]
        assert len(set(active)) == len(active) > 0
        assert all(feature == size for feature in row["features"][len(active) :])
    assert ValueWeights.from_bytes(made.weights(made.network(0))).value(active) == 0


def test_the_same_chunk_is_the_same_to_the_bit():
    made = learner()
    network, _ = trained(made, played(made).rows, steps=5)
    data = made.weights(network)
    one, other = (played(made, weights=data, seed=9).rows.tobytes() for _ in range(2))
    assert one == other


def test_pitfall_05_drawn_games_stay_draws_and_margins_agree_with_results():
    for game in ("microchess", "othello"):
        rows = played(learner(game, games=60)).rows
        assert (np.sign(rows["margin"]) == rows["result"]).all()
        assert {-1, 1} <= set(rows["result"].tolist())
    rows = played(learner(games=60)).rows
    assert (rows["result"] == 0).any()
    drawn = rows[rows["result"] == 0]
    labels = learner(result_share=1.0)._expected(drawn[drawn["settled"] == 1])
    assert (labels == 0.5).all()


def test_both_sides_of_a_game_have_opposite_results():
    made = learner("gomoku:size=5", games=1, random_share=0.0, examples=1)
    for seed in range(5):
        chunk = played(made, seed=seed)
        one, other = (set(chunk.rows["result"][chunk.rows["turn"] % 2 == parity].tolist()) for parity in (0, 1))
        assert {-result for result in one} == other
        assert len(one) == 1


def test_the_label_is_the_search_before_the_last_random_move_and_a_mixture_after_it():
    rows = np.zeros(3, learner().row)
    rows["score"] = [0, 1000, 30_000]
    rows["result"] = [1, -1, 1]
    rows["settled"] = [0, 1, 1]
    even, better = 0.5, 1 / (1 + np.exp(-1.0))
    assert learner(result_share=0.7)._expected(rows) == pytest.approx([even, 0.3 * better, 1.0], abs=1e-6)


def test_random_moves_unsettle_what_came_before_them():
    assert (played(learner(random_share=0.0)).rows["settled"] == 1).all()
    rows = played(learner(random_share=0.3, games=40)).rows
    assert 0 < (rows["settled"] == 0).mean() < 1


def test_training_lowers_the_loss():
    made = learner(games=60)
    rows = played(made).rows
    _, losses = trained(made, rows, steps=150)
    assert np.mean(losses[-20:]) < 0.85 * np.mean(losses[:5])


@pytest.mark.parametrize("game", ["microchess", "othello", "gomoku:size=7"])
def test_pitfall_14_the_rounded_net_equals_the_net_on_real_positions(game):
    made = learner(game, first=64, second=16, games=30)
    rows = played(made).rows
    network, _ = trained(made, rows, steps=120)
    sample = rows[:: max(1, len(rows) // 150)]
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(sample["features"].astype(np.int32)))
    weights = ValueWeights.from_bytes(made.weights(network))
    rounded = [
        weights.value([feature for feature in row if feature < made.features.size]) / 1000 for row in sample["features"]
    ]
    errors = np.abs(np.array(rounded) - logits.numpy())
    assert logits.std() > 0.05
    assert errors.max() < 0.06
    assert errors.mean() < 0.02


def test_pitfall_14_the_rounded_net_plays_as_well_as_the_net():
    """Each chooses the move after which the other side stands worst; all openings are played from both sides."""
    made = learner(first=64, second=16, games=40)
    network, _ = trained(made, played(made).rows, steps=150)
    searcher = native_game(made.start, made.weights(network))

    def exact(states):
        rows = np.full((len(states), made.features.most_active), made.features.size, np.int32)
        for row, state in zip(rows, states, strict=True):
            active = made.features.active(state)
            row[: len(active)] = active
        with torch.no_grad():
            return network(torch.from_numpy(rows))[0].tolist()

    def rounded(states):
        found = []
        for state in states:
            searcher.set(state)
            found.append(searcher.native.value / 1000)
        return found

    starts = [line for line in OPENINGS.read_text().splitlines() if not line.startswith("#")][:12]
    points = [
        points_of(color, games.load("microchess").position(start), {color: rounded, not color: exact})
        for start in starts
        for color in (WHITE, BLACK)
    ]
    assert 0.35 < sum(points) / len(points) < 0.65


def points_of(color, state, values):
    """The points of a colour in a game in which each side has a function that gives values of states."""
    while state.ending is None:
        after = [state.forward(move) for move in state.legal_moves]
        going_on = [each for each in after if each.ending is None]
        known = zip(going_on, values[state.turn](going_on) if going_on else [], strict=True)
        over = ((each, 50 - 100 * each.ending.points(state.turn)) for each in after if each.ending is not None)
        state = min([*known, *over], key=lambda pair: pair[1])[0]
    return state.ending.points(color)


def test_pitfall_14_the_native_search_gets_the_same_number_from_the_same_file():
    made = learner(games=30)
    network, _ = trained(made, played(made).rows, steps=60)
    data = made.weights(network)
    weights, state = ValueWeights.from_bytes(data), games.load("microchess").start()
    for move in ("c1a2", "b5d4", "a2c1", "d4b5"):
        state = state.forward(state.parse(move))
        assert native_game(state, data).native.value == weights.value(feature_set(state).active(state))


def test_weights_that_grow_too_large_are_cut_in_training_as_in_the_file():
    made = learner()
    network = made.network(0)
    with torch.no_grad():
        network.first_bias.fill_(0.3)
        network.first.weight[0], network.first.weight[30], network.first.weight[60] = 5.0, -1.5, 0.0
        for layer in (network.second, network.outputs):
            layer.weight.zero_()
            layer.weight[0, 0] = 9.0
    weights = ValueWeights.from_bytes(made.weights(network))
    assert (max(weights.second), max(weights.output)) == (127, 1000)
    logits, _ = network(torch.tensor([[0, 30, 60]], dtype=torch.int32))
    assert weights.value([0, 30, 60]) / 1000 == pytest.approx(float(logits.detach()), rel=0.02)


def test_pitfall_09_augmentation_keeps_labels_and_numbers_of_features():
    made = learner("othello")
    rows = played(made).rows
    turned = made.augment(rows, np.random.default_rng(0))
    assert (turned["features"] != rows["features"]).any()
    for name in ("score", "result", "margin", "settled", "turn"):
        assert (turned[name] == rows[name]).all()
    size = made.features.size
    assert ((turned["features"] == size) == (rows["features"] == size)).all()
    assert ((turned["features"] < 64).sum(axis=1) == (rows["features"] < 64).sum(axis=1)).all()


def test_microchess_has_no_symmetry_to_add():
    rows = played(learner()).rows
    assert learner().augment(rows, np.random.default_rng(0)) is rows


def test_an_exported_agent_is_a_class_that_reads_the_weights_beside_it():
    source = learner().agent()
    compile(source, "agent.py", "exec")
    assert "torch" not in source
    assert "numpy" not in source


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("go", {}, "plays chess, microchess, othello and gomoku, not go"),
        ("microchess", {"first": 100}, "multiple of 32"),
        ("microchess", {"second": 12}, "multiple of 8"),
        ("microchess", {"least_nodes": 100, "most_nodes": 50}, "greater than the most"),
        ("microchess", {"least_opening": 9}, "greater than the most"),
    ],
)
def test_wrong_recipes_are_refused_in_words(game, settings, message):
    with pytest.raises(BadRecipe, match=message):
        learner(game, **settings)
