"""UCT on the search core: simulations by the hundred thousand, in a tree that is kept from move to move."""

from typing import Final

from agents.core.kernel import Kernel
from agents.core.limited import LimitedBySimulations
from agents.core.plain import Plain
from agents.core.report import Engine, Recipe, Report
from agents.options import number, one_of, whole
from games.base import Color, State

__all__ = ["UCTAgent"]

#: The games in which an evaluation after a few turns tells more than a random game.
_VALUED: Final = frozenset({"games.chess", "games.gomoku", "games.microchess", "games.mushroom"})
_DEPTH: Final = 6
#: How much to explore: evaluations differ less than results do.
_C_OF_VALUES: Final = 0.1
_C_OF_RESULTS: Final = 0.5
#: Shared statistics explore by themselves.
_C_OF_RAVE: Final = 0.05


class UCTAgent(LimitedBySimulations[Engine]):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    A simulation is valued `depth` turns from here, as `mcts` does it; with a depth of 0 it plays the game to its end.
    Below the tree moves are `random`, or `weighted` by how good they look. `rave` is the number of visits up to which
    a move is judged rather by simulations in which it was played later. Without `depth` and `c` the game decides.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        depth: int | None = None, c: float | None = None, amplify: int = 0, rave: float = 0,
        playout: str = "random", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, show=show)
        self.depth = None if depth is None else whole("depth", depth, least=0, most=1000)
        self.c = None if c is None else number("c", c, least=0)
        self.amplify = whole("amplify", amplify, least=0, most=1) == 1
        self.rave = number("rave", rave, least=0)
        self.weighted = one_of("playout", playout, {"random": False, "weighted": True})

    def engine(self, state: State) -> Engine:
        """The core in its native form where there is one for the game, else in Python."""
        return Kernel.of(state) or Plain(now=self.now)

    def search(self, engine: Engine, state: State, *, seconds: float) -> Report:
        """The most visited move."""
        return engine.uct(state, self.recipe(state, seconds))

    def recipe(self, state: State, seconds: float) -> Recipe:
        """The options, completed by what suits the game of `state`."""
        depth = self.depth
        if depth is None:
            depth = _DEPTH if type(state).__module__ in _VALUED else 0
        c = self.c
        if c is None:
            results = _C_OF_RAVE if self.rave else _C_OF_RESULTS
            c = _C_OF_VALUES if depth and not self.amplify else results
        return Recipe(
            seconds=seconds,
            simulations=self.simulations,
            depth=depth,
            c=c,
            rave=self.rave,
            amplify=self.amplify,
            weighted=self.weighted,
            seed=self.seed(),
        )
