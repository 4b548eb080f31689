"""The agent `puct`: simulations that follow priors and values, in a tree that is kept from move to move."""

import math
import time
from collections.abc import Mapping
from typing import Final

from agents._search.report import Form, Report, Visits
from agents.base import BaseAgent
from agents.budget import Clock, seconds_for_move
from agents.options import number, one_of, whole
from agents.puct.base import Engine, Settings, Tally
from agents.puct.evaluation import EVALUATORS
from agents.puct.kernel import Kernel
from agents.puct.search import Search
from agents.puct.selection import choose, dirichlet
from games.base import Color, Move, State

__all__ = ["PuctAgent"]

#: What a move may take if neither the options nor the game limit it.
_SECONDS: Final = 1.0
#: Discs say little before the end of Othello; the moves there are to choose from say more.
_EVALUATORS: Final[Mapping[str, str]] = {"games.othello": "lead_look"}
_EVALUATOR: Final = "look"


class PuctAgent(BaseAgent):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    `c` is how much is explored, `fpu` how much less than the average a move counts that nobody has tried. `alpha` and
    `epsilon` are the noise in the priors of the root; with a `temperature` the move is drawn by its visits. `report`
    tells how the last move was found. Without `evaluator` the game decides.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        evaluator: str | None = None, c: float = 1.0, fpu: float = 0.1, batch: int = 1, virtual_loss: float = 1.0,
        alpha: float = 0.3, epsilon: float = 0.0, temperature: float = 0.0, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color)
        self.simulations = None if simulations is None else whole("simulations", simulations)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.evaluator = None if evaluator is None else one_of("evaluator", evaluator, EVALUATORS)
        self.settings = Settings(
            c=number("c", c, least=0),
            fpu=number("fpu", fpu, least=0),
            batch=whole("batch", batch, most=4096),
            virtual_loss=number("virtual_loss", virtual_loss, least=0),
            epsilon=number("epsilon", epsilon, least=0, most=1),
        )
        self.alpha = number("alpha", alpha, least=0.001)
        self.temperature = number("temperature", temperature, least=0)
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    @property
    def form(self) -> Form | None:
        """Whether the search is the native one; None before the first."""
        return None if self._engine is None else self._engine.form

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that was visited most, or drawn by visits."""
        until = self.now() + self._seconds()
        moves = state.legal_moves
        if not len(moves):
            raise ValueError("there is no move to choose: the game is over")
        engine = self._ready(state)
        if len(moves) == 1:
            self.report = Report(move=str(moves[0]), form=engine.form, pv=(str(moves[0]),))
        else:
            noise = dirichlet(len(moves), self.alpha, self.rng) if self.settings.epsilon else ()
            seconds = until - self.now()
            self.report = self._told(engine.run(state, simulations=self.simulations, seconds=seconds, noise=noise))
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def _told(self, tally: Tally) -> Report:
        chosen = choose(tally.branches, self.temperature, self.rng)
        ranked = sorted(tally.branches, key=lambda branch: (branch.visits, branch.mean), reverse=True)
        expected = tally.line[:1] == (chosen.move,)
        return Report(
            move=chosen.move,
            form=self.form or "python",
            nodes=tally.simulations,
            depth=tally.depth,
            score=chosen.mean,
            pv=tally.line if expected else (chosen.move,),
            visits=[Visits(branch.move, branch.visits, branch.mean) for branch in ranked],
        )

    def _seconds(self) -> float:
        seconds = min(self.seconds_per_move, seconds_for_move(self.time_left))
        return _SECONDS if math.isinf(seconds) and self.simulations is None else seconds

    def _ready(self, state: State) -> Engine:
        if self._engine is None:
            evaluator = self.evaluator
            if evaluator is None:
                evaluator = EVALUATORS[_EVALUATORS.get(type(state).__module__, _EVALUATOR)]
            self._engine = Kernel.of(state, evaluator, self.settings, now=self.now)
            if self._engine is None:
                self._engine = Search(evaluator, self.settings, now=self.now)
                print(f"{self.name} searches in Python: this game has no native search here")  # noqa: T201
        return self._engine
