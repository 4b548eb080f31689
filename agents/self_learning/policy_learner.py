"""The learner `self_learning`: a network for policy and value learns from its own games, which it plays with PUCT."""

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

import games
from agents.self_learning.architecture import Architecture, NetworkFile
from agents.self_learning.export import agent_source
from agents.self_learning.learner import Chunk, Rows
from agents.self_learning.policy_settings import PolicySettings
from agents.self_learning.rows import NO_MOVE, pack_inputs, policy_of, row_type, unpack_inputs
from agents.self_learning.self_play import play_chunk, policy_width
from agents.self_learning.settings import Settings
from games import encoding
from games.encoding import Shape

if TYPE_CHECKING:
    import torch

__all__ = ["PolicyLearner"]

#: The margin that counts as much: tanh(1) = 0.76 of the greatest. None where nothing is counted at the end.
_MARGINS: Final = {"microchess": 6.0, "othello": 16.0, "mushroom": 20.0, "go": 10.0}


class PolicyLearner:
    """Learns value, policy and final margin of one game."""

    settings_class: ClassVar[type[Settings]] = PolicySettings

    def __init__(self, game: str, settings: Settings) -> None:
        assert isinstance(settings, PolicySettings)
        Architecture.of(settings.network)  # a wrong name fails here, before the first game
        self.settings = settings
        self.game_text = game
        self.game = games.load(game)
        self.encoding = encoding.of(self.game)
        code = self.encoding
        self.shape = Shape(code.planes, code.height, code.width, code.scalars, code.actions)
        self.row = row_type(self.shape, policy_width(self.game, self.shape.actions, settings))
        self._symmetries = list(code.symmetries())[1:]

    def network(self, seed: int) -> "torch.nn.Module":
        """A fresh network that knows nothing."""
        from agents.self_learning.networks import make_network

        return make_network(self.settings.network, self.shape, seed=seed)

    def loss(self, network: "torch.nn.Module", rows: Rows) -> "tuple[torch.Tensor, dict[str, float]]":
        """The loss to minimise, and its parts policy, value and margin, each averaged over the rows by weight."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

        settings = self.settings
        device = next(network.parameters()).device

        def tensor(array: Any) -> torch.Tensor:
            # A copy: to numpy a field of a single row is contiguous, whatever its strides are; torch refuses them.
            return torch.from_numpy(np.array(array, order="C")).to(device)

        value, logits, margin = network(tensor(unpack_inputs(rows, self.shape)))
        weight = tensor(rows["weight"])
        target = settings.result_share * rows["result"] + (1 - settings.result_share) * rows["root"]
        # The value is tanh(x), so (1 + value) / 2 is the logistic function of 2 x.
        each_value = cross_entropy(2 * value, tensor((1 + target) / 2).to(value.dtype), reduction="none")
        each_policy = policy_loss(logits, *map(tensor, policy_of(rows)))
        full = weight * tensor(rows["full"])
        parts = {
            "policy": (full * each_policy).sum() / full.sum().clamp(min=1),
            "value": (weight * each_value).sum() / weight.sum(),
        }
        if scale := _MARGINS.get(self.game.name):
            wanted = torch.tanh(tensor(rows["margin"]) / scale)
            parts["margin"] = (weight * (torch.tanh(margin) - wanted) ** 2).sum() / weight.sum()
        factors = {"policy": settings.policy_weight, "value": settings.value_weight, "margin": settings.margin_weight}
        total = torch.stack([factors[name] * part for name, part in parts.items()]).sum()
        return total, {name: float(part.detach()) for name, part in parts.items()}

    def augment(self, rows: Rows, rng: np.random.Generator) -> Rows:
        """The rows under random symmetries, the moves of their policies too."""
        if not self.settings.augment or not self._symmetries:
            return rows
        turned = rows.copy()
        inputs = unpack_inputs(rows, self.shape)
        chosen = rng.integers(len(self._symmetries) + 1, size=len(rows))
        for index, symmetry in enumerate(self._symmetries, start=1):
            which = np.flatnonzero((chosen == index) & symmetry.holds(inputs))
            inputs[which] = symmetry.transform(inputs[which])
            moves = rows["moves"][which]
            used = moves != NO_MOVE
            moves[used] = symmetry.actions[moves[used]]
            turned["moves"][which] = moves
        pack_inputs(inputs, turned, self.shape)
        return turned

    def weights(self, network: "torch.nn.Module") -> bytes:
        """The network as a file for players."""
        from agents.self_learning.networks import tensors_of

        return NetworkFile(self.game_text, self.settings.network, self.shape, tensors_of(network)).to_bytes()

    def play(self, weights: bytes, *, generation: int, seed: int, settings: Settings) -> Chunk:
        """One chunk of self-play: a pure function of its arguments."""
        assert isinstance(settings, PolicySettings)
        file = NetworkFile.from_bytes(weights)
        return play_chunk(self.game, file, settings, generation=generation, seed=seed)

    def agent(self) -> str:
        """The source of the agent in an exported folder."""
        about = f"An agent for {self.game.name} that learned from its own games."
        return agent_source("agents.self_learning.agent", "SelfLearningAgent", about=about)


def policy_loss(
    logits: "torch.Tensor", actions: "torch.Tensor", used: "torch.Tensor", shares: "torch.Tensor"
) -> "torch.Tensor":
    """The cross entropy of each row, summed over its legal moves. Other actions have no part in it.

    Places that are not used get a very small logit and a logarithm of 0: the product of a share of 0 and a logarithm of
    minus infinity would be no number.
    """
    legal = logits.gather(1, actions).masked_fill(~used, -1e9)
    logarithms = legal.log_softmax(dim=1).masked_fill(~used, 0.0)
    return -(shares * logarithms).sum(dim=1)
