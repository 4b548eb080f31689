"""What the agents share whose search is native or in Python: the clock, only moves, what they tell of a move."""

import math
import time
from abc import abstractmethod
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from agents.base import BaseAgent
from agents.budget import Clock, seconds_for_move
from agents.core.report import Form, Report
from agents.options import number, whole
from games.base import Color, Move, State

__all__ = ["Formed", "SearchingAgent"]

#: What a move may take if neither the options nor the game limit it.
_SECONDS: Final = 1.0
_SEED_BITS: Final = 63


class Formed(Protocol):
    """Searches in one of two forms."""

    @property
    def form(self) -> Form:
        """Which form of the searches this is."""
        ...


E = TypeVar("E", bound=Formed)


class SearchingAgent(BaseAgent, Generic[E]):
    """Answers an only move at once; `report` tells how the last move was found, `form` by which form of the search.

    `seconds` is the most a move may take; short of time for the game it is less.
    """

    #: The states it can play. An agent of one game names their class, and may rely on it wherever it is given a state.
    plays: ClassVar[type] = object

    def __init__(self, name: str, color: Color, *, seconds: float | None, show: int = 0) -> None:
        super().__init__(name, color)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: E | None = None

    @property
    def form(self) -> Form | None:
        """Whether the searches are the native ones; None before the first of them."""
        return None if self._engine is None else self._engine.form

    @property
    @abstractmethod
    def limited(self) -> bool:
        """Whether the options limit a search that has all the time in the world."""

    @abstractmethod
    def engine(self, state: Any) -> E:
        """New searches for the game of this state."""

    @abstractmethod
    def search(self, engine: E, state: Any, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""

    def share(self, state: Any) -> float:  # noqa: ARG002
        """What this move may take of the time that is left for the game."""
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
            raise ValueError("there is no move to choose: the game is over")
        engine = self._ready(state)
        if len(moves) == 1:
            self.report = Report(move=str(moves[0]), form=engine.form, pv=(str(moves[0]),))
        else:
            self.report = self.search(engine, state, seconds=began + self._seconds(state) - self.now())
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def seed(self) -> int:
        """A number from the agent's dice, never 0."""
        return self.rng.getrandbits(_SEED_BITS) | 1

    def _seconds(self, state: State) -> float:
        seconds = min(self.seconds_per_move, self.share(state))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds

    def _ready(self, state: State) -> E:
        if self._engine is None:
            self._engine = self.engine(state)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: this game has no native search here")  # noqa: T201
        return self._engine
