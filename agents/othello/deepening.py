"""Iterative deepening: searches one turn deep, then two, and so on, as long as there is time."""

import contextlib
import time
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TypeAlias

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import Engine, Form, Limits, Report
from agents.options import one_of
from agents.othello.classic import MAPS, Choice, empty_squares
from agents.othello.player import OthelloPlayer
from games.base import Color
from games.othello import OthelloState

__all__ = ["DeepeningPlayer", "DeepeningSearch"]

#: The choice in a state at a depth, where the given move is tried first; None if there was not enough time.
Chooser: TypeAlias = Callable[[OthelloState, int, str | None, Deadline], Choice | None]


class DeepeningSearch:
    """Reports the best move of the deepest search that was finished. The next search tries that move first."""

    def __init__(self, choose: Chooser, *, form: Form, now: Clock = time.monotonic) -> None:
        self.form: Form = form
        self._choose = choose
        self._now = now

    def search(self, state: OthelloState, limits: Limits) -> Report:
        """Deepen until time or depth is used up."""
        deadline = Deadline(limits.seconds, now=self._now)
        best = Choice(state.legal_moves[0], 0, 0)
        nodes = reached = 0
        # Each move may be followed by a pass; deeper, there are only passes.
        end = 2 * empty_squares(state)
        with contextlib.suppress(OutOfTime):
            for depth in range(1, min(OthelloPlayer.deepest if limits.depth is None else limits.depth, end) + 1):
                found = self._choose(state, depth, best.move if reached else None, deadline)
                if found is None:
                    break
                best, reached = found, depth
                nodes += found.nodes
        return Report(move=best.move, form=self.form, nodes=nodes, depth=reached, score=best.value, pv=(best.move,))


class DeepeningPlayer(OthelloPlayer):
    """Plays by a search of one depth after the other. The depth counts turns, the agent's own move included.

    A finished game is valued by its `result` or, as in the earlier study, by `weights` like any other position. With
    `weights` the agent throws away won games at the end.
    """

    def __init__(
        self, name: str, color: Color, *, depth: int | None, seconds: float | None, evaluation: str, ending: str
    ) -> None:
        super().__init__(name, color, depth=depth, seconds=seconds)
        self.map = one_of("evaluation", evaluation, MAPS)
        self.results = one_of("ending", ending, {"result": True, "weights": False})

    @property
    def limited(self) -> bool:
        """Whether the depth is smaller than that of a whole game."""
        depth = self.allowed_now().depth
        return depth is not None and depth < self.deepest

    @abstractmethod
    def choose_natively(
        self, native: ModuleType, state: OthelloState, depth: int, first: str | None, deadline: Deadline
    ) -> Choice | None:
        """The choice of the native search; None if there was not enough time."""

    @abstractmethod
    def choose_in_python(self, state: OthelloState, depth: int, first: str | None, deadline: Deadline) -> Choice | None:
        """The choice of the search in Python. Raises `OutOfTime`."""

    def engine(self, state: OthelloState) -> Engine:
        """The native search where it can play, else the search in Python."""
        native = self.native_for(state)
        if native is None:
            return DeepeningSearch(self.choose_in_python, form="python", now=self.now)
        return DeepeningSearch(partial(self.choose_natively, native), form="kernel", now=self.now)
