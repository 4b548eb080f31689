"""UCT for Othello with playouts of every kind, and RAVE."""

import contextlib
import math

from agents._search.report import Report, Visits
from agents.budget import OutOfTime
from agents.options import number, one_of, whole
from agents.othello.dice import Dice
from agents.othello.player import OthelloPlayer
from agents.othello.playouts import PLAYOUTS
from agents.othello.tree import Tree
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloUCTAgent"]

_UNLIMITED = 2**63


class OthelloUCTAgent(OthelloPlayer):
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
        super().__init__(name, color, seconds=seconds)
        self.simulations = None if simulations is None else whole("simulations", simulations)
        self.playout = one_of("playout", playout, {name: name for name in PLAYOUTS})
        self.c = number("c", c, least=0)
        self.rave = number("rave", rave, least=0)

    @property
    def limited(self) -> bool:
        """Whether there is a limit on simulations."""
        return self.simulations is not None

    def search(self, state: OthelloState, *, seconds: float) -> Report:
        """The most visited move."""
        core, most = self.native(state), self.simulations or _UNLIMITED
        if core is None:
            made, tried = self._plainly(state, most, seconds)
        else:
            made, tried = core.uct(
                state.text, playout=self.playout, simulations=most, c=self.c, rave=self.rave, seed=self.seed(),
                seconds=seconds,
            )  # fmt: skip
        visits = tuple(map(Visits._make, tried)) or (Visits(state.legal_moves[0], 0, 0.0),)
        best = visits[0]
        return Report(
            move=best.move, form=self.form(state), nodes=made, score=best.mean, pv=(best.move,), visits=visits
        )

    def _plainly(self, state: OthelloState, most: int, seconds: float) -> tuple[int, list[tuple[str, int, float]]]:
        deadline = self.deadline(math.inf if math.isinf(seconds) else seconds)
        tree = Tree(state, PLAYOUTS[self.playout], Dice(self.seed()), self.c, self.rave, deadline.check)
        with contextlib.suppress(OutOfTime):
            while tree.root.visits < most:
                tree.simulate()
        return tree.root.visits, [(node.move, node.visits, node.mean) for node in tree.ranked()]
