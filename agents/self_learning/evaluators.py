"""Evaluators: the same network evaluated natively, by onnxruntime, by torch or by numpy."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.core.native import extension
from agents.self_learning.architecture import NetworkFile
from agents.self_learning.errors import TrainingError

__all__ = ["EVALUATORS", "Cached", "Evaluator", "NativeEvaluator", "Outputs", "make_evaluator"]

Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a network says about some positions: value from -1 to 1 and final margin for the mover, a logit per action.

    The margin is before tanh.
    """

    values: Floats
    logits: Floats
    margins: Floats

    def rows(self, which: Any) -> "Outputs":
        """The outputs of some of the positions."""
        return Outputs(self.values[which], self.logits[which], self.margins[which])


class Evaluator(Protocol):
    """A network that can be asked. Up to rounding, an answer does not depend on the other positions of the batch."""

    @property
    def file(self) -> NetworkFile:
        """The network."""
        ...

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions, one in each row."""
        ...


class NativeEvaluator:
    """A perceptron in C++. `perceptron` can be given to the native searches, which then need no Python in between."""

    def __init__(self, file: NetworkFile, *, plain: bool = False) -> None:
        native = extension("agents.self_learning._forest")
        if native is None or not file.architecture.is_perceptron:
            raise TrainingError(f"the network {file.network} cannot be evaluated natively here")
        self.file = file
        tensors, hidden = file.tensors, file.architecture.linear
        layers = [f"linear{index}" for index in range(len(hidden))]
        order = [part for name in layers for part in (tensors[f"{name}.weight"].T, tensors[f"{name}.bias"])]
        order += [tensors[f"{name}.{part}"] for name in ("value", "margin", "policy") for part in ("weight", "bias")]
        weights = np.concatenate([np.ascontiguousarray(each, dtype="<f4").ravel() for each in order])
        self.perceptron: Any = native.Perceptron(weights, file.shape.inputs, hidden, file.shape.actions, plain=plain)

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions; equal to the bit in any batch."""
        size = len(inputs)
        logits = np.empty((size, self.file.shape.actions), np.float32)
        values, margins = np.empty(size, np.float32), np.empty(size, np.float32)
        self.perceptron.evaluate(np.ascontiguousarray(inputs, np.float32), values, margins, logits)
        return Outputs(values, logits, margins)


class NumpyEvaluator:
    """A network in numpy: the specification of the others, and all that an agent needs."""

    def __init__(self, file: NetworkFile) -> None:
        self.file = file

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions."""
        shape, architecture = self.file.shape, self.file.architecture
        inputs = np.asarray(inputs, np.float32)
        flat = inputs
        if architecture.convolutions:
            cells = inputs.shape[1] - shape.scalars
            x = inputs[:, :cells].reshape(-1, shape.planes, shape.height, shape.width)
            scalars = inputs[:, cells:]
            extra = self._linear("scalars", scalars)[:, :, None, None] if shape.scalars else 0.0
            for index in range(len(architecture.convolutions)):
                x = _relu(self._convolved(f"conv{index}", x) + (extra if index == 0 else 0.0))
            for index in range(architecture.blocks):
                x = _relu(self._convolved(f"block{index}b", _relu(self._convolved(f"block{index}a", x))) + x)
            if not architecture.linear:
                policy = _relu(self._convolved("policy_conv", x)).reshape(len(x), -1)
                value = _relu(self._convolved("value_conv", x)).reshape(len(x), -1)
                hidden = self._linear("value_hidden", np.concatenate([value, scalars], axis=1))
                return self._outputs(_relu(hidden), policy)
            flat = np.concatenate([x.reshape(len(x), -1), scalars], axis=1)
        for index in range(len(architecture.linear)):
            flat = _relu(self._linear(f"linear{index}", flat))
        return self._outputs(flat, flat)

    def _outputs(self, value: Floats, policy: Floats) -> Outputs:
        values = np.tanh(self._linear("value", value)[:, 0])
        return Outputs(values, self._linear("policy", policy), self._linear("margin", value)[:, 0])

    def _linear(self, name: str, x: Floats) -> Floats:
        found: Floats = x @ self.file.tensors[f"{name}.weight"].T + self.file.tensors[f"{name}.bias"]
        return found

    def _convolved(self, name: str, x: Floats) -> Floats:
        weight, bias = self.file.tensors[f"{name}.weight"], self.file.tensors[f"{name}.bias"]
        size = weight.shape[-1]
        around = np.pad(x, ((0, 0), (0, 0), (size // 2,) * 2, (size // 2,) * 2))
        windows = np.lib.stride_tricks.sliding_window_view(around, (size, size), axis=(2, 3))
        found: Floats = np.einsum("nchwij,ocij->nohw", windows, weight, optimize=True) + bias[:, None, None]
        return found


class TorchEvaluator:
    """A network in torch, with one thread."""

    def __init__(self, file: NetworkFile) -> None:
        import torch

        torch.set_num_threads(1)
        from agents.self_learning.networks import make_network

        self.file = file
        self._torch = torch
        self._network = make_network(file.network, file.shape, seed=0).eval()
        layers: Any = self._network.layers
        for name, layer in layers.items():
            layer.weight.data = torch.from_numpy(np.array(file.tensors[f"{name}.weight"]))
            layer.bias.data = torch.from_numpy(np.array(file.tensors[f"{name}.bias"]))
        # Normalisation is part of the tensors: what is left of it must change nothing.
        norms: Any = self._network.norms
        for norm in norms.values():
            norm.eps = 0.0

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions."""
        with self._torch.inference_mode():
            value, logits, margin = self._network(self._torch.from_numpy(np.ascontiguousarray(inputs, np.float32)))
            return Outputs(value.tanh().numpy(), logits.numpy(), margin.numpy())


