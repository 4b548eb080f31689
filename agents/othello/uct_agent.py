"""UCT for Othello with playouts of every kind, and RAVE."""

import contextlib

from agents.budget import Deadline, OutOfTime
from agents.core.limited import LimitedBySimulations
from agents.core.native import most
from agents.core.report import Report, Visits
from agents.options import number, one_of
from agents.othello.dice import Dice
from agents.othello.native import Engine
from agents.othello.player import OthelloPlayer
from agents.othello.playouts import PLAYOUTS
from agents.othello.tree import Tree
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloUCTAgent"]


class OthelloUCTAgent(OthelloPlayer, LimitedBySimulations[Engine]):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    `playout` says how a simulation goes on where the tree ends: by `random` moves; `light`, a roulette in which good
    squares of map B have more room; `heavy`, a search of two turns for every move; `adaptive`, ten moves of one turn's
    search, then random; `combined`, ten moves of one turn's search, then light. `rave` is the number of visits up to
    which a move is judged rather by simulations in which it was made later; 300 is a start, 0 turns it off.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        playout: str = "random", c: float = 1.4, rave: float = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds)
        self.playout = one_of("playout", playout, {name: name for name in PLAYOUTS})
        self.c = number("c", c, least=0)
        self.rave = number("rave", rave, least=0)

    def search(self, engine: Engine, state: OthelloState, *, seconds: float) -> Report:
        """The most visited move."""
        simulations = most(self.simulations)
        if engine.native is None:
            made, tried = self._plainly(state, simulations, seconds)
        else:
            made, tried = engine.native.uct(
                state.text, playout=self.playout, simulations=simulations, c=self.c, rave=self.rave, seed=self.seed(),
                seconds=seconds,
            )  # fmt: skip
        visits = tuple(map(Visits._make, tried)) or (Visits(state.legal_moves[0], 0, 0.0),)
        best = visits[0]
        return Report(move=best.move, form=engine.form, nodes=made, score=best.mean, pv=(best.move,), visits=visits)

    def _plainly(
        self, state: OthelloState, simulations: int, seconds: float
    ) -> tuple[int, list[tuple[str, int, float]]]:
        deadline = Deadline(seconds, now=self.now)
        tree = Tree(state, PLAYOUTS[self.playout], Dice(self.seed()), self.c, self.rave, deadline.check)
        with contextlib.suppress(OutOfTime):
            while tree.root.visits < simulations:
                tree.simulate()
        return tree.root.visits, [(node.move, node.visits, node.mean) for node in tree.ranked()]
