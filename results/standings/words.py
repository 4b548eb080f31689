"""What ratings say, in plain words to stand under a table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from results.standings.ratings import Estimate, Ratings
from results.text import plain

__all__ = ["confidence", "words"]


#: Nearer than this to an even chance, an estimate says nothing about the games that would settle it.
_CLOSE: Final = 0.25


@dataclass(frozen=True, slots=True)
class _Step:
    """Two neighbours of the table, the upper one first."""

    upper: str
    lower: str
    difference: Estimate


def words(ratings: Ratings, order: Sequence[str]) -> list[str]:
    """Up to three lines on who is better than the next in the table, `order` being that of the table, best first."""
    names = [name for name in order if ratings.of(name)]
    steps = [
        _Step(upper, lower, difference)
        for upper, lower in pairwise(names)
        if (difference := ratings.difference(upper, lower))
    ]
    if not steps:
        return ["Nobody is rated: there is no game that counts."]
    settled = [step for step in steps if step.difference.settled]
    if len(steps) > 1 and settled == steps and all(step.difference.elo > 0 for step in steps):
        least = min(step.difference.los for step in steps)
        return [f"Everybody is better than the next in the table with at least {confidence(least)} confidence."]
    ends = _ends(ratings, names)
    if not settled and not ends.difference.settled:
        return [f"There are too few games to tell who is better; {_settling(ratings, steps[0])}."]
    said = [_better(step) for step in settled[:1] or [ends]]
    said += [_settling(ratings, step) for step in steps if not step.difference.settled][:1]
    lines = [f"{'; '.join(said)}."]
    if len(steps) > 2:
        lines.append(f"Settled steps from one line of the table to the next: {len(settled)} of {len(steps)}.")
    return lines


def confidence(los: float) -> str:
    """A likelihood in percent, never more than it is.

    >>> confidence(0.978), confidence(1.0)
    ('97 %', '99 %')
    """
    return f"{min(math.floor(los * 100), 99)} %"


def _ends(ratings: Ratings, names: Sequence[str]) -> _Step:
    """The best and the weakest, by rating."""
    ranked = sorted(names, key=lambda name: rating.elo if (rating := ratings.of(name)) else 0.0)
    difference = ratings.difference(ranked[-1], ranked[0])
    assert difference is not None
    return _Step(ranked[-1], ranked[0], difference)


def _better(step: _Step) -> str:
    better, worse, los = step.upper, step.lower, step.difference.los
    if los < 0.5:
        better, worse, los = worse, better, 1 - los
    return f"{plain(better, limit=40)} is better than {plain(worse, limit=40)} with {confidence(los)} confidence"


def _settling(ratings: Ratings, step: _Step) -> str:
    if abs(step.difference.los - 0.5) < _CLOSE:
        return f"{plain(step.upper, limit=40)} and {plain(step.lower, limit=40)} are too close to tell apart soon"
    games = ratings.more_games(step.upper, step.lower)
    number = "many thousands of games" if games is None else f"about {_round(games)} more games"
    return f"{number} would settle {plain(step.upper, limit=40)} against {plain(step.lower, limit=40)}"


def _round(games: int) -> int:
    """The number as precise as a guess may look: tens, from 1000 on hundreds."""
    if games < 20:
        return games
    unit = 10 if games < 1000 else 100
    return math.ceil(games / unit) * unit
