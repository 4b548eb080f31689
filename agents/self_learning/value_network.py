"""The net of the learner `learned_alphabeta` in torch, and its rounding to whole numbers."""

from array import array
from typing import Final

import torch
from torch import Tensor, nn

from agents.self_learning.value_weights import FIRST_SCALE, OUTPUT_SCALE, SECOND_SCALE, ValueWeights

__all__ = ["ValueNetwork"]

#: The greatest weights that the whole numbers of a file can stand for. The net is trained with them, so that rounding
#: does not cut anything off.
_MOST_FIRST: Final = 2.0
_MOST_SECOND: Final = 127 / SECOND_SCALE
_MOST_OUTPUT: Final = 1000 / OUTPUT_SCALE


class ValueNetwork(nn.Module):
    """Features → `first` units from 0 to 1 → `second` units from 0 up → the logit of a win and the final margin."""

    def __init__(self, features: int, first: int, second: int, *, seed: int) -> None:
        super().__init__()
        dice = torch.Generator().manual_seed(seed)
        # One more row, which stays 0, for the unused places of a sample.
        self.first = nn.EmbeddingBag(features + 1, first, mode="sum", padding_idx=features)
        self.first_bias = nn.Parameter(torch.full((first,), 0.3))
        self.second = nn.Linear(first, second)
        self.outputs = nn.Linear(second, 2)
        with torch.no_grad():
            self.first.weight.normal_(0.0, 0.12, generator=dice)
            self.first.weight[features] = 0.0
            self.second.weight.uniform_(-(first**-0.5), first**-0.5, generator=dice)
            self.second.bias.zero_()
            # A net that knows nothing: every position is worth the same.
            self.outputs.weight.zero_()
            self.outputs.bias.zero_()

    def forward(self, active: Tensor) -> tuple[Tensor, Tensor]:
        """The logit and the margin for lists of active features; a list is filled up with the number of features."""
        first = self.first.weight.clamp(-_MOST_FIRST, _MOST_FIRST)
        sums = nn.functional.embedding_bag(active, first, mode="sum", padding_idx=self.first.padding_idx)
        inputs = (sums + self.first_bias.clamp(-_MOST_FIRST, _MOST_FIRST)).clamp(0.0, 1.0)
        second = self.second.weight.clamp(-_MOST_SECOND, _MOST_SECOND)
        hidden = torch.relu(nn.functional.linear(inputs, second, self.second.bias))
        outputs = self.outputs.weight.clamp(-_MOST_OUTPUT, _MOST_OUTPUT)
        found = nn.functional.linear(hidden, outputs, self.outputs.bias)
        return found[:, 0], found[:, 1]

    def rounded(self, game: str) -> ValueWeights:
        """The part that players need, in whole numbers."""
        features = self.first.num_embeddings - 1
        hidden_scale = 127 * SECOND_SCALE
        return ValueWeights(
            game=game,
            first=_whole("h", self.first.weight[:features].clamp(-_MOST_FIRST, _MOST_FIRST), FIRST_SCALE),
            first_bias=_whole("h", self.first_bias.clamp(-_MOST_FIRST, _MOST_FIRST), FIRST_SCALE),
            second=_whole("b", self.second.weight.clamp(-_MOST_SECOND, _MOST_SECOND), SECOND_SCALE),
            second_bias=_whole("i", self.second.bias, hidden_scale),
            output=_whole("h", self.outputs.weight[0].clamp(-_MOST_OUTPUT, _MOST_OUTPUT), OUTPUT_SCALE),
            output_bias=_whole("i", self.outputs.bias[:1], hidden_scale // 8 * OUTPUT_SCALE)[0],
        )


def _whole(kind: str, numbers: Tensor, scale: int) -> "array[int]":
    rounded = (numbers.detach().double().cpu() * scale).round().long()
    return array(kind, rounded.flatten().tolist())
