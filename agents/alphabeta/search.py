"""Alpha-beta search: the native one, and the twin in Python that specifies it and plays where it cannot."""

import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from agents import watch
from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import DECIDED, GAME_OVER, Engine, Form, Limits, Report
from agents.core.knowledge import knowledge_of
from agents.core.native import DEEPEST, NativeGame, alphabeta_report
from agents.core.position_table import INFINITY
from agents.endings.table import near_tables, tables
from games.base import Move, State

__all__ = ["FEATURES", "NativeAlphaBeta", "PythonAlphaBeta", "alphabeta_engine"]

#: The features of the native search that can be switched off, with the bits of `Feature` in `core/alphabeta.hpp`.
FEATURES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "nothing": 0, "null_moves": 1, "reductions": 2, "killers": 4, "history": 8, "check_extensions": 16,
        "exchanges": 32, "aspiration": 64, "margins": 128,
    }
)  # fmt: skip


def alphabeta_engine(state: State, *, now: Clock = time.monotonic, endings: bool = False, without: int = 0) -> Engine:
    """The native search where there is one for the game of this state, else the Python twin.

    With `endings` the native search knows the tables of microchess endings; it does without these `FEATURES`.
    """
    return NativeAlphaBeta.of(state, endings=endings, without=without) or PythonAlphaBeta(now=now)


class NativeAlphaBeta:
    """The native search of one game.

    With `exact` it follows no captures beyond the depth and takes no shortcuts: the score is that of a full search.
    With `endings` it knows the tables of microchess endings, which are loaded when they come near. It does without the
    `FEATURES` whose bits are set in `without`.
    """

    form: Form = "kernel"

    def __init__(self, game: NativeGame, *, exact: bool = False, endings: bool = False, without: int = 0) -> None:
        self.game = game
        self._options = {"exact": exact, **({"without": without} if without else {})}
        self._needs_endings = endings

    @classmethod
    def of(
        cls, state: State, *, exact: bool = False, endings: bool = False, without: int = 0
    ) -> "NativeAlphaBeta | None":
        """The search for the game of this state; None if there is none."""
        game = NativeGame.of(state, module="agents.core._core", kind="Searcher")
        return None if game is None else cls(game, exact=exact, endings=endings, without=without)

    def search(self, state: State, limits: Limits) -> Report:
        """The best move."""
        self.game.set(state)
        if self._needs_endings and near_tables(state):
            self.game.native.use_endings(tables())
            self._needs_endings = False
        return alphabeta_report(self.game.native.alphabeta, limits=limits, **self._options)


class PythonAlphaBeta:
    """The search in Python, for any game. It follows no captures beyond the depth.

    `lead` evaluates a state for the side to move; by default it is what the searches know about the game. A drawn game
    is worth `contempt` less than 0 to the side that searches.
    """

    form: Form = "python"

    def __init__(
        self, *, exact: bool = False, now: Clock = time.monotonic, lead: Callable[[Any], int] | None = None,
        contempt: int = 0,
    ) -> None:  # fmt: skip
        self._exact = exact
        self._now = now
        self._lead = lead
        self._contempt = contempt

    def search(self, state: State, limits: Limits) -> Report:
        """The best move: one turn deep, then two, until a limit is reached."""
        lead = knowledge_of(state).lead if self._lead is None else self._lead
        found = _Deepening(state, limits, exact=self._exact, now=self._now, lead=lead)
        found.contempt = self._contempt
        return found.report()


class _Deepening:
    """One search: negamax with a window. Moves that caused many cutoffs are tried first."""

    def __init__(self, state: State, limits: Limits, *, exact: bool, now: Clock, lead: Callable[[Any], int]) -> None:
        self.state = state
        self.limits = limits
        self.exact = exact
        self.deadline = Deadline(limits.seconds, now=now)
        self.lead = lead
        self.contempt = 0
        self.cutoffs: Counter[Move] = Counter()
        self.nodes = 0
        self.score = 0
        self.line: Sequence[Move] = ()

    def report(self) -> Report:
        """Deepen until a limit is reached, and report the best move so far."""
        moves = list(self.state.legal_moves)
        if not moves:
            raise ValueError(GAME_OVER)
        if self.limits.seed:
            random.Random(self.limits.seed).shuffle(moves)
        self.line = moves[:1]
        reached = 0
        with contextlib.suppress(OutOfTime):
            while reached < (self.limits.depth or DEEPEST):
                self._deepen(moves, reached + 1)
                reached += 1
                if watch.progress is not None:
                    watch.progress(str(self.line[0]), self.nodes, reached, self.score, tuple(map(str, self.line)), ())
                if abs(self.score) >= DECIDED - reached and not self.exact:
                    break
        pv = tuple(map(str, self.line))
        return Report(move=pv[0], form="python", nodes=self.nodes, depth=reached, score=self.score, pv=pv)

    def _deepen(self, moves: list[Move], depth: int) -> None:
        # The best move so far comes first: an unfinished depth has then compared it with others.
        moves.sort(key=lambda move: move != self.line[0])
        top = -INFINITY
        for move in moves:
            value, line = self._value(self.state.forward(move), 1, depth - 1, alpha=-INFINITY, beta=-top)
            if -value > top:
                top = self.score = -value
                self.line = [move, *line]

    def _value(self, state: State, turn: int, depth: int, *, alpha: int, beta: int) -> tuple[int, list[Move]]:
        """The value for the side to move, exact between `alpha` and `beta`, else a bound; and the expected line."""
        self.deadline.check()
        self.nodes += 1
        if self.limits.nodes is not None and self.nodes > self.limits.nodes:
            raise OutOfTime
        if (ending := state.ending) is not None:
            if ending.winner is None:
                return self.contempt if turn % 2 else -self.contempt, []
            return DECIDED - turn if ending.winner == state.turn else turn - DECIDED, []
        if depth == 0:
            return self.lead(state), []
        best, line = -INFINITY, list[Move]()
        for move in sorted(state.legal_moves, key=self.cutoffs.__getitem__, reverse=True):
            value, after = self._value(state.forward(move), turn + 1, depth - 1, alpha=-beta, beta=-alpha)
            if -value > best:
                best, line = -value, [move, *after]
            alpha = max(alpha, best)
            if alpha >= beta:
                self.cutoffs[move] += 1
                break
        return best, line
