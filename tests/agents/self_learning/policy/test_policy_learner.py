"""The learner: losses, augmentation, and that it learns."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

import games
from agents.self_learning import rows as samples
from agents.self_learning.learner import Learner, make_learner
from agents.self_learning.policy_learner import PolicyLearner, policy_loss
from agents.self_learning.policy_settings import PolicySettings
from games import encoding

QUICK = PolicySettings(network="mlp-24-16", games=6, simulations=12, fast=4, full_share=0.6)


@pytest.fixture(scope="module")
def learner() -> PolicyLearner:
    return PolicyLearner("microchess", QUICK)


@pytest.fixture(scope="module")
def played(learner: PolicyLearner) -> np.ndarray:
    weights = learner.weights(learner.network(1).eval())
    return learner.play(weights, generation=0, seed=1, settings=replace(QUICK, record_fast=True)).rows


def test_it_is_the_learner_of_its_name():
    made = make_learner("self_learning", "othello", QUICK)
    assert isinstance(made, PolicyLearner)
    assert isinstance(made, Learner)


def test_pitfall_10_the_loss_and_its_gradient_are_finite_whatever_the_logits():
    logits = torch.tensor([[0.0, 500.0, -500.0, 3.0], [1e4, -1e4, 0.0, 0.0]], requires_grad=True)
    actions, used = torch.tensor([[1, 2, 0], [2, 0, 0]]), torch.tensor([[True, True, False], [True, False, False]])
    shares = torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    found = policy_loss(logits, actions, used, shares)
    assert found.tolist() == [0.0, 0.0]  # certain of the right move; a single move costs nothing
    found.sum().backward()
    assert torch.isfinite(logits.grad).all()


def test_pitfall_10_actions_that_are_not_legal_have_no_part():
    shares, used = torch.tensor([[0.5, 0.5]]), torch.tensor([[True, True]])
    logits = torch.tensor([[1.0, 1.0, 9.0]], requires_grad=True)
    found = policy_loss(logits, torch.tensor([[0, 1]]), used, shares)
    assert found.item() == pytest.approx(np.log(2))
    found.sum().backward()
    assert logits.grad[0, 2] == 0


def test_pitfall_11_the_policy_loss_is_summed_over_actions_and_averaged_over_the_batch(learner, played):
    network = learner.network(2).eval()
    one, parts = learner.loss(network, played)
    twice, doubled = learner.loss(network, np.concatenate([played, played]))
    assert one.item() == pytest.approx(twice.item(), rel=1e-5)
    full = played[played["full"] == 1]
    _value, logits, _margin = network(torch.from_numpy(samples.unpack_inputs(full, learner.shape)))
    expected = 0.0
    for row, line in zip(full, logits.detach().double().numpy(), strict=True):
        used = row["moves"] != samples.NO_MOVE
        legal = line[row["moves"][used]]
        logarithms = legal - legal.max() - np.log(np.exp(legal - legal.max()).sum())
        shares = row["policy"][used] / row["policy"].sum()
        expected -= row["weight"] * (shares * logarithms).sum()
    assert parts["policy"] == pytest.approx(expected / full["weight"].sum(), rel=1e-5)
    assert doubled["policy"] == pytest.approx(parts["policy"], rel=1e-5)


def test_pitfall_18_fast_searches_teach_the_value_but_not_the_policy(learner, played):
    network = learner.network(2).eval()
    _total, before = learner.loss(network, played)
    changed = played.copy()
    fast = changed["full"] == 0
    assert fast.any()
    changed["policy"][fast] = changed["policy"][fast][:, ::-1]
    _total, after = learner.loss(network, changed)
    assert after == before
    changed["result"][fast] *= -1
    changed["root"][fast] *= -1
    _total, after = learner.loss(network, changed)
    assert after["value"] != before["value"]


def test_the_value_target_is_part_result_and_part_search(learner, played):
    network = learner.network(2).eval()
    losses = {}
    for share in (0.0, 0.5, 1.0):
        learner.settings = replace(QUICK, result_share=share)
        losses[share] = learner.loss(network, played)[1]["value"]
    learner.settings = QUICK
    # Cross entropy is linear in the target.
    assert losses[0.5] == pytest.approx((losses[0.0] + losses[1.0]) / 2, rel=1e-5)
    assert losses[0.0] != losses[1.0]


def test_a_single_sample_has_a_loss(learner, played):
    total, _ = learner.loss(learner.network(1), played[3:4])  # to numpy its fields are contiguous, with any strides
    assert math.isfinite(float(total.detach()))


def test_a_game_without_a_margin_has_no_margin_loss():
    learner = PolicyLearner("gomoku:size=6", replace(QUICK, games=2))
    network = learner.network(1).eval()
    rows = learner.play(learner.weights(network), generation=0, seed=1, settings=learner.settings).rows
    assert set(learner.loss(network, rows)[1]) == {"policy", "value"}


@pytest.mark.parametrize("game", ["gomoku:size=6", "othello", "go:size=4,turns=30", "microchess"])
def test_pitfall_09_augmented_samples_are_positions_and_policies_of_the_turned_game(game):
    learner = PolicyLearner(game, replace(QUICK, games=3))
    weights = learner.weights(learner.network(1).eval())
    rows = learner.play(weights, generation=0, seed=1, settings=learner.settings).rows
    turned = learner.augment(rows, np.random.default_rng(1))
    assert turned.dtype == rows.dtype
    before, after = samples.unpack_inputs(rows, learner.shape), samples.unpack_inputs(turned, learner.shape)
    symmetries = encoding.of(games.load(game)).symmetries()
    changed = 0
    for index in range(len(rows)):
        fits = [
            symmetry
            for symmetry in symmetries
            if symmetry.holds(before[index])
            and np.array_equal(symmetry.transform(before[index]), after[index])
            and np.array_equal(moved(symmetry, rows["moves"][index]), turned["moves"][index])
        ]
        assert fits
        changed += not np.array_equal(before[index], after[index])
    assert changed or game == "microchess"
    assert np.array_equal(rows["policy"], turned["policy"])
    learner.settings = replace(QUICK, augment=False)
    assert learner.augment(rows, np.random.default_rng(1)) is rows


def moved(symmetry, moves: np.ndarray) -> np.ndarray:
    used = moves != samples.NO_MOVE
    found = moves.copy()
    found[used] = symmetry.actions[moves[used]]
    return found


def test_a_few_steps_lower_every_loss(learner, played):
    network = learner.network(1)
    first: dict[str, float] = {}
    for _ in range(60):
        network.zero_grad()
        total, parts = learner.loss(network, played)
        first = first or parts
        total.backward()
        with torch.no_grad():
            for parameter in network.parameters():
                parameter -= 0.3 * parameter.grad
    assert all(parts[name] < first[name] for name in ("policy", "value", "margin"))


def test_rows_survive_packing(learner, played):
    inputs = samples.unpack_inputs(played, learner.shape)
    copy = np.zeros_like(played)
    samples.pack_inputs(inputs, copy, learner.shape)
    assert np.array_equal(copy["planes"], played["planes"])
    assert np.array_equal(copy["scalars"], played["scalars"])


@pytest.mark.parametrize("network", ["2x8", "C8r2L16r"])
def test_convolutions_play_and_learn(network):
    learner = PolicyLearner("microchess", replace(QUICK, network=network, games=2, evaluator="torch"))
    net = learner.network(1)
    rows = learner.play(learner.weights(net.eval()), generation=0, seed=1, settings=learner.settings).rows
    total, _parts = learner.loss(net.train(), rows)
    total.backward()
    assert all(torch.isfinite(parameter.grad).all() for parameter in net.parameters())


def test_the_exported_agent_reads_the_weights_beside_it(learner):
    source = learner.agent()
    assert "agents.self_learning.agent" in source
    assert "torch" not in source
    compile(source, "agent.py", "exec")
