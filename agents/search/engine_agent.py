"""An agent on the search core: the native one where there is one for its game, else the twin in Python."""

import math
import time
from abc import abstractmethod

from agents._search.kernel import Kernel
from agents._search.plain import Plain
from agents._search.report import Engine, Form, Report
from agents.base import BaseAgent
from agents.budget import Clock, seconds_for_move
from agents.options import number, whole
from games.base import Color, Move, State

__all__ = ["EngineAgent"]

#: What a move may take if neither the options nor the game limit it.
_SECONDS = 1.0
_SEED_BITS = 63


class EngineAgent(BaseAgent):
    """Answers an only move at once; `report` tells how the last move was found, `form` by which form of the core."""

    def __init__(self, name: str, color: Color, *, seconds: float | None, show: int) -> None:
        super().__init__(name, color)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    @property
    def form(self) -> Form | None:
        """Whether the searches are the native ones; None before the first of them."""
        return None if self._engine is None else self._engine.form

    @abstractmethod
    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""

    @property
    @abstractmethod
    def limited(self) -> bool:
        """Whether the options limit a search that has all the time in the world."""

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        until = self.now() + self._seconds()
        moves = state.legal_moves
        if not len(moves):
            raise ValueError("there is no move to choose: the game is over")
        engine = self._ready(state)
        if len(moves) == 1:
            self.report = Report(move=str(moves[0]), form=engine.form, pv=(str(moves[0]),))
        else:
            self.report = self.search(engine, state, seconds=until - self.now())
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def seed(self) -> int:
        """A number from the agent's dice, never 0."""
        return self.rng.getrandbits(_SEED_BITS) | 1

    def _seconds(self) -> float:
        seconds = min(self.seconds_per_move, seconds_for_move(self.time_left))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds

    def _ready(self, state: State) -> Engine:
        if self._engine is None:
            self._engine = Kernel.of(state) or Plain(now=self.now)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: this game has no native search here")  # noqa: T201
        return self._engine
