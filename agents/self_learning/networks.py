"""The networks in torch, for training."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.self_learning.architecture import Architecture, Tensors
from games.encoding import Shape

if TYPE_CHECKING:
    import torch
    from torch import Tensor

__all__ = ["make_network", "tensors_of"]

#: Channels of the 1x1 convolution before the policy and before the value, and the width of the layer before the value.
_POLICY_CHANNELS: Final = 4
_VALUE_CHANNELS: Final = 2
_VALUE_WIDTH: Final = 64


def make_network(name: str, shape: Shape, *, seed: int) -> "torch.nn.Module":
    """A fresh network. Called with encoded positions, it gives value (before tanh), logits and margin (before tanh)."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _network_class()(Architecture.of(name), shape)


def tensors_of(network: Any) -> Tensors:
    """The tensors that players need, by name. Normalisation is folded into the weights of the layer before it."""
    found: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
    for name, layer in network.layers.items():
        weight, bias = layer.weight.detach().double(), layer.bias.detach().double()
        if name in network.norms:
            norm = network.norms[name]
            scale = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
            weight = weight * scale[:, None, None, None]
            bias = (bias - norm.running_mean.double()) * scale + norm.bias.double()
        found[f"{name}.weight"] = weight.detach().float().cpu().numpy()
        found[f"{name}.bias"] = bias.detach().float().cpu().numpy()
    return found


def _network_class() -> Any:
    """The class; torch is imported only when a network is made."""
    from torch import nn

    class PolicyValueNetwork(nn.Module):
        """Body and heads of an `Architecture`. `layers` holds convolutions and linear layers by name."""

        def __init__(self, architecture: Architecture, shape: Shape) -> None:
            super().__init__()
            self.architecture, self.shape = architecture, shape
            self.layers, self.norms = nn.ModuleDict(), nn.ModuleDict()
            channels, cells = shape.planes, shape.height * shape.width
            for index, width in enumerate(architecture.convolutions):
                self._convolution(f"conv{index}", channels, width)
                channels = width
            if architecture.convolutions and shape.scalars:
                self.layers["scalars"] = nn.Linear(shape.scalars, architecture.convolutions[0])
            for index in range(architecture.blocks):
                self._convolution(f"block{index}a", channels, channels)
                self._convolution(f"block{index}b", channels, channels)
            self._heads(channels, cells)
            self._initialise()

        def _heads(self, channels: int, cells: int) -> None:
            shape, architecture = self.shape, self.architecture
            policy = value = channels * cells + shape.scalars
            if not architecture.linear:
                self._convolution("policy_conv", channels, _POLICY_CHANNELS, size=1)
                self._convolution("value_conv", channels, _VALUE_CHANNELS, size=1)
                self.layers["value_hidden"] = nn.Linear(_VALUE_CHANNELS * cells + shape.scalars, _VALUE_WIDTH)
                policy, value = _POLICY_CHANNELS * cells, _VALUE_WIDTH
            for index, width in enumerate(architecture.linear):
                self.layers[f"linear{index}"] = nn.Linear(value, width)
                policy = value = width
            self.layers["value"] = nn.Linear(value, 1)
            self.layers["margin"] = nn.Linear(value, 1)
            self.layers["policy"] = nn.Linear(policy, shape.actions)

        def _convolution(self, name: str, before: int, after: int, *, size: int = 3) -> None:
            self.layers[name] = nn.Conv2d(before, after, size, padding=size // 2)
            self.norms[name] = nn.BatchNorm2d(after)

        def _initialise(self) -> None:
            # A new network knows nothing: small heads make all moves and both sides about equal.
            for name in ("value", "margin", "policy"):
                nn.init.normal_(self.layers[name].weight, std=0.01)  # type: ignore[arg-type]
                nn.init.zeros_(self.layers[name].bias)  # type: ignore[arg-type]

        def _convolved(self, name: str, x: "Tensor", extra: "Tensor | None" = None) -> "Tensor":
            y = self.norms[name](self.layers[name](x))
            return y if extra is None else y + extra

        def forward(self, inputs: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
            shape, architecture = self.shape, self.architecture
            flat = inputs
            if architecture.convolutions:
                scalars = inputs[:, inputs.shape[1] - shape.scalars :]
                x = inputs[:, : inputs.shape[1] - shape.scalars]
                x = x.reshape(-1, shape.planes, shape.height, shape.width)
                extra = self.layers["scalars"](scalars)[:, :, None, None] if shape.scalars else None
                for index in range(len(architecture.convolutions)):
                    x = self._convolved(f"conv{index}", x, extra if index == 0 else None).relu()
                for index in range(architecture.blocks):
                    y = self._convolved(f"block{index}a", x).relu()
                    x = self._convolved(f"block{index}b", y, x).relu()
                if not architecture.linear:
                    return self._after_blocks(x, scalars)
                import torch

                flat = torch.cat([x.flatten(1), scalars], dim=1)
            for index in range(len(architecture.linear)):
                flat = self.layers[f"linear{index}"](flat).relu()
            return self._outputs(flat, flat)

        def _after_blocks(self, x: "Tensor", scalars: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
            import torch

            policy = self._convolved("policy_conv", x).relu().flatten(1)
            value = self._convolved("value_conv", x).relu().flatten(1)
            return self._outputs(self.layers["value_hidden"](torch.cat([value, scalars], dim=1)).relu(), policy)

        def _outputs(self, value: "Tensor", policy: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
            layers = self.layers
            return layers["value"](value)[:, 0], layers["policy"](policy), layers["margin"](value)[:, 0]

    return PolicyValueNetwork
