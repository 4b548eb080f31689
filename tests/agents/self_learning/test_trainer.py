"""The trainer: learning rates, optimisers, devices."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.self_learning.errors import TrainingError
from agents.self_learning.learner import learner_class
from agents.self_learning.memory import Memory
from agents.self_learning.recipe import RunSettings
from agents.self_learning.trainer import Trainer, learning_rate, pick_device, require_torch


def trainer(**settings: Any) -> Trainer:
    kind = learner_class("tiny_learner:TinyLearner")
    return Trainer(kind("gomoku:size=5", kind.settings_class()), RunSettings(batch=16, **settings))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """Boards whose value is that of the centre."""
    row = trainer().learner.row
    made = Memory(tmp_path / "memory.bin", row=row, capacity=500)
    rows = np.zeros(400, dtype=row)
    rows["cells"] = np.random.default_rng(1).integers(-1, 2, size=(400, 25))
    rows["result"] = rows["cells"][:, 12]
    made.append(rows, generation=1)
    return made


def test_the_cosine_falls_from_lr_to_lr_end() -> None:
    settings = RunSettings(lr=1.0, lr_end=0.1)
    rates = [learning_rate(settings, progress) for progress in (0.0, 0.25, 0.5, 0.75, 1.0, 2.0)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == 1.0
    assert rates[2] == pytest.approx(0.55)
    assert rates[-1] == pytest.approx(0.1)
    assert learning_rate(RunSettings(lr=0.5, schedule="constant"), 0.9) == 0.5


@pytest.mark.parametrize(("optimiser", "rate"), [("adamw", 1e-2), ("sgd", 0.1)])
def test_training_lowers_the_losses(memory: Memory, optimiser: str, rate: float) -> None:
    made = trainer(optimiser=optimiser, passes=10.0)
    before = made.losses(memory)["loss"]
    losses = made.train(memory, memory, rows=400, rate=rate, seed=1)
    assert losses.steps == 250
    assert losses.validation["loss"] < 0.5 * before
    assert set(losses.training) == {"loss", "value"}


@pytest.mark.parametrize("optimiser", ["adamw", "sgd"])
def test_pitfall_20_a_restored_trainer_goes_on_to_the_same_bits(memory: Memory, optimiser: str) -> None:
    one, two = trainer(optimiser=optimiser), trainer(optimiser=optimiser)
    one.train(memory, memory, rows=100, rate=1e-2, seed=1)
    two.restore(one.state())
    for made in (one, two):
        made.train(memory, memory, rows=100, rate=1e-2, seed=2)
    states = [{name: array.tobytes() for name, array in made.state().items()} for made in (one, two)]
    assert states[0] == states[1]
    assert one.weights() == two.weights()


def test_samples_that_are_not_trained_on_do_not_change_the_net(memory: Memory) -> None:
    made = trainer()
    before = made.weights()
    made.losses(memory)
    assert made.weights() == before


def test_a_loss_that_is_not_finite_ends_the_run_with_advice(memory: Memory) -> None:
    made = trainer(clip=0.0)
    next(iter(made.network.parameters())).data.fill_(float("nan"))
    with pytest.raises(TrainingError, match="arena train set RUN lr="):
        made.train(memory, memory, rows=100, rate=1.0, seed=1)


def test_a_net_of_another_shape_is_refused() -> None:
    made = trainer()
    with pytest.raises(TrainingError, match="another shape"):
        made.restore({"net/0.weight": np.zeros((1, 1), "f4")})


def test_pitfall_16_training_has_one_thread() -> None:
    assert require_torch().get_num_threads() == 1


def test_a_device_is_found() -> None:
    torch = require_torch()
    expected = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    assert pick_device("auto") == expected
    assert pick_device("cpu") == "cpu"


def test_missing_torch_is_one_line_that_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(TrainingError, match=r"needs PyTorch.*pip install -e '.\[learn\]'"):
        require_torch()
