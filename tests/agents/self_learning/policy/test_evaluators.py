"""Networks by name, and the evaluators: all give the same numbers."""

from pathlib import Path

import numpy as np
import pytest
import torch

import games
from agents.self_learning.architecture import Architecture, NetworkFile
from agents.self_learning.errors import BadRecipe, TrainingError
from agents.self_learning.evaluators import EVALUATORS, Cached, NativeEvaluator, NumpyEvaluator, make_evaluator
from agents.self_learning.policy_learner import PolicyLearner
from agents.self_learning.policy_settings import PolicySettings
from games import encoding

NETWORKS = ("mlp-40-24", "L64r", "2x8", "C8r3L32r")


def real_positions(game: str, size: int = 24) -> np.ndarray:
    """Encoded positions of random games."""
    import random

    rules, rng, states = games.load(game), random.Random(4), []
    while len(states) < size:
        state = rules.start(rng.randrange(1000))
        while state.ending is None and len(states) < size:
            states.append(state)
            state = state.forward(rng.choice(list(state.legal_moves)))
    code = encoding.of(rules)
    out = np.empty((size, code.inputs), np.float32)
    code.encode(states, out)
    return out


def trained(learner: PolicyLearner, inputs: np.ndarray) -> "torch.nn.Module":
    """A network whose weights and statistics of normalisation are far from those of a fresh one."""
    network = learner.network(3)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 0.05 * torch.randn(parameter.shape, generator=generator)
    network.train()
    for _ in range(3):
        network(torch.from_numpy(inputs))
    return network.eval()


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("game", ["microchess", "go:size=5"])
def test_pitfall_14_every_evaluator_of_an_exported_network_equals_torch(game, network):
    learner = PolicyLearner(game, PolicySettings(network=network))
    inputs = real_positions(game)
    original = trained(learner, inputs)
    with torch.no_grad():
        value, logits, margin = original(torch.from_numpy(inputs))
        file = NetworkFile.from_bytes(learner.weights(original))
    for kind in EVALUATORS:
        if kind == "native" and not file.architecture.is_perceptron:
            continue
        found = make_evaluator(file, kind).evaluate(inputs)
        assert np.abs(found.values - value.tanh().numpy()).max() < 1e-4
        assert np.abs(found.logits - logits.numpy()).max() < 1e-4
        assert np.abs(found.margins - margin.numpy()).max() < 1e-4


def test_pitfall_14_half_precision_halves_the_file_and_is_close():
    learner = PolicyLearner("microchess", PolicySettings(network="mlp-40-24"))
    inputs = real_positions("microchess")
    with torch.no_grad():
        file = NetworkFile.from_bytes(learner.weights(trained(learner, inputs)))
    small = file.to_bytes(half=True)
    assert len(small) < 0.6 * len(file.to_bytes())
    one, other = (NumpyEvaluator(each).evaluate(inputs) for each in (file, NetworkFile.from_bytes(small)))
    assert np.abs(one.values - other.values).max() < 0.01


@pytest.mark.parametrize("network", ["mlp-8", "mlp-72-20", "mlp-130-5-9"])
def test_the_native_network_is_equal_to_the_bit_with_and_without_avx2_and_in_any_batch(random_network, network):
    file, inputs = random_network(network=network), real_positions("microchess")
    fast, plain = NativeEvaluator(file).evaluate(inputs), NativeEvaluator(file, plain=True).evaluate(inputs)
    for name in ("values", "logits", "margins"):
        assert getattr(fast, name).tobytes() == getattr(plain, name).tobytes()
        alone = np.concatenate([getattr(NativeEvaluator(file).evaluate(row[None]), name) for row in inputs])
        assert alone.tobytes() == getattr(fast, name).tobytes()
    close = NumpyEvaluator(file).evaluate(inputs)
    assert np.abs(close.values - fast.values).max() < 1e-5
    assert np.abs(close.logits - fast.logits).max() < 1e-4


