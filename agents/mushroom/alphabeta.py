"""Alpha-beta over rectangles, the greatest gain first: the Python twin of the native search."""

import contextlib
import time
from typing import Final

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.engine import DECIDED, Form, Limits, Report
from agents.core.native import DEEPEST
from agents.core.position_table import DECISIVE, INFINITY, KnownPosition, PositionTable
from agents.mushroom.board import PASS, Board, Choice, written
from games.base import State

__all__ = ["PythonMushroomAlphaBeta"]

#: The value of a cell, and of a cell that the best next move would gain, which the opponent can still answer.
_CELL: Final = 2
_NEXT_CELL: Final = 1
#: Moves after the first six are searched less deeply at first.
_LATE: Final = 6


class PythonMushroomAlphaBeta:
    """The search in Python: it specifies the native search, and plays where that was not built."""

    form: Form = "python"

    def __init__(self, *, now: Clock = time.monotonic) -> None:
        self._now = now
        self._known: PositionTable[str] = PositionTable()

    def search(self, state: State, limits: Limits) -> Report:
        """The best move. The game must not be over. What was learned is kept from move to move."""
        return _Deepening(Board.read(state.text), self._known, limits, now=self._now).report()


class _Deepening:
    """One search: deepening, a table of positions, late moves less deeply."""

    def __init__(self, board: Board, known: PositionTable[str], limits: Limits, *, now: Clock) -> None:
        self.board = board
        self.known = known
        self.limits = limits
        self.deadline = Deadline(limits.seconds, now=now)
        self.nodes = 0
        self.score = 0
        self.best = PASS

    def report(self) -> Report:
        """Deepen until a limit is reached, and report the best move so far."""
        choices = self.board.choices(self.limits.seed)
        self.best = choices[0].move
        reached = 0
        with contextlib.suppress(OutOfTime):
            while len(choices) > 1 and reached < (self.limits.depth or DEEPEST) and abs(self.score) <= DECISIVE:
                self._compare(choices, reached + 1)
                reached += 1
        move = written(self.best)
        return Report(move=move, form="python", nodes=self.nodes, depth=reached, score=self.score, pv=(move,))

    def _compare(self, choices: list[Choice], depth: int) -> None:
        # The best move so far comes first: an unfinished depth has then compared it with others.
        choices.sort(key=lambda choice: choice.move != self.best)
        top = -INFINITY
        for choice in choices:
            self.board.push(choice.move)
            value = self._child(depth - 1, 1, alpha=top, beta=INFINITY, first=top == -INFINITY, less=0)
            self.board.pop()
            if value > top:
                top = self.score = value
                self.best = choice.move

    def _child(self, depth: int, turn: int, *, alpha: int, beta: int, first: bool, less: int) -> int:
        """The value of the move just made. Unless it is the first, try to show that it is not better than `alpha`."""
        if not first:
            value = -self._value(depth - less, turn, alpha=-alpha - 1, beta=-alpha)
            if less and value > alpha:
                value = -self._value(depth, turn, alpha=-alpha - 1, beta=-alpha)
            if value <= alpha or value >= beta:
                return value
        return -self._value(depth, turn, alpha=-beta, beta=-alpha)

    def _value(self, depth: int, turn: int, *, alpha: int, beta: int) -> int:
        """The value for the side to move, exact between `alpha` and `beta`, else a bound."""
        self._visit()
        board, lead = self.board, self.board.lead
        if board.over:
            return _ended(lead, turn)
        if board.passes == 1 and lead > 0:
            return DECIDED - turn - 1
        known = self.known.get(board.text)
        if known is not None and (value := known.value_for(depth, turn, alpha=alpha, beta=beta)) is not None:
            return value
        choices = board.choices()
        if len(choices) == 1:
            # Only passes can follow.
            return _ended(lead, turn + 2 - board.passes)
        if depth <= 0:
            return _CELL * lead + _NEXT_CELL * choices[0].gain
        if known is not None:
            choices.sort(key=lambda choice: choice.move != known.best)
        return self._best(choices, depth, turn, alpha=alpha, beta=beta)

    def _visit(self) -> None:
        self.nodes += 1
        self.deadline.check()
        if self.limits.nodes is not None and self.nodes > self.limits.nodes:
            raise OutOfTime

    def _best(self, choices: list[Choice], depth: int, turn: int, *, alpha: int, beta: int) -> int:
        top, best = -INFINITY, choices[0].move
        for index, choice in enumerate(choices):
            self.board.push(choice.move)
            less = 1 if depth >= 3 and index >= _LATE else 0
            value = self._child(depth - 1, turn + 1, alpha=max(top, alpha), beta=beta, first=index == 0, less=less)
            self.board.pop()
            if value > top:
                top, best = value, choice.move
            if top >= beta:
                break
        bound = 1 if top >= beta else -1 if top <= alpha else 0
        self.known.keep(self.board.text, KnownPosition(depth, bound, top, best), turn)
        return top


def _ended(lead: int, turn: int) -> int:
    return DECIDED - turn if lead > 0 else turn - DECIDED if lead < 0 else 0
