"""The agent `alphabeta`: deepening, a table of positions, captures followed to their end."""

from dataclasses import replace
from typing import Any

from agents.alphabeta.search import FEATURES, alphabeta_engine
from agents.core.engine import Engine, Report
from agents.core.searching_agent import DeepeningAgent
from agents.endings.table import near_tables, sure_answer
from agents.options import SWITCH, one_of
from games.base import Color, State

__all__ = ["AlphaBetaAgent"]


class AlphaBetaAgent(DeepeningAgent):
    """Searches until it reaches `depth`, `nodes`, `seconds` or `cpu_seconds` (all per move), whichever comes first.

    Without any of them it spends its share of the time left for the game. With `endings` it knows the tables of
    microchess endings; the Python form does not use them. With `book` it plays the moves of the opening book, by
    default if neither `depth` nor `nodes` is given. The native search does `without` one of its features, to show
    what it is worth.
    """

    def __init__(
        self, name: str, color: Color, depth: int | None = None, seconds: float | None = None,
        cpu_seconds: float | None = None, nodes: int | None = None, endings: str = "yes",
        book: str | None = None, without: str = "nothing", show: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(name, color, depth=depth, seconds=seconds, cpu_seconds=cpu_seconds, nodes=nodes, show=show)
        self.endings = one_of("endings", endings, SWITCH)
        self.set_book(book)
        self.without = one_of("without", without, FEATURES)

    def engine(self, state: State) -> Engine:
        """The native search where there is one for the game, else the Python twin."""
        return alphabeta_engine(state, now=self.now, endings=self.endings, without=self.without)

    def search(self, engine: Engine, state: Any, *, seconds: float) -> Report:
        """The best move; the report says what the tables of endings know about the position."""
        report = super().search(engine, state, seconds=seconds)
        known = sure_answer(state) if self.endings and engine.form == "kernel" and near_tables(state) else None
        return report if known is None else replace(report, text=f"table: {known}")
