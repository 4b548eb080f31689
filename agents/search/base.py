"""What the search agents share: options, the clock, iterative deepening, the choice among equals."""

import contextlib
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from agents.base import BaseAgent
from agents.budget import Clock, Deadline, OutOfTime, seconds_for_move
from agents.evaluation import EVALUATIONS, Evaluation
from agents.options import one_of
from games.base import Color, Move, State

__all__ = ["NOISE", "DeepeningAgent", "SearchAgent"]

#: Far below the smallest difference between two evaluations, far above what rounding does to them.
NOISE: Final = 1e-9

_State = TypeVar("_State", bound=State)


class SearchAgent(BaseAgent):
    """An agent that tries moves in its head, as long as its time for the game allows."""

    def __init__(self, name: str, color: Color, *, evaluation: str) -> None:
        super().__init__(name, color)
        self.evaluate: Evaluation = one_of("evaluation", evaluation, EVALUATIONS)
        self.now: Clock = time.monotonic
        self.deadline = Deadline(0, now=self.now)
        self.nodes = 0

    def seconds(self) -> float:
        """How long this move may take."""
        return seconds_for_move(self.time_left)

    def act(self, state: State) -> Move:
        """The move that `choose` prefers; an only move at once."""
        self.deadline = Deadline(self.seconds(), now=self.now)
        self.nodes = 0
        moves = list(state.legal_moves)
        if not moves:
            raise ValueError("there is no move to choose: the game is over")
        return moves[0] if len(moves) == 1 else self.choose(state, moves)

    @abstractmethod
    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """One of two or more legal moves."""

    def forward(self, state: _State, move: Move) -> _State:
        """The state after a move in the head: a node of the search. Raises `OutOfTime`."""
        self.deadline.check()
        self.nodes += 1
        return state.forward(move)


class DeepeningAgent(SearchAgent):
    """Searches one turn deep, then two, up to `depth`; short of time, the best move found so far counts.

    Tiny noise, drawn once per move, decides between moves of the same score.
    """

    def __init__(self, name: str, color: Color, *, depth: int, evaluation: str) -> None:
        super().__init__(name, color, evaluation=evaluation)
        self.depth = depth
        self.best: Move = None

    @abstractmethod
    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:
        """What `move` leads to, `depth` turns deep; need not be exact if it is not above `floor`."""

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The move with the best score at `depth`, or at the depth that time allows."""
        luck = {move: self.rng.random() * NOISE for move in moves}
        self.best = max(moves, key=luck.__getitem__)
        with contextlib.suppress(OutOfTime):
            for depth in range(1, self.depth + 1):
                # The best so far goes first: alpha-beta cuts most after a good move, and a depth that is
                # broken off has then compared it with others.
                self._search(state, {self.best: luck[self.best], **luck}, depth)
        return self.best

    def _search(self, state: State, luck: Mapping[Move, float], depth: int) -> None:
        top = float("-inf")
        for move, noise in luck.items():
            # Not `score + noise > top`: rounding must not lift a score that is only a bound.
            floor = top - noise
            score = self.score(state, move, depth=depth, floor=floor)
            if score > floor:
                self.best, top = move, score + noise
