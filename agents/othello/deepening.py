"""Searches one turn deep, then two, and so on, as long as there is time."""

import contextlib
import math
from abc import abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Final

from agents.budget import Deadline, OutOfTime
from agents.core.report import Report
from agents.options import one_of, whole
from agents.othello.maps import MAPS, square
from agents.othello.native import Engine
from agents.othello.plain import Choice
from agents.othello.player import OthelloPlayer
from games.base import Color
from games.othello import OthelloState

__all__ = ["DEEPEST", "DeepeningPlayer"]

#: No game of Othello is longer, but for passes.
DEEPEST: Final = 60


class DeepeningPlayer(OthelloPlayer):
    """Plays the best move of the deepest search that came to its end; it is the first one the next search tries.

    The depth counts turns, the agent's own move included. A finished game is valued by its `result`, or, as the earlier
    study did, by `weights` like any other position: such an agent throws won games away at the end.
    """

    def __init__(
        self, name: str, color: Color, *, depth: int, seconds: float | None, evaluation: str, ending: str
    ) -> None:
        super().__init__(name, color, seconds=seconds)
        self.depth = whole("depth", depth, most=DEEPEST)
        self.map = one_of("evaluation", evaluation, MAPS)
        self.results = one_of("ending", ending, {"result": True, "weights": False})

    @property
    def limited(self) -> bool:
        """Whether the depth is less than a game's."""
        return self.depth < DEEPEST

    @abstractmethod
    def natively(self, core: ModuleType, text: str, *, depth: int, first: int, seconds: float) -> Choice | None:
        """The choice of the native search; None if there was no time for it."""

    @abstractmethod
    def plainly(self, state: OthelloState, *, depth: int, first: str | None, check: Callable[[], None]) -> Choice:
        """The same in Python; `check` raises `OutOfTime`."""

    def search(self, engine: Engine, state: OthelloState, *, seconds: float) -> Report:
        """Deepen until time or depth is used up."""
        core, until = engine.native, self.now() + seconds
        deadline = Deadline(seconds, now=self.now)
        best = Choice(state.legal_moves[0], 0, 0)
        nodes = reached = 0
        empty = 64 - (state.black | state.white).bit_count()
        with contextlib.suppress(OutOfTime):
            # Beyond the last empty square there is nothing but passes.
            for depth in range(1, min(self.depth, 2 * empty) + 1):
                first = best.move if reached else None
                if core is None:
                    found: Choice | None = self.plainly(state, depth=depth, first=first, check=deadline.check)
                else:
                    number = -1 if first is None else square(first)
                    left = until - self.now() if math.isfinite(until) else math.inf
                    found = self.natively(core, state.text, depth=depth, first=number, seconds=left)
                if found is None:
                    break
                best, reached = found, depth
                nodes += found.nodes
        return Report(move=best.move, form=engine.form, nodes=nodes, depth=reached, score=best.value, pv=(best.move,))
