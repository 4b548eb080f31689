"""The base class of agents whose search is native or in Python: time, options, only moves, reports."""

import math
import time
from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Final

from agents.base import BaseAgent
from agents.budget import Clock, seconds_for_move
from agents.core.engine import GAME_OVER, Engine, Form, Limits, Report
from agents.core.native import DEEPEST
from agents.options import number, whole
from games.base import Color, Move, State

__all__ = ["DeepeningAgent", "SearchingAgent"]

#: The seconds for a move if neither the options nor the game limit it.
_SECONDS: Final = 1.0
_SEED_BITS: Final = 63


class SearchingAgent(BaseAgent):
    """Plays the move of its search, and an only move at once.

    `report` says how the last move was found. All limits are for one move; short of time for the whole game, the agent
    spends less than `seconds`.
    """

    #: The class of states that the agent can play; an agent for one game names the class of its states.
    plays: ClassVar[type] = object
    #: The greatest value of the option `depth`.
    deepest: ClassVar[int] = DEEPEST

    def __init__(
        self, name: str, color: Color, *, seconds: float | None = None, depth: int | None = None,
        nodes: int | None = None, simulations: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color)
        self.allowed = Limits(
            seconds=math.inf if seconds is None else number("seconds", seconds, least=0),
            depth=None if depth is None else whole("depth", depth, most=self.deepest),
            nodes=None if nodes is None else whole("nodes", nodes),
            simulations=None if simulations is None else whole("simulations", simulations),
        )
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    @property
    def form(self) -> Form | None:
        """Whether the search runs in C++ or in Python; None before the first search."""
        return None if self._engine is None else self._engine.form

    @property
    def limited(self) -> bool:
        """Whether the options end a search that has unlimited time."""
        allowed = self.allowed
        return any(limit is not None for limit in (allowed.depth, allowed.nodes, allowed.simulations))

    @abstractmethod
    def engine(self, state: Any) -> Engine:
        """A new search for the game of this state."""

    def search(self, engine: Engine, state: Any, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""
        return engine.search(state, replace(self.allowed, seconds=seconds, seed=self.seed()))

    def share(self, state: Any) -> float:  # noqa: ARG002
        """The seconds that this move may take of the time left for the game."""
        return seconds_for_move(self.time_left)

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        began = self.now()
        if not isinstance(state, self.plays):
            raise ValueError(f"{self.name} plays {self.plays.__name__.removesuffix('State')} only")
        moves = state.legal_moves
        if not len(moves):
            raise ValueError(GAME_OVER)
        engine = self._ready(state)
        if len(moves) == 1:
            self.report = Report(move=str(moves[0]), form=engine.form, pv=(str(moves[0]),))
        else:
            self.report = self.search(engine, state, seconds=began + self._seconds(state) - self.now())
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def seed(self) -> int:
        """A random number from `rng`, never 0."""
        return self.rng.getrandbits(_SEED_BITS) | 1

    def _seconds(self, state: State) -> float:
        seconds = min(self.allowed.seconds, self.share(state))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds

    def _ready(self, state: State) -> Engine:
        if self._engine is None:
            self._engine = self.engine(state)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: this game has no native search here")  # noqa: T201
        return self._engine


class DeepeningAgent(SearchingAgent):
    """A searching agent whose options are `depth`, `seconds` and `nodes`, all per move, and `show`."""

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, nodes=nodes, show=show)
