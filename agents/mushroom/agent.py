"""The agents that search: `mushroom` by alpha-beta, the best of them, and `mushroom_uct`."""

from typing import Final

from agents.budget import RESERVE
from agents.core.limited import LimitedByDepth, LimitedBySimulations
from agents.core.report import Report
from agents.core.searching_agent import SearchingAgent
from agents.mushroom.kernel import Engine, engine
from agents.mushroom.states import STATES
from agents.mushroom.uct import Recipe
from agents.options import number, one_of
from games.base import Color
from games.mushroom import MushroomState

__all__ = ["MushroomAgent", "MushroomUCTAgent"]

#: Digits that go in one turn of each side, and turns that may come after the last ones.
_DIGITS_A_ROUND: Final = 8
_SPARE_ROUNDS: Final = 3


class _MushroomPlayer(SearchingAgent[Engine]):
    plays = MushroomState

    def engine(self, _state: MushroomState) -> Engine:
        """The searches in their native form, or where there are none in Python."""
        return engine(now=self.now)

    def share(self, state: MushroomState) -> float:
        """The fewer digits are left, the fewer moves are to come."""
        digits = sum(cell.isdigit() for row in state.rows for cell in row)
        rounds = digits / _DIGITS_A_ROUND + _SPARE_ROUNDS
        return max((self.time_left - RESERVE) / rounds, min(super().share(state), self.time_left / rounds))


class MushroomAgent(_MushroomPlayer, LimitedByDepth[Engine]):
    """Searches as deep as `depth`, `nodes` or `seconds` (all per move) allow, or its share of the time for the game."""

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        nodes: int | None = None, show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, nodes=nodes, show=show)

    def search(self, engine: Engine, state: MushroomState, *, seconds: float) -> Report:
        """The best move by alpha-beta."""
        return engine.alphabeta(state, self.limits(seconds))


class MushroomUCTAgent(_MushroomPlayer, LimitedBySimulations[Engine]):
    """Runs `simulations`, or as many as `seconds` (both per move) or the time for the game allow.

    A move is worth (mine - theirs) / (mine + theirs + 1). `states` is how the state of a node is come by: `copy` keeps
    all, `rebuild` makes them anew from a small cache, `undo` takes moves back. They play alike.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        c: float = 0.02, states: str = "undo", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, show=show)
        self.c = number("c", c, least=0)
        self.states = one_of("states", states, {name: name for name in STATES})

    def search(self, engine: Engine, state: MushroomState, *, seconds: float) -> Report:
        """The most visited move."""
        recipe = Recipe(
            seconds=seconds, simulations=self.simulations, c=self.c, states=self.states, seed=self.seed()
        )  # fmt: skip
        return engine.uct(state, recipe).report
