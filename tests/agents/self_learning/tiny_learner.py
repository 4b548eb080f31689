"""A small, honest learner for tests: a value net of 32 neurons for Gomoku, and a search one turn deep, in Python."""

import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from agents.self_learning.arrays import pack, unpack
from agents.self_learning.learner import Chunk
from agents.self_learning.settings import Settings, setting
from games.base import load

if TYPE_CHECKING:
    import torch

AGENT = '''"""A trained agent of the tests."""

import json
from pathlib import Path

import numpy as np

from agents import BaseAgent

SIGNS = {".": 0, "X": 1, "O": -1}


def features(state):
    board, mover = state.text.rsplit(" ", 1)
    cells = np.array([SIGNS[sign] for sign in board.replace("/", "")], dtype=np.float32)
    return cells * SIGNS[mover]


class Tiny(BaseAgent):
    """Looks one turn ahead with its net."""

    def __init__(self, name, color):
        super().__init__(name, color)
        data = Path(__file__).with_name("weights.bin").read_bytes()
        start = 16 + int.from_bytes(data[8:16], "little")
        head = json.loads(data[16:start])
        self.net = {}
        for entry in head["arrays"]:
            at = start + entry["offset"]
            values = np.frombuffer(data[at : at + entry["bytes"]], dtype=entry["dtype"])
            self.net[entry["name"]] = values.reshape(entry["shape"])

    def value(self, state):
        if state.ending is not None:
            return 0.0 if state.ending.winner is None else 2.0 if state.ending.winner == state.turn else -2.0
        hidden = np.maximum(self.net["0.weight"] @ features(state) + self.net["0.bias"], 0)
        return float((self.net["2.weight"] @ hidden + self.net["2.bias"])[0])

    def act(self, state):
        moves = list(state.legal_moves)
        return max(moves, key=lambda move: -self.value(state.forward(move)))
'''

_SIGNS = {".": 0, "X": 1, "O": -1}


@dataclass(frozen=True, kw_only=True)
class TinySettings(Settings):
    """The settings of the tiny learner."""

    games: int = setting(6, "Games in a chunk.", least=1)
    noise: float = setting(0.3, "Share of random moves.", live=True, least=0, most=1)
    crash: str = setting("", "A file: the first worker that finds it removes it and dies.", live=True)


class TinyLearner:
    """A value net for Gomoku, learned from games in which both sides look one turn ahead."""

    settings_class: ClassVar[type[Settings]] = TinySettings

    def __init__(self, game: str, settings: Settings) -> None:
        self.game = load(game)
        self.cells = int(self.game.parameters["size"]) ** 2
        self.row = np.dtype([("cells", "i1", (self.cells,)), ("result", "i1")])
        self.settings = settings

    def network(self, seed: int) -> "torch.nn.Module":
        import torch

        torch.manual_seed(seed)
        return torch.nn.Sequential(
            torch.nn.Linear(self.cells, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1), torch.nn.Tanh()
        )

    def loss(self, network: "torch.nn.Module", rows: Any) -> "tuple[torch.Tensor, dict[str, float]]":
        import torch

        value = network(torch.from_numpy(rows["cells"].astype(np.float32)))[:, 0]
        loss = ((value - torch.from_numpy(rows["result"].astype(np.float32))) ** 2).mean()
        return loss, {"value": float(loss.detach())}

    def augment(self, rows: Any, rng: np.random.Generator) -> Any:
        size = int(self.cells**0.5)
        boards = rows["cells"].reshape(-1, size, size)
        rows["cells"] = np.rot90(boards, int(rng.integers(4)), axes=(1, 2)).reshape(-1, self.cells)
        return rows

    def weights(self, network: "torch.nn.Module") -> bytes:
        return pack({}, {name: value.numpy() for name, value in network.state_dict().items()})

    def play(self, weights: bytes, *, generation: int, seed: int, settings: Settings) -> Chunk:
        assert isinstance(settings, TinySettings)
        if settings.crash and Path(settings.crash).exists():
            Path(settings.crash).unlink()
            raise RuntimeError("crashed as the test wanted")
        began = time.process_time()
        net, rng = unpack(weights).arrays, random.Random(seed)
        games = [self._game(net, rng, settings.noise) for _ in range(settings.games)]
        rows = np.array([row for rows, _ in games for row in rows], dtype=self.row)
        moves = tuple(tuple(moves) for _, moves in games[:1])
        seconds = {"search": time.process_time() - began}
        return Chunk(rows=rows, games=len(games), positions=len(rows), nodes=len(rows), seconds=seconds, examples=moves)

    def agent(self) -> str:
        return AGENT

    def _game(self, net: Any, rng: random.Random, noise: float) -> tuple[list[Any], list[str]]:
        state, seen, moves = self.game.start(), [], []
        while not state.is_game_over():
            seen.append((self._features(state.text), state.turn))
            legal = list(state.legal_moves)
            move = rng.choice(legal)
            if rng.random() > noise:
                boards = np.array([self._features(state.forward(each).text) for each in legal], dtype=np.float32)
                hidden = np.maximum(boards @ net["0.weight"].T + net["0.bias"], 0)
                move = legal[int(np.argmin(hidden @ net["2.weight"][0]))]
            moves.append(str(move))
            state = state.forward(move)
        winner = state.ending.winner
        points = [0 if winner is None else 1 if winner == turn else -1 for _, turn in seen]
        return [(cells, result) for (cells, _), result in zip(seen, points, strict=True)], moves

    @staticmethod
    def _features(text: str) -> list[int]:
        board, mover = text.rsplit(" ", 1)
        return [_SIGNS[sign] * _SIGNS[mover] for sign in board.replace("/", "")]
