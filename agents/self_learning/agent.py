"""The agent `self_learning`: PUCT with a network that learned from its own games."""

from pathlib import Path
from typing import Final

import games
from agents.core.engine import Engine, Report
from agents.core.knowledge import game_of
from agents.core.searching_agent import SearchingAgent
from agents.options import number, one_of
from agents.puct.search import PuctSettings
from agents.self_learning.architecture import NetworkFile
from agents.self_learning.evaluators import EVALUATORS, make_evaluator
from agents.self_learning.network_search import make_search
from games import encoding
from games.base import Color, State, split_parameters

__all__ = ["SelfLearningAgent", "read_network"]

_WEIGHTS: Final = Path(__file__).parent / "weights"


class SelfLearningAgent(SearchingAgent):
    """Runs `simulations`, or as many as `seconds`, `cpu_seconds` (all per move) or the time for the game allow.

    `weights` is the file of a network; without it, the network that comes with the arena for the game is used.
    `evaluator` is what evaluates it: native, onnxruntime, torch or numpy; `auto` takes the fastest that the sandbox
    allows. Networks with convolutions are faster with `needs=onnxruntime`. With a `temperature` the move is drawn by
    its visits. `report` holds visits, value and policy of every move.
    """

    heeds_depth = False

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, weights: str | None = None, evaluator: str = "auto", c: float = 1.5,
        fpu: float = 0.2, temperature: float = 0.0, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, cpu_seconds=cpu_seconds, show=show)
        self.evaluator = one_of("evaluator", evaluator, {each: each for each in ("auto", *EVALUATORS)})
        self.settings = PuctSettings(
            c=number("c", c, least=0),
            fpu=number("fpu", fpu, least=0),
            temperature=number("temperature", temperature, least=0),
        )
        self.weights = None if weights is None else Path(weights)

    def engine(self, state: State) -> Engine:
        """The native search where there is one for the game, else the search in Python."""
        file = read_network(state, self.weights)
        evaluator = make_evaluator(file, self.evaluator, is_confined=True)
        return make_search(state, evaluator, self.settings, now=self.now, rng=self.rng)

    def value_of(self, state: State, report: Report) -> float:  # noqa: ARG002
        """The expected score of the side to move: values of PUCT are from -1 to 1."""
        return (1 + report.score) / 2


def read_network(state: State, path: Path | None = None) -> NetworkFile:
    """The network in a file, or the one that comes with the arena; `ValueError` if it does not play this game."""
    game = game_of(state)
    if path is None:
        path = _WEIGHTS / f"self_learning-{game}.bin"
        if not path.exists():
            raise ValueError(
                f"there is no trained network for {game or 'this game'}; name a file with the option weights"
            )
    try:
        found = NetworkFile.from_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read the network {path.name}: {error}") from error
    learned = split_parameters(found.game)[0]
    if learned != game:
        raise ValueError(f"the network {path.name} plays {learned}, not {game}")
    try:
        encoding.of(games.load(found.game)).legal_actions(state)
    except ValueError as error:
        size = f"{found.shape.height}x{found.shape.width}"
        raise ValueError(f"the network {path.name} plays on a board of {size}, not on this one") from error
    return found
