"""Alpha-beta that looks at threats first: the Python twin of the native search."""

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import DECIDED, Form, Limits, Report
from agents.core.native import DEEPEST
from agents.core.position_table import DECISIVE, INFINITY, KnownPosition, PositionTable
from agents.gomoku.force import Failed, Forcing
from agents.gomoku.threats import Threats, points
from games.base import BLACK, WHITE, Color, State

__all__ = ["PythonGomokuSearch"]

#: How many moves are searched in a position without a threat to answer.
_WIDTH: Final = 16
#: The nodes for a win by fours, at the root and below it; and for a win by threes, per turn of depth.
_ROOT_FOURS: Final = 20_000
_FOURS: Final = 150
_THREES: Final = 1000
_MASK: Final = (1 << 64) - 1

#: The stones of both sides, and the side to move.
_Key: TypeAlias = tuple[int, int, Color]


@dataclass(frozen=True, slots=True)
class _Memory:
    known: PositionTable[_Key] = field(default_factory=PositionTable)
    failed: Failed = field(default_factory=dict)


class PythonGomokuSearch:
    """The search in Python: it specifies the native search, and plays where that was not built."""

    form: Form = "python"

    def __init__(self, *, now: Clock = time.monotonic) -> None:
        self._now = now
        self._memory = _Memory()

    def search(self, state: State, limits: Limits) -> Report:
        """The best move. The game must not be over. What was learned is kept from move to move."""
        return _Search(Threats.read(state.text), self._memory, limits, self._now).report()


class _Search:
    def __init__(self, board: Threats, memory: _Memory, limits: Limits, now: Clock) -> None:
        self.board = board
        self.known = memory.known
        self.limits = limits
        self.deadline = Deadline(limits.seconds, now=now)
        self.forcing = Forcing(board, self.visit, memory.failed)
        self.nodes = 0
        self.depth = 0
        self.score = 0
        self.line: list[int] = []

    def report(self) -> Report:
        """Deepen until a limit is reached, and report the best move so far."""
        moves = self._root_moves()
        self.line = moves[:1]
        if len(moves) > 1:
            with contextlib.suppress(OutOfTime):
                self._deepen(moves)
        size = self.board.size
        pv = [f"{point % size},{point // size}" for point in self.line]
        return Report(move=pv[0], form="python", nodes=self.nodes, depth=self.depth, score=self.score, pv=pv)

    def visit(self) -> None:
        """Count a node; raises `OutOfTime` when a limit is reached."""
        self.nodes += 1
        self.deadline.check()
        if self.limits.nodes is not None and self.nodes > self.limits.nodes:
            raise OutOfTime

    def _root_moves(self) -> list[int]:
        """The moves to choose from, the most promising first; only one if it is forced."""
        board, size = self.board, self.board.size
        own, other = board.turn, not board.turn
        for urgent in (board.fives[own], board.fives[other]):
            if urgent:
                self.score = DECIDED - 1 if urgent == board.fives[own] else 0
                return [next(points(urgent))]
        if not any(board.stones):
            return [size // 2 * size + size // 2]
        urgent = board.answers() if board.wins[other] else 0
        return self._ordered(urgent or board.near or board.open, self.limits.seed)[: None if urgent else 2 * _WIDTH]

    def _ordered(self, moves: int, seed: int = 0) -> list[int]:
        """The moves by their value; the seed orders moves of equal value."""
        return sorted(
            points(moves), key=lambda point: (-self.board.value(point), seed * (2 * point + 1) & _MASK)
        )  # fmt: skip

    def _deepen(self, moves: list[int]) -> None:
        if self._won(self.forcing.by_fours(nodes=_ROOT_FOURS)):
            return
        for depth in range(1, (self.limits.depth or DEEPEST) + 1):
            if self._won(self.forcing.by_threes(nodes=_THREES * depth, depth=depth)):
                return
            self._compare(moves, depth)
            while len(moves) > 1 and self._refuted(self.line[0], depth):
                moves.remove(self.line[0])
                self.line = moves[:1]
                self._compare(moves, depth)
            self.depth = depth
            if abs(self.score) > DECISIVE:
                return

    def _won(self, line: list[int]) -> bool:
        if line:
            self.line, self.score = line, DECIDED - len(line)
        return bool(line)

    def _refuted(self, move: int, depth: int) -> bool:
        """Whether the opponent wins by threats after this move."""
        self.board.put(move)
        line = self.forcing.by_threes(nodes=_THREES * depth, depth=depth)
        self.board.lift(move)
        return bool(line)

    def _compare(self, moves: Iterable[int], depth: int) -> None:
        """Find the best of these moves, searched to this depth."""
        # The best move so far comes first: an unfinished depth has then compared it with others.
        top = -INFINITY
        for move in sorted(moves, key=lambda move: move != self.line[0]):
            self.board.put(move)
            value = self._child(depth - 1, 1, alpha=top, beta=INFINITY, first=top == -INFINITY)
            self.board.lift(move)
            if value > top:
                top = self.score = value
                self.line = [move]

    def _child(self, depth: int, turn: int, *, alpha: int, beta: int, first: bool) -> int:
        """The value of the move just made. Unless it is the first, try to show that it is not better than `alpha`."""
        if not first:
            value = -self._value(depth, turn, alpha=-alpha - 1, beta=-alpha)
            if value <= alpha or value >= beta:
                return value
        return -self._value(depth, turn, alpha=-beta, beta=-alpha)

    def _value(self, depth: int, turn: int, *, alpha: int, beta: int) -> int:
        """The value for the side to move, exact between `alpha` and `beta`, else a bound."""
        self.visit()
        board, own, other = self.board, self.board.turn, not self.board.turn
        forced = board.fives[other]
        if board.fives[own]:
            return DECIDED - turn - 1
        if forced & forced - 1:
            return turn + 2 - DECIDED
        if not forced and board.wins[own]:
            return DECIDED - turn - 3
        if not board.open:
            return 0
        known = self.known.get(self._key())
        if known is not None and (value := known.value_for(depth, turn, alpha=alpha, beta=beta)) is not None:
            return value
        if not forced:
            if line := self.forcing.by_fours(nodes=_FOURS):
                value = DECIDED - turn - len(line)
                self.known.keep(self._key(), KnownPosition(99, 0, value, line[0]), turn)
                return value
            if depth <= 0:
                return 5 * board.scores[own] // 4 - board.scores[other]
        return self._best(self._moves(forced, known), depth if forced else depth - 1, turn, alpha=alpha, beta=beta)

    def _moves(self, forced: int, known: KnownPosition | None) -> list[int]:
        board = self.board
        if forced:
            return list(points(forced))
        urgent = board.answers() if board.wins[not board.turn] else 0
        moves = self._ordered(urgent or board.near or board.open)[: None if urgent else _WIDTH]
        if known is not None:
            moves.sort(key=lambda move: move != known.best)
        return moves

    def _best(self, moves: list[int], depth: int, turn: int, *, alpha: int, beta: int) -> int:
        floor, top, best = alpha, -INFINITY, moves[0]
        for index, move in enumerate(moves):
            self.board.put(move)
            value = self._child(depth, turn + 1, alpha=max(top, floor), beta=beta, first=index == 0)
            self.board.lift(move)
            if value > top:
                top, best = value, move
            if top >= beta:
                break
        bound = 1 if top >= beta else -1 if top <= floor else 0
        self.known.keep(self._key(), KnownPosition(depth + 1, bound, top, best), turn)
        return top

    def _key(self) -> _Key:
        return self.board.stones[BLACK], self.board.stones[WHITE], self.board.turn
