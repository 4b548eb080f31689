"""The seam between the pipeline and what it trains: a learner knows a game, a net and a search."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from agents.self_learning.errors import BadRecipe
from agents.self_learning.settings import Settings, did_you_mean

if TYPE_CHECKING:
    import torch

__all__ = ["LEARNERS", "Chunk", "Learner", "Rows", "learner_class", "make_learner"]

#: Samples: an array of the learner's structured dtype.
Rows = NDArray[np.void]

#: The learners that come with the arena: name to module and class. Others are named as `package.module:Class`.
LEARNERS: Final[Mapping[str, str]] = {
    "learned_alphabeta": "agents.self_learning.value_learner:ValueLearner",
    "self_learning": "agents.self_learning.policy_learner:PolicyLearner",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What one task of self-play gave: samples, and what they cost.

    `seconds` is CPU time by stage (select, encode, net, expand, backup …). `examples` are a few whole games, each as
    the texts of its moves. `starts` are the texts of their start positions, for games whose start is drawn at random;
    empty if all begin at the game's own start.
    """

    rows: Rows
    games: int
    positions: int
    nodes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    examples: tuple[tuple[str, ...], ...] = ()
    starts: tuple[str, ...] = ()


@runtime_checkable
class Learner(Protocol):
    """One learner for one game with one set of settings; made by `make_learner`.

    `play` is a pure function: the same weights, seed and settings give the same rows to the bit, in any process. So a
    chunk that was lost is simply played again, and the number of workers does not change the result.
    """

    #: The settings of this learner, beside those of every run.
    settings_class: ClassVar[type[Settings]]
    #: The dtype of one sample. Its size is fixed: policies are stored sparsely.
    row: np.dtype[np.void]

    def __init__(self, game: str, settings: Settings) -> None: ...

    def network(self, seed: int) -> "torch.nn.Module":
        """A fresh net that knows nothing."""
        ...

    def loss(self, network: "torch.nn.Module", rows: Rows) -> "tuple[torch.Tensor, dict[str, float]]":
        """The loss to minimise, averaged over the rows, and its named parts."""
        ...

    def augment(self, rows: Rows, rng: np.random.Generator) -> Rows:
        """The rows under random symmetries of the game; returning them unchanged is allowed."""
        ...

    def weights(self, network: "torch.nn.Module") -> bytes:
        """What players need of the net: a small file that describes itself. No pickle."""
        ...

    def play(self, weights: bytes, *, generation: int, seed: int, settings: Settings) -> Chunk:
        """One chunk of self-play."""
        ...

    def agent(self) -> str:
        """The source of `agent.py` in an exported folder; its class reads `weights.bin` beside it.

        It may import `agents`, `games` and numpy, but not torch.
        """
        ...


def learner_class(name: str) -> type[Learner]:
    """The class of a learner; `BadRecipe` if there is none of this name."""
    place = LEARNERS.get(name, name)
    module, colon, attribute = place.partition(":")
    if not colon:
        raise BadRecipe(f"unknown learner {name!r}; {did_you_mean(name, LEARNERS, otherwise='learners are')}")
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise BadRecipe(f"learner {name!r} cannot be loaded: {error}") from error
    return cast(type[Learner], found)


def make_learner(name: str, game: str, settings: Settings) -> Learner:
    """The learner of this name for a game; `settings` is an object of its `settings_class`."""
    return learner_class(name)(game, settings)
