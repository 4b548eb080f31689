"""Where the time of a search goes, how often evaluations were known, what the tree takes."""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agents.puct.base import Engine, Evaluator, Figures, Settings
from agents.puct.evaluation import Cached, Heuristic
from agents.puct.kernel import Kernel
from agents.puct.search import Search
from games.base import State

__all__ = ["PHASES", "Profile", "profile"]

PHASES: Final = ("select", "evaluate", "expand", "backup")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a search of one state took. Phases are measured in a run of their own: looking at the clock takes time."""

    form: str
    simulations: int
    #: CPU time of the run that was not measured inside.
    seconds: float
    figures: Figures
    memory: int

    def columns(self) -> list[str]:
        """The names of what `row` holds."""
        phases = [f"{phase} s" for phase in PHASES]
        return ["form", "simulations", "seconds", "simulations/s", *phases, "evaluations", "hits", "bytes/simulation"]

    def row(self) -> list[str | int | float]:
        """The figures of this profile."""
        phases = [round(getattr(self.figures, phase), 6) for phase in PHASES]
        speed = round(self.simulations / self.seconds) if self.seconds else 0
        return [
            self.form, self.simulations, round(self.seconds, 6), speed, *phases,
            self.figures.evaluations, self.figures.hits, round(self.memory / self.simulations),
        ]  # fmt: skip


def profile(state: State, evaluator: Evaluator, settings: Settings, *, simulations: int, cache: int) -> Profile:
    """Search a state by the form that plays here; up to 2 ** `cache` evaluations are remembered, none with 0."""
    make = _engines(state, evaluator, settings, cache)
    start = time.process_time()
    plain = make(False)
    done = plain.run(state, simulations=simulations).simulations
    seconds = time.process_time() - start
    timed = make(True)
    timed.run(state, simulations=simulations)
    figures = timed.figures()
    memory = figures.memory if figures.memory is not None else _traced(make(False), state, simulations)
    return Profile(form=plain.form, simulations=done, seconds=seconds, figures=figures, memory=memory)


def _engines(state: State, evaluator: Evaluator, settings: Settings, cache: int) -> Callable[[bool], Engine]:
    def remembering() -> Evaluator:
        return Cached(evaluator, 2**cache) if cache else evaluator

    def make(timed: bool) -> Engine:
        # The native form of a heuristic has a memory of its own.
        asked = evaluator if isinstance(evaluator, Heuristic) else remembering()
        native = Kernel.of(state, asked, settings, cache=cache, timed=timed)
        return Search(remembering(), settings) if native is None else native

    return make


def _traced(engine: Engine, state: State, simulations: int) -> int:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    engine.run(state, simulations=simulations)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before
