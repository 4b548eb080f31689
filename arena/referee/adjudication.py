"""Adjudication: games that end early, by the values that the players themselves report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.base import Color

__all__ = ["NO_ADJUDICATION", "Adjudged", "Adjudication", "Adjudicator", "DrawRule", "ResignRule"]


class ResignRule(NamedTuple):
    """A player loses when it reports at most minus `score` for its last `moves` moves."""

    score: int
    moves: int


class DrawRule(NamedTuple):
    """A draw when both players report at most `score`, for either side, for their last `moves` moves.

    Not before both have made `after` moves, opening included.
    """

    score: int
    moves: int
    after: int


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends early. Scores are in hundredths of a pawn, for the player that reports them."""

    resign: ResignRule | None = None
    draw: DrawRule | None = None

    @property
    def is_on(self) -> bool:
        """Whether the players are asked what they think."""
        return self.resign is not None or self.draw is not None


#: All games are played to their end.
NO_ADJUDICATION = Adjudication()


@dataclass(frozen=True, slots=True)
class Adjudged:
    """How a game ended early; nobody wins a draw. It has the fields of an `Ending`; nothing was counted."""

    winner: Color | None
    detail: str
    reason: str = "adjudicated"
    margin: None = None


class Adjudicator:
    """Watches the scores of one game.

    A move without a report starts the count anew. An only move does neither: programs often play it without a search.
    """

    def __init__(self, rules: Adjudication, *, first: Color) -> None:
        self._rules = rules
        self._first = first
        self._scores: dict[Color, list[int]] = {True: [], False: []}

    def take(self, color: Color, score: int | None, *, turns: int, is_only_move: bool) -> Adjudged | None:
        """Note what a player reports about its move; the ending if the game is over. `turns` are the moves so far."""
        scores = self._scores[color]
        if score is not None:
            scores.append(score)
        elif not is_only_move:
            scores.clear()
        return self._resignation(color) or self._draw(turns)

    def forget(self) -> None:
        """Start all counts anew: moves were taken back."""
        for scores in self._scores.values():
            scores.clear()

    def _resignation(self, color: Color) -> Adjudged | None:
        rule = self._rules.resign
        if rule is None or not self._agree(color, rule.moves, most=-rule.score):
            return None
        name = "first" if color == self._first else "second"
        said = _range(self._scores[color][-rule.moves :])
        return Adjudged(not color, f"{name} reported {said} for its last {rule.moves} moves")

    def _draw(self, turns: int) -> Adjudged | None:
        rule = self._rules.draw
        if rule is None or turns < 2 * rule.after:
            return None
        if not all(self._agree(color, rule.moves, least=-rule.score, most=rule.score) for color in self._scores):
            return None
        first, second = (_range(self._scores[color][-rule.moves :]) for color in (self._first, not self._first))
        detail = f"first reported {first}, second {second} for their last {rule.moves} moves"
        return Adjudged(None, detail)

    def _agree(self, color: Color, moves: int, *, most: int, least: float = float("-inf")) -> bool:
        last = self._scores[color][-moves:]
        return len(last) == moves and all(least <= score <= most for score in last)


def _range(scores: Sequence[int]) -> str:
    """The lowest and the highest of these scores."""
    return f"{min(scores):+d}" if min(scores) == max(scores) else f"{min(scores):+d} to {max(scores):+d}"
