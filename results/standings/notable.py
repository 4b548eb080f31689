"""Games of note: the longest, the quickest, the narrowest, the greatest surprise, the latest fault. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from results.record import GameSummary
from results.standings.ratings import Ratings

__all__ = ["Notable", "What", "notable"]

What: TypeAlias = Literal["longest", "quickest", "narrowest", "surprise", "fault"]


@dataclass(frozen=True, slots=True)
class Notable:
    """A game and what is special about it.

    `amount` is the number of turns of the longest and of the quickest decided game, the margin of the narrowest, and
    the Elo by which the winner of the greatest surprise is rated below the loser; 0 for the latest fault.
    """

    what: What
    game: GameSummary
    amount: float


def notable(games: Sequence[GameSummary], ratings: Mapping[str, Ratings]) -> list[Notable]:
    """The games of note, each game only once. `ratings` are those of leagues in which a surprise is looked for."""
    found: list[Notable] = []
    for ranked in _ranked(games, ratings):
        named = {known.game.id for known in found}
        found += [one for one in ranked if one.game.id not in named][:1]
    return found


def _ranked(games: Sequence[GameSummary], ratings: Mapping[str, Ratings]) -> Iterator[list[Notable]]:
    """For each kind of note the games from which the first that has no other note is taken."""
    fair = [game for game in games if game.rule is None]
    decided = [game for game in fair if game.score_first != 0.5]
    surprises = [Notable("surprise", game, _surprise(game, ratings)) for game in decided if game.league in ratings]
    yield sorted((one for one in surprises if one.amount > 0), key=lambda one: -one.amount)
    narrow = [
        Notable("narrowest", game, abs(game.margin.first - game.margin.second))
        for game in decided
        if game.margin is not None
    ]
    yield sorted(narrow, key=lambda one: one.amount)
    yield [Notable("longest", game, game.turns) for game in sorted(fair, key=lambda game: -game.turns)]
    yield [Notable("quickest", game, game.turns) for game in sorted(decided, key=lambda game: game.turns)]
    yield [Notable("fault", game, 0) for game in reversed(games) if game.rule is not None]


def _surprise(game: GameSummary, ratings: Mapping[str, Ratings]) -> float:
    winner, loser = (game.first, game.second) if game.score_first == 1 else (game.second, game.first)
    difference = ratings[game.league].difference(loser, winner)
    return 0.0 if difference is None else difference.elo
