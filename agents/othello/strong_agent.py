"""The strong Othello agent: learned patterns, a deep selective search, exact endings."""

import functools
from typing import Any

from agents.core.engine import Engine
from agents.options import whole
from agents.othello.patterns import Weights, bundled
from agents.othello.player import OthelloPlayer, native
from agents.othello.strong import NativePatternSearch, PythonPatternSearch
from games.base import Color
from games.othello import OthelloState

__all__ = ["OthelloAgent"]


class OthelloAgent(OthelloPlayer):
    """Searches until it reaches `depth` or `seconds` (per move), or its share of the time for the game.

    With `solve` or fewer empty squares it searches to the end of the game: first for a win, then for the most discs.
    If there is not enough time, it plays the move of the ordinary search. With `book` it plays the moves of the opening
    book, by default if `depth` is not given.
    """

    def __init__(
        self, name: str, color: Color, seconds: float | None = None, depth: int | None = None, solve: int = 20,
        book: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, color, seconds=seconds, depth=depth)
        self.solve = whole("solve", solve, least=0, most=self.deepest)
        self.set_book(book)
        self._loaded: Any = None

    def reset(self) -> None:
        """Load the weights, and forget what was learned in another game."""
        super().reset()
        module = native()
        self._loaded = None if module is None else module.Strong(bundled())

    def engine(self, state: OthelloState) -> Engine:
        """The native search with its weights where it can play, else the search in Python."""
        module = self.native_for(state)
        if module is None:
            return PythonPatternSearch(_weights(), solve=self.solve, now=self.now)
        return NativePatternSearch(self._loaded or module.Strong(bundled()), solve=self.solve)


@functools.cache
def _weights() -> Weights:
    return Weights(bundled())
