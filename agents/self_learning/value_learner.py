"""The learner `learned_alphabeta`: a value of positions, learned from games of alpha-beta against itself."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, cast

import numpy as np
from numpy.typing import NDArray

import games
from agents.self_learning.errors import BadRecipe, TrainingError
from agents.self_learning.learned_alphabeta import native_game
from agents.self_learning.learner import Chunk, Rows
from agents.self_learning.settings import Settings, setting
from agents.self_learning.value_features import feature_set
from agents.self_learning.value_weights import VALUE_SCALE

if TYPE_CHECKING:
    import torch

    from agents.self_learning.value_network import ValueNetwork

__all__ = ["ValueLearner", "ValueSettings", "row_type"]

_NO_NATIVE: Final = (
    "self-play needs the native module agents.self_learning._value; install a C++ compiler and build again: "
    "pip install -e ."
)
_AGENT: Final = '''"""Alpha-beta with a value that it learned from its own games."""

from pathlib import Path

from agents.self_learning.learned_alphabeta import LearnedAlphaBetaAgent


class Learned(LearnedAlphaBetaAgent):
    """Plays with the weights beside this file."""

    exported = Path(__file__).with_name("weights.bin")
'''


@dataclass(frozen=True, kw_only=True)
class ValueSettings(Settings):
    """The settings of self-play, of the labels and of the net."""

    games: int = setting(400, "Games in a chunk of self-play.", live=True, least=1)
    least_nodes: int = setting(100, "Least nodes of a search in self-play.", live=True, least=1)
    most_nodes: int = setting(400, "Most nodes of a search in self-play; the number is drawn for each move.", live=True,
                              least=1, most=10**9)  # fmt: skip
    least_opening: int = setting(1, "Least random turns at the start of a game.", live=True, least=0)
    most_opening: int = setting(8, "Most random turns at the start of a game.", live=True, least=0)
    random_turns: int = setting(24, "Up to this turn a move may be random.", live=True, least=0)
    random_share: float = setting(0.08, "Share of random moves up to that turn.", live=True, least=0, most=0.99)
    result_share: float = setting(
        0.7, "Share of the result of the game in the label of a position; the rest is the score of the search. Before "
        "the last random move of a game only the score counts.", live=True, least=0, most=1,
    )  # fmt: skip
    margin_share: float = setting(0.15, "Weight of the loss of the final margin.", live=True, least=0)
    margin_scale: float = setting(6.0, "A final margin of this counts as a clear one.", least=0.1)
    first: int = setting(128, "Units of the first layer, a multiple of 32.", least=32, most=1024)
    second: int = setting(32, "Units of the second layer, a multiple of 8.", least=8, most=64)
    examples: int = setting(1, "Games of a chunk that are kept as texts.", live=True, least=0)


def row_type(most_active: int) -> "np.dtype[np.void]":
    """The dtype of a sample: active features, filled up with the number of features, and labels of the side to move."""
    return np.dtype(
        [
            ("features", "<u2", (most_active,)),
            ("score", "<i2"),  # of the search, in thousandths of a logit; 30,000 if it saw the end
            ("result", "i1"),  # 1 won, 0 drawn, -1 lost
            ("margin", "i1"),
            ("settled", "u1"),  # 1 if no random move follows
            ("turn", "u1"),
        ]
    )


class ValueLearner:
    """Learns the value of positions of chess, microchess, Othello or Gomoku for alpha-beta."""

    settings_class: ClassVar[type[Settings]] = ValueSettings

    def __init__(self, game: str, settings: Settings) -> None:
        if not isinstance(settings, ValueSettings):
            raise BadRecipe(f"settings of the learner learned_alphabeta are needed, not {type(settings).__name__}")
        if settings.first % 32 or settings.second % 8:
            raise BadRecipe("first must be a multiple of 32, and second a multiple of 8")
        if settings.least_nodes > settings.most_nodes or settings.least_opening > settings.most_opening:
            raise BadRecipe("the least number of nodes or random turns is greater than the most")
        self.settings = settings
        self.start = games.load(game).start()
        found = feature_set(self.start)
        if found is None:
            raise BadRecipe(f"learned_alphabeta plays chess, microchess, othello and gomoku, not {game}")
        self.features = found
        self.row = row_type(found.most_active)
        self._symmetries = np.array(found.symmetries, dtype=np.uint16)

    def network(self, seed: int) -> "torch.nn.Module":
        """A fresh net; every position is worth the same."""
        from agents.self_learning.value_network import ValueNetwork

        return ValueNetwork(self.features.size, self.settings.first, self.settings.second, seed=seed)

    def loss(self, network: "torch.nn.Module", rows: Rows) -> "tuple[torch.Tensor, dict[str, float]]":
        """Cross entropy of the expected result, and the squared error of the final margin."""
        import torch
        from torch.nn import functional

        device = next(network.parameters()).device
        active = torch.from_numpy(rows["features"].astype(np.int32)).to(device)
        logit, margin = network(active)
        expected = torch.from_numpy(self._expected(rows)).to(device)
        wanted = torch.from_numpy(np.tanh(rows["margin"] / np.float32(self.settings.margin_scale))).to(device)
        value_loss = functional.binary_cross_entropy_with_logits(logit, expected)
        margin_loss = functional.mse_loss(margin, wanted)
        total = value_loss + self.settings.margin_share * margin_loss
        return total, {"value": float(value_loss.detach()), "margin": float(margin_loss.detach())}

    def _expected(self, rows: Rows) -> NDArray[np.float32]:
        """The labels: what the side to move may expect, from 0 to 1."""
        score = 1 / (1 + np.exp(-rows["score"].astype(np.float32) / VALUE_SCALE))
        result = (1 + rows["result"].astype(np.float32)) / 2
        share = np.where(rows["settled"] == 1, np.float32(self.settings.result_share), np.float32(0))
        expected: NDArray[np.float32] = (share * result + (1 - share) * score).astype(np.float32)
        return expected

    def augment(self, rows: Rows, rng: np.random.Generator) -> Rows:
        """The rows under random symmetries of the board, where there are any."""
        tables = self._symmetries
        if len(tables) == 1:
            return rows
        turned = rows.copy()
        drawn = rng.integers(len(tables), size=len(rows))
        turned["features"] = tables[drawn[:, None], rows["features"]]
        return turned

    def weights(self, network: "torch.nn.Module") -> bytes:
        """The net in whole numbers, as the native search reads it."""
        return cast("ValueNetwork", network).rounded(self.features.game).to_bytes()

    def play(self, weights: bytes, *, generation: int, seed: int, settings: Settings) -> Chunk:  # noqa: ARG002
        """Some games of the native alpha-beta with these weights against itself."""
        wanted = cast(ValueSettings, settings)
        game = native_game(self.start, weights)
        if game is None:
            raise TrainingError(_NO_NATIVE)
        began = time.process_time()
        data, _rows, nodes, turns, examples = game.native.play(
            seed=seed, games=wanted.games, least_nodes=wanted.least_nodes, most_nodes=wanted.most_nodes,
            least_opening=wanted.least_opening, most_opening=wanted.most_opening, random_turns=wanted.random_turns,
            random_share=wanted.random_share, examples=min(wanted.examples, wanted.games),
        )  # fmt: skip
        rows = np.frombuffer(data, self.row)
        return Chunk(
            rows=rows, games=wanted.games, positions=turns, nodes=nodes,
            seconds={"search": time.process_time() - began}, examples=examples,
        )  # fmt: skip

    def agent(self) -> str:
        """The source of an agent that plays with `weights.bin` beside it."""
        return _AGENT
