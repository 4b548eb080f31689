"""The weights of a learned value as a small file of whole numbers, and the value that they give.

The native search reads the same file and finds the same values; this module is their specification. It needs no
library, so that a trained agent plays everywhere.
"""

import struct
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from games.errors import ArenaError

__all__ = ["FIRST_SCALE", "OUTPUT_SCALE", "SECOND_SCALE", "VALUE_SCALE", "BadWeights", "ValueWeights"]

#: Whole numbers stand for real ones: a weight of 1 is stored as this.
FIRST_SCALE: Final = 508
SECOND_SCALE: Final = 64
OUTPUT_SCALE: Final = 256
#: A value of this stands for a logit of 1.
VALUE_SCALE: Final = 1000
#: The first layer ends in numbers from 0 to 127, which stand for 0 to 1; the second in numbers up to 32767.
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
    """A file that does not hold the weights of a learned value, or not those for this game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWeights:
    """Three layers: features → first → second → one number, all in whole numbers."""

    game: str
    first: "array[int]"  # by feature, then by unit
    first_bias: "array[int]"
    second: "array[int]"  # by unit, then by unit of the first layer
    second_bias: "array[int]"
    output: "array[int]"
    output_bias: int

    @property
    def features(self) -> int:
        """The number of features that the weights are for."""
        return len(self.first) // len(self.first_bias)

    def to_bytes(self) -> bytes:
        """The file: its head, then the layers one after the other, lowest byte first."""
        head = _HEAD.pack(
            _MAGIC, _VERSION, self.game.encode("ascii"), self.features, len(self.first_bias), len(self.second_bias),
            FIRST_SCALE, SECOND_SCALE, OUTPUT_SCALE,
        )  # fmt: skip
        layers = (self.first, self.first_bias, self.second, self.second_bias, self.output)
        body = b"".join(_lowest_byte_first(layer).tobytes() for layer in layers)
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
        sizes = (("h", features * units), ("h", units), ("b", hidden * units), ("i", hidden), ("h", hidden), ("i", 1))
        first, first_bias, second, second_bias, output, output_bias = _split(data[_HEAD.size :], sizes)
        if max(map(abs, output)) > _MOST_OUTPUT_WEIGHT or max(map(abs, second_bias)) > _MOST_BIAS:
            raise BadWeights("the file of weights has numbers out of range")
        return cls(
            game=game.partition(b"\0")[0].decode("ascii", "replace"), first=first, first_bias=first_bias,
            second=second, second_bias=second_bias, output=output, output_bias=output_bias[0],
        )  # fmt: skip

    def value(self, active: Iterable[int]) -> int:
        """The value of a position with these active features for the side to move, in thousandths of a logit."""
        units = len(self.first_bias)
        sums = list(self.first_bias)
        for feature in active:
            row = self.first[feature * units : (feature + 1) * units]
            sums = [one + other for one, other in zip(sums, row, strict=True)]
        inputs = [min(max(_wrapped(number), 0), FIRST_SCALE) >> _INPUT_SHIFT for number in sums]
        total = self.output_bias
        for unit, (bias, weight) in enumerate(zip(self.second_bias, self.output, strict=True)):
            row = self.second[unit * units : (unit + 1) * units]
            number = bias + sum(one * other for one, other in zip(inputs, row, strict=True))
            total += weight * min(max(number >> _HIDDEN_SHIFT, 0), _MOST_HIDDEN)
        value = min(abs(total) * VALUE_SCALE // (_HIDDEN_SCALE * OUTPUT_SCALE), _MOST_VALUE)
        return value if total > 0 else -value


def _fits(size: int, step: int, most: int) -> bool:
    return 0 < size <= most and size % step == 0


def _wrapped(number: int) -> int:
    """The number as 16 bits hold it; only weights that no learner makes leave them."""
    return (number + 2**15) % 2**16 - 2**15


def _lowest_byte_first(layer: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        layer = layer[:]
        layer.byteswap()
    return layer


def _split(body: bytes, sizes: Iterable[tuple[str, int]]) -> "list[array[int]]":
    layers, at = [], 0
    for kind, size in sizes:
        layer = array(kind)
        end = at + layer.itemsize * size
        if end > len(body):
            raise BadWeights("the file of weights is too short")
        layer.frombytes(body[at:end])
        layers.append(_lowest_byte_first(layer))
        at = end
    if at != len(body):
        raise BadWeights("the file of weights is too long")
    return layers
