"""The weights of a learned value as a small file of whole numbers, and the value that they give.

The native search reads the same file and finds the same values; this module is their specification.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from games.errors import ArenaError

__all__ = [
    "FIRST_SCALE", "OUTPUT_SCALE", "SECOND_SCALE", "VALUE_SCALE", "BadWeights", "ValueWeights",
]  # fmt: skip

#: Whole numbers stand for real ones: a weight of 1 is stored as this.
FIRST_SCALE: Final = 508
SECOND_SCALE: Final = 64
OUTPUT_SCALE: Final = 256
#: A value of this stands for a logit of 1.
VALUE_SCALE: Final = 1000
#: The first layer ends in numbers from 0 to 127, which stand for 0 to 1.
_INPUT_SHIFT: Final = 2
_MOST_INPUT: Final = 127
_HIDDEN_SHIFT: Final = 3
_HIDDEN_SCALE: Final = _MOST_INPUT * SECOND_SCALE >> _HIDDEN_SHIFT
_MOST_HIDDEN: Final = 32767
_MOST_VALUE: Final = 100_000
#: So that no sum of the last layer leaves 32 bits.
_MOST_OUTPUT_WEIGHT: Final = 1000
_MOST_BIAS: Final = 2**30

_MAGIC: Final = b"arenaval"
_VERSION: Final = 1
_HEAD: Final = struct.Struct("<8sI16sIIIiii")


class BadWeights(ArenaError):
    """A file that does not hold the weights of a learned value."""


@dataclass(frozen=True, slots=True)
class ValueWeights:
    """Three layers: features → `first` → `second` → one number, all in whole numbers."""

    game: str
    first: NDArray[np.int16]  # by feature, then by unit
    first_bias: NDArray[np.int16]
    second: NDArray[np.int8]  # by unit, then by unit of the first layer
    second_bias: NDArray[np.int32]
    output: NDArray[np.int16]
    output_bias: int

    @property
    def features(self) -> int:
        """The number of features that the weights are for."""
        return len(self.first)

    def to_bytes(self) -> bytes:
        """The file: its head, then the layers one after the other, lowest byte first."""
        units, hidden = len(self.first_bias), len(self.second_bias)
        head = _HEAD.pack(
            _MAGIC, _VERSION, self.game.encode("ascii"), self.features, units, hidden,
            FIRST_SCALE, SECOND_SCALE, OUTPUT_SCALE,
        )  # fmt: skip
        layers = (self.first, self.first_bias, self.second, self.second_bias, self.output)
        body = b"".join(layer.astype(layer.dtype.newbyteorder("<")).tobytes() for layer in layers)
        return head + body + struct.pack("<i", self.output_bias)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The weights in a file. Raises `BadWeights` unless the bytes are exactly one file."""
        if data[: len(_MAGIC)] != _MAGIC:
            raise BadWeights("not a file of weights of a learned value")
        if len(data) < _HEAD.size:
            raise BadWeights("the file of weights is too short")
        _, version, game, features, units, hidden, *scales = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise BadWeights(f"the file of weights has the unknown version {version}")
        if not (1 <= features <= 65535 and _fits(units, 32, 1024) and _fits(hidden, 8, 64)):
            raise BadWeights(f"the file of weights has layers of impossible sizes: {features}, {units}, {hidden}")
        if tuple(scales) != (FIRST_SCALE, SECOND_SCALE, OUTPUT_SCALE):
            raise BadWeights("the file of weights has unknown scales")
        types = (("<i2", features * units), ("<i2", units), ("<i1", hidden * units), ("<i4", hidden), ("<i2", hidden))
        first, first_bias, second, second_bias, output, output_bias = _split(data[_HEAD.size :], (*types, ("<i4", 1)))
        if np.abs(output.astype(np.int64)).max() > _MOST_OUTPUT_WEIGHT or np.abs(second_bias.astype(np.int64)).max() > _MOST_BIAS:
            raise BadWeights("the file of weights has numbers out of range")
        name = game.rstrip(b"\0").decode("ascii", "replace")
        return cls(
            name, first.reshape(features, units), first_bias, second.reshape(hidden, units), second_bias, output,
            int(output_bias[0]),
        )  # fmt: skip

    def value(self, active: Iterable[int]) -> int:
        """The value of a position with these active features for the side to move, in thousandths of a logit."""
        sums = self.first_bias.copy()
        for feature in active:
            sums += self.first[feature]
        inputs = np.clip(sums.astype(np.int32), 0, FIRST_SCALE) >> _INPUT_SHIFT
        hidden = self.second.astype(np.int32) @ inputs + self.second_bias
        hidden = np.clip(hidden >> _HIDDEN_SHIFT, 0, _MOST_HIDDEN)
        total = int(hidden @ self.output.astype(np.int32)) + self.output_bias
        value = abs(total) * VALUE_SCALE // (_HIDDEN_SCALE * OUTPUT_SCALE)
        return min(value, _MOST_VALUE) * (1 if total > 0 else -1)


def _fits(size: int, step: int, most: int) -> bool:
    return 0 < size <= most and size % step == 0


def _split(body: bytes, types: Iterable[tuple[str, int]]) -> list[NDArray[np.signedinteger[np.typing.NBitBase]]]:
    layers, at = [], 0
    for kind, size in types:
        end = at + np.dtype(kind).itemsize * size
        if end > len(body):
            raise BadWeights("the file of weights is too short")
        layers.append(np.frombuffer(body[at:end], kind))
        at = end
    if at != len(body):
        raise BadWeights("the file of weights is too long")
    return layers