class OnnxEvaluator:
    """A network in onnxruntime, with one thread: the fastest for networks with convolutions."""

    def __init__(self, file: NetworkFile) -> None:
        import onnxruntime

        from agents.self_learning.onnx_graph import model_of

        self.file = file
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(model_of(file), options, providers=["CPUExecutionProvider"])

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions."""
        values, logits, margins = self._session.run(None, {"inputs": np.ascontiguousarray(inputs, np.float32)})
        return Outputs(values[:, 0], logits, margins[:, 0])


class Cached:
    """An evaluator that remembers its last answers. The key is the whole input, so nothing of a state is left out.

    New weights need a new cache: it belongs to one evaluator and has no way to change it.
    """

    def __init__(self, evaluator: Evaluator, *, size: int = 20_000) -> None:
        self._evaluator, self._size = evaluator, size
        self._found: dict[bytes, int] = {}
        self._kept: Outputs | None = None
        self.asked = self.hits = 0

    @property
    def file(self) -> NetworkFile:
        """The network."""
        return self._evaluator.file

    def evaluate(self, inputs: Floats) -> Outputs:
        """The outputs for encoded positions; only those that are not known are evaluated."""
        if self._kept is None or len(self._found) + len(inputs) > self._size:
            self._clear(len(inputs))
        assert self._kept is not None
        kept, found, keys = self._kept, self._found, [row.tobytes() for row in inputs]
        new = {key: row for row, key in enumerate(keys) if key not in found}
        self.asked += len(keys)
        self.hits += len(keys) - len(new)
        if new:
            begin = len(found)
            outputs = self._evaluator.evaluate(inputs[list(new.values())])
            for name in ("values", "logits", "margins"):
                getattr(kept, name)[begin : begin + len(new)] = getattr(outputs, name)
            found.update({key: begin + index for index, key in enumerate(new)})
        return kept.rows([found[key] for key in keys])

    def _clear(self, least: int) -> None:
        size = max(self._size, least)
        self._found = {}
        logits = np.empty((size, self.file.shape.actions), np.float32)
        self._kept = Outputs(np.empty(size, np.float32), logits, np.empty(size, np.float32))


#: By the name of the setting `evaluator`.
EVALUATORS: Final[Mapping[str, Callable[[NetworkFile], Evaluator]]] = {
    "native": NativeEvaluator,
    "onnxruntime": OnnxEvaluator,
    "torch": TorchEvaluator,
    "numpy": NumpyEvaluator,
}


def make_evaluator(file: NetworkFile, kind: str = "auto", *, is_confined: bool = False) -> Evaluator:
    """An evaluator of this kind. `auto` takes the fastest that this machine has for the network.

    The import of onnxruntime breaks rules of the sandbox. So in a confined process `auto` takes it only if it is loaded
    already, as it is for an agent with `needs=onnxruntime`.
    """
    if kind != "auto":
        return EVALUATORS[kind](file)
    if file.architecture.is_perceptron and extension("agents.self_learning._forest") is not None:
        return NativeEvaluator(file)
    if is_confined and "onnxruntime" not in sys.modules:
        return NumpyEvaluator(file)
    try:
        return OnnxEvaluator(file)
    except ImportError:
        return NumpyEvaluator(file)


def _relu(x: Floats) -> Floats:
    return np.maximum(x, np.float32(0))
