"""What the Othello agents share: the clock, only moves, and what they tell of a move."""

import math
import time
from abc import abstractmethod
from types import ModuleType

from agents._search.report import Form, Report
from agents.base import BaseAgent
from agents.budget import Clock, Deadline, seconds_for_move
from agents.options import number
from agents.othello.native import native
from games.base import Color, Move, State
from games.othello import OthelloState

__all__ = ["OthelloPlayer"]

#: What a move may take if neither the options nor the game limit it.
_SECONDS = 1.0
_SEED_BITS = 63


class OthelloPlayer(BaseAgent):
    """Answers an only move at once; `report` tells how the last move was found.

    `seconds` is the most a move may take; short of time for the game it is less.
    """

    def __init__(self, name: str, color: Color, *, seconds: float | None) -> None:
        super().__init__(name, color)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.now: Clock = time.monotonic
        self.report: Report | None = None

    @property
    @abstractmethod
    def limited(self) -> bool:
        """Whether the options limit a search that has all the time in the world."""

    @abstractmethod
    def search(self, state: OthelloState, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        until = self.now() + self._seconds()
        if not isinstance(state, OthelloState):
            raise ValueError(f"{self.name} plays Othello only")
        moves = state.legal_moves
        if not moves:
            raise ValueError("there is no move to choose: the game is over")
        if len(moves) == 1:
            self.report = Report(move=moves[0], form=self.form(state), pv=moves)
        else:
            self.report = self.search(state, seconds=until - self.now())
        return state.parse(self.report.move)

    def native(self, state: OthelloState) -> ModuleType | None:
        """The native searches if there are any; not for states that may follow rules of their own."""
        return native() if type(state).__module__ == "games.othello" else None

    def form(self, state: OthelloState) -> Form:
        """Which form of the searches plays."""
        return "python" if self.native(state) is None else "kernel"

    def deadline(self, seconds: float) -> Deadline:
        """A moment so many seconds from now."""
        return Deadline(seconds, now=self.now)

    def seed(self) -> int:
        """A number from the agent's dice."""
        return self.rng.getrandbits(_SEED_BITS)

    def _seconds(self) -> float:
        seconds = min(self.seconds_per_move, seconds_for_move(self.time_left))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds
