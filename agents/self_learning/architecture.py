"""Networks by name, and their files: what a network looks like, and the tensors that players need. No torch here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from agents.self_learning.arrays import Damaged, pack, unpack
from agents.self_learning.errors import BadRecipe
from games.encoding import Shape

__all__ = ["Architecture", "NetworkFile", "Tensors"]

#: The tensors of a network by name.
Tensors = Mapping[str, NDArray[np.float32]]

_KIND: Final = "policy and value"
_NAMES: Final = "mlp-256-128, 2x32 (blocks x channels), C64r6L1024r, L1024r, gomoku"
#: Other names of networks that earlier platforms used.
_ALIASES: Final = {"gomoku": "10x128"}


@dataclass(frozen=True, slots=True)
class Architecture:
    """The body of a network: plain convolutions, residual blocks, fully connected layers; any of them may be absent.

    Convolutions are 3x3 and keep the size of the board; a rectifier (ReLU) follows every layer. The heads for value,
    policy and final margin come after the body.
    """

    #: The channels of each plain convolution. With residual blocks the first one leads into them.
    convolutions: tuple[int, ...]
    blocks: int
    #: The widths of the fully connected layers.
    linear: tuple[int, ...]

    @classmethod
    def of(cls, name: str) -> Self:
        """The architecture with this name; `BadRecipe` if the name means nothing.

        >>> Architecture.of("mlp-256-128")
        Architecture(convolutions=(), blocks=0, linear=(256, 128))
        >>> Architecture.of("C64r6L1024r")
        Architecture(convolutions=(64, 64, 64, 64, 64, 64), blocks=0, linear=(1024,))
        """
        text = _ALIASES.get(name, name)
        if re.fullmatch(r"mlp(-[1-9][0-9]{0,3})+", text):
            return cls((), 0, tuple(map(int, text.split("-")[1:])))
        if found := re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]{0,2})", text):
            return cls((int(found[2]),), int(found[1]), ())
        if found := re.fullmatch(r"(?:C([1-9][0-9]{0,2})r([1-9][0-9]?))?L([1-9][0-9]{0,3})r", text):
            convolutions = (int(found[1]),) * int(found[2]) if found[1] else ()
            return cls(convolutions, 0, (int(found[3]),))
        raise BadRecipe(f"unknown network {name!r}; networks are named like {_NAMES}")

    @property
    def is_perceptron(self) -> bool:
        """Whether there are fully connected layers only; such a network is evaluated natively."""
        return not self.convolutions and not self.blocks


@dataclass(frozen=True, slots=True)
class NetworkFile:
    """A network as players use it: name, sizes of inputs and outputs, tensors. Normalisation is folded into them."""

    game: str
    network: str
    shape: Shape
    tensors: Tensors

    @property
    def architecture(self) -> Architecture:
        """What the network looks like."""
        return Architecture.of(self.network)

    def to_bytes(self, *, half: bool = False) -> bytes:
        """The content of a file; with `half`, numbers have 16 bits, which halves its size and rounds the weights."""
        header = {"kind": _KIND, "game": self.game, "network": self.network, "shape": list(self.shape)}
        return pack(header, {name: each.astype("<f2" if half else "<f4") for name, each in self.tensors.items()})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The network in these bytes; raises `ValueError` if there is none."""
        found = unpack(data)
        if found.header.get("kind") != _KIND:
            raise Damaged("these are not the weights of a network for policy and value")
        tensors: dict[str, Any] = {name: each.astype(np.float32) for name, each in found.arrays.items()}
        header = found.header
        return cls(header["game"], header["network"], Shape(*header["shape"]), tensors)
