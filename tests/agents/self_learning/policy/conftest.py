"""Networks for the tests of self-learning: random ones, and one that knows nothing."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import games
from agents.core.engine import Visits
from agents.core.native import NativeGame
from agents.self_learning.architecture import Architecture, NetworkFile
from agents.self_learning.evaluators import NativeEvaluator
from games import encoding
from games.base import State
from games.encoding import Shape


def shape_of(game: str) -> Shape:
    code = encoding.of(games.load(game))
    return Shape(code.planes, code.height, code.width, code.scalars, code.actions)


def random_network(
    game: str = "microchess", network: str = "mlp-24-16", *, seed: int = 1, policy: float = 1.0
) -> NetworkFile:
    """A perceptron with random weights; `policy` scales the logits, 0 makes all moves equal."""
    shape, rng = shape_of(game), np.random.default_rng(seed)
    tensors: dict[str, Any] = {}
    before = shape.inputs
    for index, width in enumerate(Architecture.of(network).linear):
        tensors[f"linear{index}.weight"] = rng.normal(size=(width, before)) / (4 if index == 0 else before**0.5)
        tensors[f"linear{index}.bias"] = rng.normal(size=width) / 4
        before = width
    for name, outputs, scale in (("value", 1, 1.0), ("margin", 1, 1.0), ("policy", shape.actions, policy)):
        tensors[f"{name}.weight"] = scale * rng.normal(size=(outputs, before)) / before**0.5
        tensors[f"{name}.bias"] = np.zeros(outputs)
    return NetworkFile(game, network, shape, {name: each.astype(np.float32) for name, each in tensors.items()})


def zero_network(game: str = "microchess") -> NetworkFile:
    """All values are 0 and all moves are equal."""
    file = random_network(game, "mlp-8")
    return NetworkFile(game, "mlp-8", file.shape, {name: np.zeros_like(each) for name, each in file.tensors.items()})


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Two threads of torch on a busy machine are far slower than one."""
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)


class Tree:
    """A native tree at a state, searched with a network."""

    def __init__(self, state: State, file: NetworkFile, **settings: float) -> None:
        found = NativeGame.of(state, module="agents.self_learning._forest", kind="Search")
        assert found is not None
        self.game, self.evaluator = found, NativeEvaluator(file)
        self.native = found.native
        self.native.tune(**settings)
        self.game.set(state)

    def run(self, simulations: int, *, leaves: int = 1) -> "Tree":
        assert self.native.run(self.evaluator.perceptron, simulations=simulations, leaves=leaves) >= simulations
        return self

    @property
    def value(self) -> float:
        return float(self.native.told()[2])

    @property
    def moves(self) -> dict[str, Visits]:
        return {each[0]: Visits(*each) for each in self.native.told()[4]}


@pytest.fixture
def tree() -> type[Tree]:
    return Tree


@pytest.fixture(name="random_network")
def random_network_fixture() -> Callable[..., NetworkFile]:
    return random_network


@pytest.fixture(name="zero_network")
def zero_network_fixture() -> Callable[..., NetworkFile]:
    return zero_network
