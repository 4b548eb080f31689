"""The agents that search: `mushroom_alphabeta`, `mushroom_uct`, and `mushroom`, the best of them."""

import math
import time
from abc import abstractmethod
from typing import Final

from agents._search.report import Form, Limits, Report
from agents.base import BaseAgent
from agents.budget import RESERVE, Clock, seconds_for_move
from agents.mushroom.kernel import Engine, engine
from agents.mushroom.states import STATES
from agents.mushroom.uct import Recipe
from agents.options import number, one_of, whole
from games.base import Color, Move, State
from games.mushroom import MushroomState

__all__ = ["MushroomAgent", "MushroomAlphaBetaAgent", "MushroomUCTAgent"]

_DEEPEST: Final = 64
#: What a move may take if neither the options nor the game limit it.
_SECONDS: Final = 1.0
_SEED_BITS: Final = 63
#: Digits that go in one turn of each side, and turns that may come after the last ones.
_DIGITS_A_ROUND: Final = 8
_SPARE_ROUNDS: Final = 3


class _SearchingAgent(BaseAgent):
    """Answers an only move at once; `report` tells how the last move was found, `form` by which form."""

    def __init__(self, name: str, color: Color, *, seconds: float | None, show: int) -> None:
        super().__init__(name, color)
        self.seconds_per_move = math.inf if seconds is None else number("seconds", seconds, least=0)
        self.show = whole("show", show, least=0, most=1) == 1
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    @property
    def form(self) -> Form | None:
        """Whether the searches are the native ones; None before the first move."""
        return None if self._engine is None else self._engine.form

    @property
    @abstractmethod
    def limited(self) -> bool:
        """Whether the options limit a search that has all the time in the world."""

    @abstractmethod
    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        began = self.now()
        if not isinstance(state, MushroomState):
            raise ValueError("this agent plays Mushroom and nothing else")
        if state.is_game_over():
            raise ValueError("there is no move to choose: the game is over")
        found, moves = self._ready(), state.legal_moves
        if len(moves) == 1:
            self.report = Report(move=moves[0], form=found.form, pv=moves)
        else:
            self.report = self.search(found, state, seconds=began + self._seconds(state) - self.now())
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def seed(self) -> int:
        """A number from the agent's dice, never 0."""
        return self.rng.getrandbits(_SEED_BITS) | 1

    def _seconds(self, state: MushroomState) -> float:
        seconds = min(self.seconds_per_move, _share(self.time_left, state))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds

    def _ready(self) -> Engine:
        if self._engine is None:
            self._engine = engine(now=self.now)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: there is no native search here")  # noqa: T201
        return self._engine


def _share(time_left: float, state: MushroomState) -> float:
    """What to spend on one move: the fewer digits are left, the fewer moves are to come."""
    digits = sum(cell.isdigit() for row in state.rows for cell in row)
    rounds = digits / _DIGITS_A_ROUND + _SPARE_ROUNDS
    return max((time_left - RESERVE) / rounds, min(seconds_for_move(time_left), time_left / rounds))


class MushroomAlphaBetaAgent(_SearchingAgent):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, whichever comes first.

    Without any of them it spends its share of the time that is left for the game.
    """

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, seconds=seconds, show=show)
        self.depth = None if depth is None else whole("depth", depth, most=_DEEPEST)
        self.nodes = None if nodes is None else whole("nodes", nodes)

    @property
    def limited(self) -> bool:
        """Whether there is a limit on depth or nodes."""
        return self.depth is not None or self.nodes is not None

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The best move by alpha-beta."""
        limits = Limits(seconds=seconds, nodes=self.nodes, depth=self.depth or _DEEPEST, seed=self.seed())
        return engine.alphabeta(state, limits)


class MushroomUCTAgent(_SearchingAgent):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    A move is worth (mine - theirs) / (mine + theirs + 1). `states` is how the state of a node is come by: `copy` keeps
    all, `rebuild` makes them anew from a small cache, `undo` takes moves back. They play alike.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        c: float = 0.02, states: str = "undo", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, seconds=seconds, show=show)
        self.simulations = None if simulations is None else whole("simulations", simulations)
        self.c = number("c", c, least=0)
        self.states = one_of("states", states, {name: name for name in STATES})

    @property
    def limited(self) -> bool:
        """Whether there is a limit on simulations."""
        return self.simulations is not None

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The most visited move."""
        recipe = Recipe(
            seconds=seconds, simulations=self.simulations, c=self.c, states=self.states, seed=self.seed()
        )  # fmt: skip
        return engine.uct(state, recipe).report


class MushroomAgent(MushroomAlphaBetaAgent):
    """The best of them."""
