"""Alpha-beta over rectangles, the most gainful first: in Python, what the native one is measured by."""

import contextlib
from typing import Final, NamedTuple, TypeAlias

from agents.budget import Clock, Deadline, OutOfTime
from agents.core.report import DECIDED, Limits, Report
from agents.mushroom.board import PASS, Board, Choice, written

__all__ = ["AlphaBeta", "Table"]

_INFINITY: Final = DECIDED + 1
#: What is beyond has been decided.
_CLEAR: Final = DECIDED - 1000
#: What a cell counts, and a cell that the best next move would gain: the other side moves after it.
_CELL: Final = 2
_NEXT_CELL: Final = 1
#: Moves after so many are first looked at less deeply.
_LATE: Final = 6
_MOST_KNOWN: Final = 1 << 18


class _Known(NamedTuple):
    """What was found out about a position: the value is exact, or at least (+1) or at most (-1) so much."""

    depth: int
    bound: int
    value: int
    best: int


#: What was found out, by the text of the position.
Table: TypeAlias = dict[str, _Known]


class AlphaBeta:
    """One search: deepening, a table of positions, the late moves less deeply."""

    def __init__(self, board: Board, known: Table, limits: Limits, *, now: Clock) -> None:
        self.board = board
        self.known = known
        self.limits = limits
        self.deadline = Deadline(limits.seconds, now=now)
        self.nodes = 0
        self.score = 0
        self.best = PASS

    def report(self) -> Report:
        """Deepen until a limit is reached; what was found by then. The game must not be over."""
        choices = self.board.choices(self.limits.seed)
        self.best = choices[0].move
        reached = 0
        with contextlib.suppress(OutOfTime):
            while len(choices) > 1 and reached < self.limits.depth and abs(self.score) <= _CLEAR:
                self._compare(choices, reached + 1)
                reached += 1
        move = written(self.best)
        return Report(move=move, form="python", nodes=self.nodes, depth=reached, score=self.score, pv=(move,))

    def _compare(self, choices: list[Choice], depth: int) -> None:
        # The best so far goes first: a depth that is broken off has then compared it with others.
        choices.sort(key=lambda choice: choice.move != self.best)
        top = -_INFINITY
        for choice in choices:
            self.board.push(choice.move)
            value = self._child(depth - 1, 1, alpha=top, beta=_INFINITY, first=top == -_INFINITY, less=0)
            self.board.pop()
            if value > top:
                top = self.score = value
                self.best = choice.move

    def _child(self, depth: int, turn: int, *, alpha: int, beta: int, first: bool, less: int) -> int:
        """What the move that was just made is worth: after the first one, try to show that it is no better."""
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
        if known is not None and known.depth >= depth and _settles(known, turn, alpha=alpha, beta=beta):
            return _from_here(known.value, turn)
        choices = board.choices()
        if len(choices) == 1:
            # Nothing but passes can follow.
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
        top, best = -_INFINITY, choices[0].move
        for index, choice in enumerate(choices):
            self.board.push(choice.move)
            less = 1 if depth >= 3 and index >= _LATE else 0
            value = self._child(depth - 1, turn + 1, alpha=max(top, alpha), beta=beta, first=index == 0, less=less)
            self.board.pop()
            if value > top:
                top, best = value, choice.move
            if top >= beta:
                break
        if len(self.known) >= _MOST_KNOWN:
            self.known.clear()
        # Counted from this position on: it may be reached by other ways.
        value = top + turn if top > _CLEAR else top - turn if top < -_CLEAR else top
        self.known[self.board.text] = _Known(depth, 1 if top >= beta else -1 if top <= alpha else 0, value, best)
        return top


def _ended(lead: int, turn: int) -> int:
    return DECIDED - turn if lead > 0 else turn - DECIDED if lead < 0 else 0


def _from_here(value: int, turn: int) -> int:
    return value - turn if value > _CLEAR else value + turn if value < -_CLEAR else value


def _settles(known: _Known, turn: int, *, alpha: int, beta: int) -> bool:
    value = _from_here(known.value, turn)
    return known.bound == 0 or (known.bound > 0 and value >= beta) or (known.bound < 0 and value <= alpha)
