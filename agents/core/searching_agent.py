"""The base class of agents whose search is native or in Python: time, options, only moves, reports."""

import math
import time
from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Final

from agents import watch
from agents.base import BaseAgent, Branch
from agents.budget import Clock, seconds_for_move
from agents.core.engine import DECIDED, GAME_OVER, Engine, Form, Limits, Report
from agents.core.knowledge import knowledge_of
from agents.core.native import DEEPEST, report_of
from agents.opening_book import book_move
from agents.options import SWITCH, number, one_of, whole
from games.base import Color, Move, State

__all__ = ["DeepeningAgent", "SearchingAgent"]

#: The seconds for a move if neither the options nor the game limit it.
_SECONDS: Final = 1.0
_SEED_BITS: Final = 63


class SearchingAgent(BaseAgent):
    """Plays the move of its search, and an only move at once.

    `report` says how the last move was found. All limits are for one move; short of time for the whole game, the agent
    spends less than `seconds`. `cpu_seconds` limits the CPU time of the thread that searches, whatever else the machine
    is doing.
    """

    #: The class of states that the agent can play; an agent for one game names the class of its states.
    plays: ClassVar[type] = object
    #: The greatest value of the option `depth`.
    deepest: ClassVar[int] = DEEPEST
    #: Whether the search ends at a depth; a tree search does not.
    heeds_depth: ClassVar[bool] = True

    def __init__(
        self, name: str, color: Color, *, seconds: float | None = None, cpu_seconds: float | None = None,
        depth: int | None = None, nodes: int | None = None, simulations: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color)
        self.allowed = Limits(
            seconds=math.inf if seconds is None else number("seconds", seconds, least=0),
            cpu_seconds=math.inf if cpu_seconds is None else number("cpu_seconds", cpu_seconds, least=0),
            depth=None if depth is None else whole("depth", depth, most=self.deepest),
            nodes=None if nodes is None else whole("nodes", nodes),
            simulations=None if simulations is None else whole("simulations", simulations),
        )
        self.show = whole("show", show, least=0, most=1) == 1
        self.book = False
        self.now: Clock = time.monotonic
        self.report: Report | None = None
        self._engine: Engine | None = None

    def set_book(self, book: str | None) -> None:
        """Take the option `book`: `yes` or `no`; None is `no` for agents that are limited to a depth or nodes.

        Such an agent is asked for exactly that search, and is a measure for others.
        """
        exact = self.allowed.depth is not None or self.allowed.nodes is not None
        self.book = not exact if book is None else one_of("book", book, SWITCH)

    @property
    def form(self) -> Form | None:
        """Whether the search runs in C++ or in Python; None before the first search."""
        return None if self._engine is None else self._engine.form

    @property
    def limited(self) -> bool:
        """Whether the options, or the limits of this move, end a search that has unlimited time."""
        allowed = self.allowed_now()
        depth = allowed.depth if self.heeds_depth else None
        given = (depth, allowed.nodes, allowed.simulations)
        return math.isfinite(allowed.cpu_seconds) or any(limit is not None for limit in given)

    @abstractmethod
    def engine(self, state: Any) -> Engine:
        """A new search for the game of this state."""

    def search(self, engine: Engine, state: Any, *, seconds: float) -> Report:
        """The best of two or more moves, within so many seconds."""
        return engine.search(state, replace(self.allowed_now(), seconds=seconds, seed=self.seed()))

    def allowed_now(self) -> Limits:
        """The options of the agent, or the limits that another program has set for this move where they are lower."""
        allowed, limits = self.allowed, self.limits
        nodes = _lower(allowed.nodes, limits.nodes)
        return Limits(
            seconds=min(allowed.seconds, limits.seconds), cpu_seconds=min(allowed.cpu_seconds, limits.cpu_seconds),
            depth=_lower(allowed.depth, limits.depth, self.deepest), nodes=nodes,
            simulations=_lower(allowed.simulations, limits.nodes), until_stopped=limits.until_stopped,
        )  # fmt: skip

    def share(self, state: Any) -> float:  # noqa: ARG002
        """The seconds that this move may take of the time left for the game."""
        return seconds_for_move(self.time_left, increment=self.increment, moves_to_go=self.moves_to_go)

    def reset(self) -> None:
        """Forget what was learned in another game."""
        self._engine = None

    def act(self, state: State) -> Move:
        """The move that the search prefers."""
        with watch.limited_cpu(self.allowed_now().cpu_seconds):
            return self._chosen(state, began=self.now())

    def seed(self) -> int:
        """A random number from `rng`, never 0."""
        return self.rng.getrandbits(_SEED_BITS) | 1

    def value_of(self, state: State, report: Report) -> float:
        """The expected score of the side to move, from 0 to 1."""
        if report.visits or abs(report.score) >= DECIDED / 2:
            return min(1.0, max(0.0, report.score))
        return (1 + report.score / (abs(report.score) + knowledge_of(state).half_win)) / 2

    def _chosen(self, state: State, *, began: float) -> Move:
        if not isinstance(state, self.plays):
            raise ValueError(f"{self.name} plays {self.plays.__name__.removesuffix('State')} only")
        moves = state.legal_moves
        if not len(moves):
            raise ValueError(GAME_OVER)
        engine = self._ready(state)
        if len(moves) == 1:
            self.report = Report(move=str(moves[0]), form=engine.form, pv=(str(moves[0]),))
        elif (known := self._from_book(state, engine.form)) is not None:
            self.report = known
        elif watch.reporter is None:
            self.report = self.search(engine, state, seconds=began + self._seconds(state) - self.now())
        else:
            self.report = self._search_aloud(engine, state, began)
        if self.show:
            print(f"{self.name}, turn {state.turns + 1}: {self.report}")  # noqa: T201
        return state.parse(self.report.move)

    def _from_book(self, state: State, form: Form) -> Report | None:
        """The move of the opening book; None without one, and if another program wants a search of its own."""
        limits = self.limits
        asked = limits.until_stopped or limits.depth is not None or limits.nodes is not None
        found = book_move(state) if self.book and not asked else None
        if found is None:
            return None
        report = Report(move=str(found.move), form=form, pv=(str(found.move),), value=found.value, text="book")
        if watch.reporter is not None:
            self._tell(state, report)
        return report

    def _search_aloud(self, engine: Engine, state: State, began: float) -> Report:
        """Search while somebody listens. The search is the same; it only tells what it finds."""

        def tell(*found: Any) -> None:
            self._tell(state, report_of(found[:5], *found[5:]))

        watch.progress = tell
        try:
            report = self.search(engine, state, seconds=began + self._seconds(state) - self.now())
        finally:
            watch.progress = None
        self._tell(state, report)
        return report

    def _tell(self, state: State, report: Report) -> None:
        visits = {each.move: each.visits for each in report.visits}
        # Rounded, so that a report of many moves is not too long for its tree.
        policy = {each.move: round(each.prior, 4) for each in report.visits if each.prior}
        tree = [
            Branch(line, visits, round(self.value_of(state, replace(report, score=mean)), 4))
            for line, visits, mean in report.tree
        ]
        value = self.value_of(state, report) if report.value is None else report.value
        self.tell(
            value=value, line=report.pv, visits=visits, policy=policy, tree=tree,
            nodes=report.nodes, depth=report.depth, text=report.text,
        )  # fmt: skip

    def _seconds(self, state: State) -> float:
        allowed, limits = self.allowed_now(), self.limits
        if math.isfinite(limits.seconds):  # another program has given this move its own time
            return min(allowed.seconds, self.time_left)
        if limits.until_stopped and (self.heeds_depth or limits.depth is None):
            return allowed.seconds
        seconds = min(allowed.seconds, self.share(state))
        return _SECONDS if math.isinf(seconds) and not self.limited else seconds

    def _ready(self, state: State) -> Engine:
        if self._engine is None:
            self._engine = self.engine(state)
            if self._engine.form == "python":
                print(f"{self.name} searches in Python: this game has no native search here")  # noqa: T201
        return self._engine


def _lower(own: int | None, other: int | None, most: int | None = None) -> int | None:
    """The lowest of these limits; None if there is none of the first two."""
    given = [limit for limit in (own, other) if limit is not None]
    return min([*given, *([] if most is None else [most])]) if given else None


class DeepeningAgent(SearchingAgent):
    """A searching agent whose options are `depth`, `seconds`, `cpu_seconds` and `nodes`, all per move, and `show`."""

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, cpu_seconds=cpu_seconds, nodes=nodes, show=show)
