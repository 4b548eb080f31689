"""What the teaching agents share: options, time, iterative deepening, the choice between equal moves."""

import contextlib
import math
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from agents.base import BaseAgent
from agents.budget import Clock, Deadline, OutOfTime, seconds_for_move
from agents.core.engine import GAME_OVER
from agents.evaluation import EVALUATIONS, Evaluation
from agents.options import one_of
from games.base import Color, Move, State

__all__ = ["NOISE", "DeepeningAgent", "SearchAgent"]

#: Far below the smallest difference between two evaluations, far above rounding errors.
NOISE: Final = 1e-9

_State = TypeVar("_State", bound=State)


class SearchAgent(BaseAgent):
    """An agent that tries moves as long as its time for the game allows."""

    def __init__(self, name: str, color: Color, *, evaluation: str) -> None:
        super().__init__(name, color)
        self.evaluate: Evaluation = one_of("evaluation", evaluation, EVALUATIONS)
        self.now: Clock = time.monotonic
        self.deadline = Deadline(0, now=self.now)
        self.nodes = 0

    def seconds(self) -> float:
        """The seconds that this move may take."""
        if math.isfinite(self.limits.seconds):  # another program has given this move its own time
            return min(self.limits.seconds, self.time_left)
        return seconds_for_move(self.time_left, increment=self.increment, moves_to_go=self.moves_to_go)

    def act(self, state: State) -> Move:
        """The move of `choose`; an only move at once."""
        self.deadline = Deadline(self.seconds(), now=self.now)
        self.nodes = 0
        moves = list(state.legal_moves)
        if not moves:
            raise ValueError(GAME_OVER)
        return moves[0] if len(moves) == 1 else self.choose(state, moves)

    @abstractmethod
    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """One of two or more legal moves."""

    def forward(self, state: _State, move: Move) -> _State:
        """The state after a move, counted as a node of the search. Raises `OutOfTime`."""
        self.deadline.check()
        self.nodes += 1
        return state.forward(move)


class DeepeningAgent(SearchAgent):
    """Searches one turn deep, then two, up to `depth`; out of time, it plays the best move found so far.

    Tiny random noise, drawn once per move, decides between moves with the same score.
    """

    def __init__(self, name: str, color: Color, *, depth: int, evaluation: str) -> None:
        super().__init__(name, color, evaluation=evaluation)
        self.depth = depth
        self.best: Move = None

    @abstractmethod
    def score(self, state: State, move: Move, *, depth: int, floor: float) -> float:
        """The score of `move` in a search of `depth` turns; it need not be exact if it is not above `floor`."""

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        """The move with the best score at `depth`, or at the depth that time allows."""
        luck = {move: self.rng.random() * NOISE for move in moves}
        self.best = max(moves, key=luck.__getitem__)
        with contextlib.suppress(OutOfTime):
            for depth in range(1, min(self.depth, self.limits.depth or self.depth) + 1):
                # The best move so far comes first: alpha-beta cuts most after a good move, and an unfinished
                # depth has then compared it with others.
                self._search(state, {self.best: luck[self.best], **luck}, depth)
                self.tell(line=[str(self.best)], depth=depth)
        return self.best

    def _search(self, state: State, luck: Mapping[Move, float], depth: int) -> None:
        top = float("-inf")
        for move, noise in luck.items():
            # Not `score + noise > top`: rounding must not raise a score that is only a bound.
            floor = top - noise
            score = self.score(state, move, depth=depth, floor=floor)
            if score > floor:
                self.best, top = move, score + noise
