"""Measures a PUCT search: the time per phase, cache hits, memory."""

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agents.puct.evaluation import Cached, Evaluator, Heuristic
from agents.puct.native_search import NativePuct
from agents.puct.python_search import PythonPuct
from agents.puct.search import Figures, PuctSearch, PuctSettings
from games.base import State

__all__ = ["PHASES", "Profile", "profile"]

PHASES: Final = ("select", "evaluate", "expand", "backup")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The cost of a search of one state. Phases are measured in a second run: reading the clock takes time."""

    form: str
    simulations: int
    #: CPU time of the run in which phases were not measured.
    seconds: float
    figures: Figures
    memory: int

    def columns(self) -> list[str]:
        """The names of the columns of `row`."""
        phases = [f"{phase} s" for phase in PHASES]
        return ["form", "simulations", "seconds", "simulations/s", *phases, "evaluations", "hits", "bytes/simulation"]

    def row(self) -> list[str | int | float]:
        """The figures of this profile as a row of a table."""
        phases = [round(getattr(self.figures, phase), 6) for phase in PHASES]
        speed = round(self.simulations / self.seconds) if self.seconds else 0
        return [
            self.form, self.simulations, round(self.seconds, 6), speed, *phases,
            self.figures.evaluations, self.figures.hits, round(self.memory / self.simulations),
        ]  # fmt: skip


def profile(state: State, evaluator: Evaluator, settings: PuctSettings, *, simulations: int, cache: int) -> Profile:
    """Measure a search of this state. Up to 2 ** `cache` evaluations are remembered; 0 means none."""
    make = _searches(state, evaluator, settings, cache)
    start = time.process_time()
    plain = make(False)
    done = plain.run(state, simulations=simulations).simulations
    seconds = time.process_time() - start
    timed = make(True)
    timed.run(state, simulations=simulations)
    figures = timed.figures()
    memory = figures.memory if figures.memory is not None else _traced(make(False), state, simulations)
    return Profile(form=plain.form, simulations=done, seconds=seconds, figures=figures, memory=memory)


def _searches(state: State, evaluator: Evaluator, settings: PuctSettings, cache: int) -> Callable[[bool], PuctSearch]:
    def remembering() -> Evaluator:
        return Cached(evaluator, 2**cache) if cache else evaluator

    def make(timed: bool) -> PuctSearch:
        # The native form of a heuristic has its own cache.
        used = evaluator if isinstance(evaluator, Heuristic) else remembering()
        native = NativePuct.of(state, used, settings, cache=cache, timed=timed)
        return PythonPuct(remembering(), settings) if native is None else native

    return make


def _traced(search: PuctSearch, state: State, simulations: int) -> int:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    search.run(state, simulations=simulations)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before