def test_pitfall_06_positions_that_differ_only_in_repetition_or_turn_are_different_keys(random_network):
    rules = games.load("microchess")
    start = rules.start()
    again = start
    for move in ("c1d3", "b5d4", "d3c1", "d4b5"):
        again = again.forward(again.parse(move))
    later = rules.position(start.text.rsplit(" ", 1)[0] + " 20")
    assert again.text.split()[0] == later.text.split()[0] == start.text.split()[0]
    code = encoding.of(rules)
    inputs = np.empty((4, code.inputs), np.float32)
    code.encode([start, again, later, start], inputs)
    cached = Cached(NativeEvaluator(random_network()))
    found = cached.evaluate(inputs)
    assert (cached.asked, cached.hits) == (4, 1)
    assert len(set(found.values.tolist())) == 3
    assert cached.evaluate(inputs).values.tolist() == found.values.tolist()
    assert cached.hits == 5


def test_pitfall_15_a_cache_belongs_to_one_network(random_network):
    inputs = real_positions("microchess")
    first, second = (Cached(NativeEvaluator(random_network(seed=seed))) for seed in (1, 2))
    before = first.evaluate(inputs).values
    assert not np.array_equal(second.evaluate(inputs).values, before)
    assert np.array_equal(first.evaluate(inputs).values, before)


def test_pitfall_16_no_evaluator_starts_a_thread(random_network):
    pytest.importorskip("onnxruntime")
    inputs, threads = np.repeat(real_positions("microchess"), 20, axis=0), Path("/proc/self/task")
    for kind in EVALUATORS:
        before = len(list(threads.iterdir()))
        make_evaluator(random_network(network="mlp-130-90"), kind).evaluate(inputs)
        assert len(list(threads.iterdir())) == before, kind


def test_a_file_that_is_damaged_or_of_another_kind_is_refused(random_network):
    from agents.self_learning.arrays import pack

    data = random_network().to_bytes()
    with pytest.raises(ValueError, match="damaged"):
        NetworkFile.from_bytes(data[:-40])
    with pytest.raises(ValueError, match="not the weights"):
        NetworkFile.from_bytes(pack({"kind": "other"}, {}))
    assert NetworkFile.from_bytes(data).tensors.keys() == random_network().tensors.keys()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mlp-256-128", Architecture((), 0, (256, 128))),
        ("L1024r", Architecture((), 0, (1024,))),
        ("C64r6L1024r", Architecture((64,) * 6, 0, (1024,))),
        ("2x32", Architecture((32,), 2, ())),
        ("10x128", Architecture((128,), 10, ())),
        ("gomoku", Architecture((128,), 10, ())),
    ],
)
def test_networks_have_names(name, expected):
    assert Architecture.of(name) == expected


@pytest.mark.parametrize("name", ["", "mlp", "mlp-0", "x32", "2x", "C64L1024", "mlp-12-", "100x8", "2 x 32"])
def test_an_unknown_network_is_refused(name):
    with pytest.raises(BadRecipe, match="networks are named like"):
        Architecture.of(name)


def test_only_perceptrons_are_evaluated_natively(random_network):
    file = random_network()
    assert isinstance(make_evaluator(file), NativeEvaluator)
    with pytest.raises(TrainingError, match="2x8 cannot be evaluated natively"):
        NativeEvaluator(NetworkFile(file.game, "2x8", file.shape, {}))


def test_without_the_native_module_and_onnxruntime_numpy_evaluates(random_network, monkeypatch):
    import sys

    monkeypatch.setenv("ARENA_KERNEL", "python")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert isinstance(make_evaluator(random_network()), NumpyEvaluator)


def test_a_fresh_network_depends_on_its_seed_and_knows_nothing():
    learner = PolicyLearner("microchess", PolicySettings(network="mlp-16"))
    inputs = torch.from_numpy(real_positions("microchess"))
    state = torch.random.get_rng_state()
    one, same, other = (learner.network(seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), state)
    with torch.no_grad():
        assert torch.equal(one(inputs)[1], same(inputs)[1])
        assert not torch.equal(one(inputs)[1], other(inputs)[1])
        assert one(inputs)[0].abs().max() < 0.2
