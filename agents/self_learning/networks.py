"""The networks in torch, for training. This module imports torch, so it is imported only where a network is made."""

from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from agents.self_learning.architecture import Architecture, Tensors
from games.encoding import Shape

__all__ = ["PolicyValueNetwork", "make_network", "tensors_of"]

#: Channels of the 1x1 convolution before the policy and before the value, and the width of the layer before the value.
_POLICY_CHANNELS: Final = 4
_VALUE_CHANNELS: Final = 2
_VALUE_WIDTH: Final = 64


def make_network(name: str, shape: Shape, *, seed: int) -> "PolicyValueNetwork":
    """A fresh network; the same seed gives the same weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return PolicyValueNetwork(Architecture.of(name), shape)


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


class PolicyValueNetwork(nn.Module):
    """Body and heads of an `Architecture`. `layers` holds convolutions and linear layers by name.

    Called with encoded positions, it gives their value and margin, both before tanh, and the logits of all actions.
    """

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        super().__init__()
        self.architecture, self.shape = architecture, shape
        self.layers, self.norms = nn.ModuleDict(), nn.ModuleDict()
        channels = shape.planes
        for index, width in enumerate(architecture.convolutions):
            self._add_convolution(f"conv{index}", channels, width)
            channels = width
        if architecture.convolutions and shape.scalars:
            self.layers["scalars"] = nn.Linear(shape.scalars, architecture.convolutions[0])
        for index in range(architecture.blocks):
            self._add_convolution(f"block{index}a", channels, channels)
            self._add_convolution(f"block{index}b", channels, channels)
        self._add_heads(channels, shape.height * shape.width)

    def _add_convolution(self, name: str, before: int, after: int, *, size: int = 3) -> None:
        self.layers[name] = nn.Conv2d(before, after, size, padding=size // 2)
        self.norms[name] = nn.BatchNorm2d(after)

    def _add_heads(self, channels: int, cells: int) -> None:
        shape = self.shape
        policy = value = channels * cells + shape.scalars
        if not self.architecture.linear:
            self._add_convolution("policy_conv", channels, _POLICY_CHANNELS, size=1)
            self._add_convolution("value_conv", channels, _VALUE_CHANNELS, size=1)
            self.layers["value_hidden"] = nn.Linear(_VALUE_CHANNELS * cells + shape.scalars, _VALUE_WIDTH)
            policy, value = _POLICY_CHANNELS * cells, _VALUE_WIDTH
        for index, width in enumerate(self.architecture.linear):
            self.layers[f"linear{index}"] = nn.Linear(value, width)
            policy = value = width
        for name, before, outputs in (("value", value, 1), ("margin", value, 1), ("policy", policy, shape.actions)):
            head = nn.Linear(before, outputs)
            # A new network knows nothing: small weights make all moves and both sides about equal.
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
            self.layers[name] = head

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Value and logits and margin of encoded positions, one in each row."""
        flat = inputs
        if self.architecture.convolutions:
            cells = inputs.shape[1] - self.shape.scalars
            scalars = inputs[:, cells:]
            x = self._convolutions(inputs[:, :cells], scalars)
            if not self.architecture.linear:
                policy = self._convolved("policy_conv", x).relu().flatten(1)
                value = self._convolved("value_conv", x).relu().flatten(1)
                hidden = self.layers["value_hidden"](torch.cat([value, scalars], dim=1)).relu()
                return self._outputs(hidden, policy)
            flat = torch.cat([x.flatten(1), scalars], dim=1)
        for index in range(len(self.architecture.linear)):
            flat = self.layers[f"linear{index}"](flat).relu()
        return self._outputs(flat, flat)

    def _convolutions(self, planes: Tensor, scalars: Tensor) -> Tensor:
        shape = self.shape
        x = planes.reshape(-1, shape.planes, shape.height, shape.width)
        extra = self.layers["scalars"](scalars)[:, :, None, None] if shape.scalars else 0
        for index in range(len(self.architecture.convolutions)):
            x = (self._convolved(f"conv{index}", x) + (extra if index == 0 else 0)).relu()
        for index in range(self.architecture.blocks):
            y = self._convolved(f"block{index}a", x).relu()
            x = (self._convolved(f"block{index}b", y) + x).relu()
        return x

    def _convolved(self, name: str, x: Tensor) -> Tensor:
        found: Tensor = self.norms[name](self.layers[name](x))
        return found

    def _outputs(self, value: Tensor, policy: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        layers = self.layers
        return layers["value"](value)[:, 0], layers["policy"](policy), layers["margin"](value)[:, 0]
