"""The strong Othello agent: learned patterns, a deep selective search, and endings without fault."""

import functools
from typing import Any, Final

from agents.core.report import Report
from agents.options import whole
from agents.othello.native import Engine, native
from agents.othello.patterns import DISC, Weights, bundled
from agents.othello.player import OthelloPlayer
from agents.othello.strong import Found, PlainStrong
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloAgent"]

_DEEPEST: Final = 60
#: Empty squares that the search in Python can hope to solve.
_SOLVED_PLAINLY: Final = 8


class OthelloAgent(OthelloPlayer):
    """Searches as deep as `depth` or `seconds` (per move) allow, or its share of the time for the game.

    From `solve` empty squares on it looks for a win, and then for the most discs, by searching to the end of the game;
    if there is no time for that, the move of the ordinary search is played.
    """

    def __init__(
        self, name: str, color: Color, seconds: float | None = None, depth: int | None = None, solve: int = 20
    ) -> None:
        super().__init__(name, color, seconds=seconds)
        self.depth = None if depth is None else whole("depth", depth, most=_DEEPEST)
        self.solve = whole("solve", solve, least=0, most=_DEEPEST)
        self._strong: Any = None

    @property
    def limited(self) -> bool:
        """Whether there is a limit on the depth."""
        return self.depth is not None

    def reset(self) -> None:
        """Read the weights; forget what was learned of positions in another game."""
        super().reset()
        core = native()
        self._strong = None if core is None else core.Strong(bundled())

    def engine(self, state: OthelloState) -> Engine:
        """The search, with the weights read; natively it learns as the game goes on."""
        core = super().engine(state).native
        return Engine(None if core is None else self._strong or core.Strong(bundled()))

    def search(self, engine: Engine, state: OthelloState, *, seconds: float) -> Report:
        """The best move of the deepest search that there was time for."""
        depth = self.depth or _DEEPEST
        if engine.native is None:
            plain = PlainStrong(_bundled(), now=self.now)
            found = plain.search(state, seconds=seconds, depth=depth, solve=min(self.solve, _SOLVED_PLAINLY))
        else:
            found = Found(*engine.native.search(state.text, seconds=seconds, depth=depth, solve=self.solve))
        return Report(
            move=found.move,
            form=engine.form,
            nodes=found.nodes,
            depth=found.depth,
            score=found.score / DISC,
            pv=tuple(found.line),
        )


@functools.cache
def _bundled() -> Weights:
    return Weights(bundled())
