"""The agents that search: `mushroom` by alpha-beta, the best of them, and `mushroom_uct`."""

from typing import Final

from agents.budget import RESERVE
from agents.core.engine import Engine
from agents.core.native import NativeTextSearch, extension
from agents.core.searching_agent import DeepeningAgent, SearchingAgent
from agents.mushroom.alphabeta import PythonMushroomAlphaBeta
from agents.mushroom.uct import STATES, MushroomUctSettings, mushroom_uct
from agents.options import number, one_of
from games.base import Color
from games.mushroom import MushroomState

__all__ = ["MushroomAgent", "MushroomUCTAgent"]

#: Digits that disappear in one turn of each side, and spare turns at the end.
_DIGITS_A_ROUND: Final = 8
_SPARE_ROUNDS: Final = 3


class _MushroomPlayer(SearchingAgent):
    plays = MushroomState

    def share(self, state: MushroomState) -> float:
        """The fewer digits are left, the fewer moves will follow."""
        if self.moves_to_go is not None or self.increment:
            return super().share(state)
        digits = sum(cell.isdigit() for row in state.rows for cell in row)
        rounds = digits / _DIGITS_A_ROUND + _SPARE_ROUNDS
        return max((self.time_left - RESERVE) / rounds, min(super().share(state), self.time_left / rounds))


class MushroomAgent(_MushroomPlayer, DeepeningAgent):
    """Searches until it reaches `depth`, `nodes`, `seconds` or `cpu_seconds` (all per move).

    Without any of them it spends its share of the time left for the game.
    """

    def engine(self, _state: MushroomState) -> Engine:
        """The native search if it was built, else the Python twin."""
        native = extension("agents.mushroom._native")
        if native is None:
            return PythonMushroomAlphaBeta(now=self.now)
        return NativeTextSearch(native.Searcher().alphabeta)


class MushroomUCTAgent(_MushroomPlayer):
    """Runs `simulations`, or as many as `seconds`, `cpu_seconds` (all per move) or the time for the game allow.

    A move is worth (mine - theirs) / (mine + theirs + 1) in cells. `states` says how the search gets the state of a
    node: `copy` keeps all states, `rebuild` makes them from a small cache, `undo` takes moves back. All three choose
    the same moves.
    """

    def __init__(
        self, name: str, color: Color, simulations: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, c: float = 0.02, states: str = "undo", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, simulations=simulations, seconds=seconds, cpu_seconds=cpu_seconds, show=show)
        self.settings = MushroomUctSettings(
            c=number("c", c, least=0), states=one_of("states", states, {name: name for name in STATES})
        )

    def engine(self, _state: MushroomState) -> Engine:
        """The native search if it was built, else the Python twin."""
        return mushroom_uct(self.settings, now=self.now)
