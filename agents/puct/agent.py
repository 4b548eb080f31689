"""The agent `puct`: simulations that follow priors and values, in a tree that is kept from move to move."""

from dataclasses import replace

from agents.core.engine import Engine, Report
from agents.core.knowledge import knowledge_of
from agents.core.searching_agent import SearchingAgent
from agents.options import number, one_of, whole
from agents.puct.evaluation import EVALUATORS
from agents.puct.native_search import NativePuct
from agents.puct.python_search import PythonPuct
from agents.puct.search import PuctSettings
from games.base import Color, State

__all__ = ["PuctAgent"]


class PuctAgent(SearchingAgent):
    """Runs `simulations`, or as many as `seconds`, `cpu_seconds` (all per move) or the time for the game allow.

    `c` is how much is explored; an untried move counts as its parent on average, minus `fpu`. `alpha` and `epsilon` set
    the noise in the priors of the root. With a `temperature` the move is drawn by its visits. `report` says how the
    last move was found. The defaults of `evaluator` and `c` depend on the game.
    """

    heeds_depth = False

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, evaluator: str | None = None, c: float | None = None,
        fpu: float = 0.1, batch: int = 1, virtual_loss: float = 1.0, alpha: float = 0.3, epsilon: float = 0.0,
        temperature: float = 0.0, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, cpu_seconds=cpu_seconds, show=show)
        self.evaluator = None if evaluator is None else one_of("evaluator", evaluator, EVALUATORS)
        self.c = None if c is None else number("c", c, least=0)
        self.settings = PuctSettings(
            fpu=number("fpu", fpu, least=0),
            batch=whole("batch", batch, most=4096),
            virtual_loss=number("virtual_loss", virtual_loss, least=0),
            epsilon=number("epsilon", epsilon, least=0, most=1),
            alpha=number("alpha", alpha, least=0.001, most=1000),
            temperature=number("temperature", temperature, least=0),
        )

    def engine(self, state: State) -> Engine:
        """The native search where there is one for the game, else the Python twin."""
        known = knowledge_of(state)
        evaluator = EVALUATORS[known.puct_evaluator] if self.evaluator is None else self.evaluator
        settings = replace(self.settings, c=known.puct_c if self.c is None else self.c)
        native = NativePuct.of(state, evaluator, settings, now=self.now, rng=self.rng)
        return PythonPuct(evaluator, settings, now=self.now, rng=self.rng) if native is None else native

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The most visited move, or one drawn by visits. The search uses the agent's `rng`, so it needs no seed."""
        return engine.search(state, replace(self.allowed_now(), seconds=seconds))

    def value_of(self, state: State, report: Report) -> float:  # noqa: ARG002
        """The expected score of the side to move: values of PUCT are from -1 to 1."""
        return (1 + report.score) / 2
