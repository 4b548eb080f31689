"""The agent `puct`: simulations that follow priors and values, in a tree that is kept from move to move."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agents.core.limited import LimitedBySimulations
from agents.core.report import Report, Visits
from agents.options import number, one_of, whole
from agents.puct.base import Engine, Settings
from agents.puct.evaluation import EVALUATORS
from agents.puct.kernel import Kernel
from agents.puct.search import Search
from agents.puct.selection import choose, dirichlet
from games.base import Color, State

__all__ = ["PuctAgent"]

#: Discs say little before the end of Othello; the moves there are to choose from say more.
_EVALUATORS: Final[Mapping[str, str]] = {"games.gomoku": "lead_look", "games.othello": "lead_look"}
_EVALUATOR: Final = "look"
#: Lines of stones differ so much that little needs to be explored.
_C: Final[Mapping[str, float]] = {"games.gomoku": 0.4}


class PuctAgent(LimitedBySimulations[Engine]):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    `c` is how much is explored, `fpu` how much less than the average a move counts that nobody has tried. `alpha` and
    `epsilon` are the noise in the priors of the root; with a `temperature` the move is drawn by its visits. `report`
    tells how the last move was found. Without `evaluator` and `c` the game decides.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        evaluator: str | None = None, c: float | None = None, fpu: float = 0.1, batch: int = 1,
        virtual_loss: float = 1.0, alpha: float = 0.3, epsilon: float = 0.0, temperature: float = 0.0, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, show=show)
        self.evaluator = None if evaluator is None else one_of("evaluator", evaluator, EVALUATORS)
        self.c = None if c is None else number("c", c, least=0)
        self.settings = Settings(
            fpu=number("fpu", fpu, least=0),
            batch=whole("batch", batch, most=4096),
            virtual_loss=number("virtual_loss", virtual_loss, least=0),
            epsilon=number("epsilon", epsilon, least=0, most=1),
        )
        self.alpha = number("alpha", alpha, least=0.001, most=1000)
        self.temperature = number("temperature", temperature, least=0)

    def engine(self, state: State) -> Engine:
        """The search in its native form where there is one for the game, else in Python."""
        game, evaluator = type(state).__module__, self.evaluator
        if evaluator is None:
            evaluator = EVALUATORS[_EVALUATORS.get(game, _EVALUATOR)]
        settings = replace(self.settings, c=_C.get(game, self.settings.c) if self.c is None else self.c)
        return Kernel.of(state, evaluator, settings, now=self.now) or Search(evaluator, settings, now=self.now)

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The move that was visited most, or drawn by visits."""
        until = self.now() + seconds
        noise = dirichlet(len(state.legal_moves), self.alpha, self.rng) if self.settings.epsilon else ()
        tally = engine.run(state, simulations=self.simulations, seconds=until - self.now(), noise=noise)
        chosen = choose(tally.branches, self.temperature, self.rng)
        ranked = sorted(tally.branches, key=lambda branch: (branch.visits, branch.mean), reverse=True)
        expected = tally.line[:1] == (chosen.move,)
        return Report(
            move=chosen.move,
            form=engine.form,
            nodes=tally.simulations,
            depth=tally.depth,
            score=chosen.mean,
            pv=tally.line if expected else (chosen.move,),
            visits=[Visits(branch.move, branch.visits, branch.mean) for branch in ranked],
        )
