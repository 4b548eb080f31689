"""The agent `gomoku`: it sees fives, fours and open threes, and looks for wins by them before anything else."""

import math
import time
from typing import Final

from agents._search.report import Form, Limits, Report
from agents.base import BaseAgent
from agents.budget import Clock, seconds_for_move
from agents.gomoku.kernel import Engine, engine
from agents.options import number, whole
from games.base import Color, Move, State
from games.gomoku import GomokuState

__all__ = ["GomokuAgent"]

_DEEPEST: Final = 64
#: What a move may take if neither the options nor the game limit it.
_SECONDS: Final = 1.0
_SEED_BITS: Final = 63


class GomokuAgent(BaseAgent):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, whichever comes first.

    Without any of them it spends its share of the time that is left for the game. `report` tells how the last move
    was found, `form` by which form of the search. A win whose line goes on to the five is proven; one that alpha-beta
    claims by its first move alone holds against the answers it looked at.
    """

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color)
        self.depth = None if depth is None else whole("depth", depth, most=_DEEPEST)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.nodes = None if nodes is None else whole("nodes", nodes)
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    @property
    def form(self) -> Form | None:
        """Whether the search is the native one; None before the first move."""
        return None if self._engine is None else self._engine.form

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        until = self.now() + self._seconds()
        if not isinstance(state, GomokuState):
            raise ValueError("this agent plays Gomoku and nothing else")
        if state.is_game_over():
            raise ValueError("there is no move to choose: the game is over")
        found = self._ready()
        limits = Limits(
            seconds=until - self.now(),
            nodes=self.nodes,
            depth=self.depth or _DEEPEST,
            seed=self.rng.getrandbits(_SEED_BITS) | 1,
        )
        self.report = found.search(state, limits)
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def _seconds(self) -> float:
        seconds = min(self.seconds_per_move, seconds_for_move(self.time_left))
        unlimited = math.isinf(seconds) and self.depth is None and self.nodes is None
        return _SECONDS if unlimited else seconds

    def _ready(self) -> Engine:
        if self._engine is None:
            self._engine = engine(now=self.now)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: there is no native search here")  # noqa: T201
        return self._engine
