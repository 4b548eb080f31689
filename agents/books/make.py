"""How an opening book is made: the most likely positions first, each searched deeply.

The book begins with the start position. Each position that was searched adds the positions after all its moves. How
far a move is behind the best one, by a short search, says how likely it is, and the differences along a line of play
add up; the position with the smallest sum comes next. So the book follows good play far, and other play a few turns.

A move enters the book if the side to move is not behind by more than `LEAST` after it, and if a search that is
deeper still does not call it losing (`LOSING`).
"""

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import games
from agents.alphabeta.search import alphabeta_engine
from agents.core.engine import Limits
from agents.opening_book import place_of
from agents.othello.strong_agent import OthelloAgent
from games.base import BLACK

__all__ = ["EFFORTS", "LEAST", "LOSING", "Effort", "Entry", "Search", "make", "search_of"]

#: The least expected score with which a move enters a book, and the score below which a deeper search calls it losing.
LEAST: Final = 0.4
LOSING: Final = 0.35

#: The expected score of the side to move in a state.
Search = Callable[[Any], tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Effort:
    """What a search may spend: nodes in microchess, turns in Othello."""

    short: int
    deep: int
    check: int


#: The usual efforts.
EFFORTS: Final[Mapping[str, Effort]] = {
    "microchess": Effort(short=10_000, deep=300_000, check=1_000_000),
    "othello": Effort(short=5, deep=14, check=15),
}
#: The lead that counts as half a win: hundredths of a pawn, and discs.
_HALF_WIN: Final = {"microchess": 500.0, "othello": 20.0}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a book."""

    key: str
    move: str
    value: float


def search_of(game: str, effort: int) -> Search:
    """A search that finds the best move and its expected score."""
    half_win = _HALF_WIN[game]
    start: Any = games.load(game).start()
    if game == "othello":
        agent = OthelloAgent("book", BLACK)
        agent.reset()
        # The side that moves last looks better, so the scores of an odd and an even depth are averaged.
        engine, limits = agent.engine(start), [Limits(depth=max(1, effort - 1)), Limits(depth=effort)]
    else:
        engine, limits = alphabeta_engine(start), [Limits(nodes=effort)]

    def search(state: Any) -> tuple[str, float]:
        reports = [engine.search(state, limit) for limit in limits]
        score = fmean(report.score for report in reports)
        return reports[-1].move, (1 + score / (abs(score) + half_win)) / 2

    return search


def make(game: str, *, positions: int, effort: Effort) -> Iterator[Entry]:
    """The entries of a book, the most likely positions first, until so many positions were searched."""
    short, deep, check = (search_of(game, each) for each in (effort.short, effort.deep, effort.check))
    start = games.load(game).start()
    waiting: list[tuple[float, int, Any]] = [(0.0, 0, start)]
    seen, number = {_key(start)}, 0
    for _ in range(positions):
        if not waiting:
            return
        behind, _order, state = heapq.heappop(waiting)
        text, value = deep(state)
        chosen = state.forward(state.parse(text))
        if value >= LEAST and (chosen.is_game_over() or 1 - check(chosen)[1] >= LOSING):
            yield _entry(state, text, round(value, 3))
        for after, less in _replies(state, text, short):
            if _key(after) not in seen:
                seen.add(_key(after))
                number += 1
                heapq.heappush(waiting, (behind + less, number, after))


def _replies(state: Any, best: str, short: Search) -> Iterator[tuple[Any, float]]:
    """The positions after each move in which the game goes on, and how far the move is behind the best."""
    found = []
    for move in state.legal_moves:
        after = state.forward(move)
        if not after.is_game_over():
            found.append((str(move), after, 1 - short(after)[1]))
    top = max((value for _, _, value in found), default=0.0)
    for text, after, value in found:
        yield after, 0.0 if text == best else top - value + 0.01


def _key(state: Any) -> str:
    place = place_of(state)
    assert place is not None, "only games with a book are asked for"
    return place.key


def _entry(state: Any, text: str, value: float) -> Entry:
    place = place_of(state)
    assert place is not None, "only games with a book are asked for"
    return Entry(place.key, place.stored(text), value)
