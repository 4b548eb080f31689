"""The trainer: batches from the memory, one optimiser, losses on samples that it has seen and has not seen."""

import importlib.util
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.self_learning.errors import TrainingError
from agents.self_learning.learner import Learner
from agents.self_learning.memory import Memory
from agents.self_learning.recipe import RunSettings

if TYPE_CHECKING:
    import torch

__all__ = ["Losses", "Trainer", "find_torch", "learning_rate", "pick_device", "require_torch"]

_VALIDATION_ROWS: Final = 8192
#: Steps between two calls of `between`.
_STRIDE: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """The mean of each loss over the steps of a generation, the same on unseen samples, and the CPU time."""

    training: Mapping[str, float]
    validation: Mapping[str, float]
    steps: int
    seconds: float


def find_torch() -> None:
    """See that torch is installed, without importing it; `TrainingError` says how to install it."""
    is_there = sys.modules["torch"] is not None if "torch" in sys.modules else importlib.util.find_spec("torch")
    if not is_there:
        raise TrainingError(
            "self-learning needs PyTorch, which is not installed; in the folder of arena: pip install -e '.[learn]'"
        )


def require_torch() -> Any:
    """The module torch, held to one thread."""
    find_torch()
    import torch

    torch.set_num_threads(1)  # two threads on a busy machine are slower than one, and order their sums differently
    return torch


def pick_device(wanted: str) -> str:
    """The device to train on; `auto` takes CUDA or MPS where there is one."""
    torch = require_torch()
    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def learning_rate(settings: RunSettings, progress: float) -> float:
    """The learning rate when this share (0 to 1) of the run is done."""
    if settings.schedule == "constant":
        return settings.lr
    share = (1 + math.cos(math.pi * min(max(progress, 0.0), 1.0))) / 2
    return settings.lr_end + (settings.lr - settings.lr_end) * share


class Trainer:
    """A net and its optimiser."""

    def __init__(self, learner: Learner, settings: RunSettings) -> None:
        self._torch = require_torch()
        self.learner = learner
        self.settings = settings
        self._torch.manual_seed(settings.seed)
        device = pick_device(settings.device)
        if device != "cpu":  # one thread of a CPU is repeatable anyway, and this call takes a second
            self._torch.use_deterministic_algorithms(True, warn_only=True)
        self.network: torch.nn.Module = learner.network(settings.seed).to(device)
        self._optimiser: torch.optim.Optimizer = self._make_optimiser()

    def train(
        self, memory: Memory, validation: Memory, *, rows: int, rate: float, seed: int,
        between: Callable[[], None] = lambda: None,
    ) -> Losses:  # fmt: skip
        """One generation of training, after `rows` new samples; `between` is called now and then.

        Everything random in it derives from `seed`.
        """
        began = time.process_time()
        settings = self.settings
        rng = np.random.default_rng(seed)
        self._torch.manual_seed(seed)
        for group in self._optimiser.param_groups:
            group.update(lr=rate, weight_decay=settings.weight_decay)
        steps = math.ceil(settings.passes * rows / settings.batch) if len(memory) else 0
        sums: dict[str, float] = {}
        self.network.train()
        for step in range(steps):
            batch = self.learner.augment(memory.sample(rng, settings.batch, window=settings.window), rng)
            for name, value in self._step(batch).items():
                sums[name] = sums.get(name, 0.0) + value
            if step % _STRIDE == 0:
                between()
        means = {name: value / steps for name, value in sums.items()}
        return Losses(
            training=means, validation=self.losses(validation), steps=steps, seconds=time.process_time() - began
        )

    def losses(self, memory: Memory) -> dict[str, float]:
        """The losses on the newest samples of a memory, without learning from them."""
        rows = memory.newest(_VALIDATION_ROWS)
        if not len(rows):
            return {}
        self.network.eval()
        with self._torch.no_grad():
            total, parts = self.learner.loss(self.network, rows)
        return {"loss": float(total), **parts}

    def weights(self) -> bytes:
        """What players need of the net."""
        self.network.eval()
        with self._torch.no_grad():
            return self.learner.weights(self.network)

    def state(self) -> dict[str, NDArray[Any]]:
        """The net and the optimiser as arrays."""
        found = {f"net/{name}": _array(tensor) for name, tensor in self.network.state_dict().items()}
        for index, slots in self._optimiser.state_dict()["state"].items():
            for name, value in slots.items():
                if value is not None:
                    found[f"optimiser/{index}/{name}"] = _array(value)
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        tensor = self._torch.from_numpy
        net = {name.removeprefix("net/"): tensor(value) for name, value in arrays.items() if name.startswith("net/")}
        try:
            self.network.load_state_dict(net)
        except RuntimeError as error:
            raise TrainingError("the stored net has another shape than this version of the learner makes") from error
        slots: dict[int, dict[str, Any]] = {}
        for name, value in arrays.items():
            if name.startswith("optimiser/"):
                _, index, slot = name.split("/")
                slots.setdefault(int(index), {})[slot] = tensor(value)
        groups = self._optimiser.state_dict()["param_groups"]
        self._optimiser.load_state_dict({"state": slots, "param_groups": groups})

    def _step(self, rows: NDArray[np.void]) -> dict[str, float]:
        self._optimiser.zero_grad()
        total, parts = self.learner.loss(self.network, rows)
        total.backward()  # type: ignore[no-untyped-call]
        if self.settings.clip:
            self._torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self._optimiser.step()
        value = float(total.detach())
        if not math.isfinite(value):
            raise TrainingError(
                "the loss is not finite any more; set a smaller learning rate: arena train set RUN lr=…"
            )
        return {"loss": value, **parts}

    def _make_optimiser(self) -> "torch.optim.Optimizer":
        settings, parameters, optim = self.settings, self.network.parameters(), self._torch.optim
        made: torch.optim.Optimizer
        if settings.optimiser == "sgd":
            made = optim.SGD(parameters, lr=settings.lr, momentum=settings.momentum, weight_decay=settings.weight_decay)
        else:
            made = optim.AdamW(parameters, lr=settings.lr, weight_decay=settings.weight_decay)
        return made


def _array(value: Any) -> NDArray[Any]:
    found: NDArray[Any] = value.detach().cpu().numpy().copy()
    return found
