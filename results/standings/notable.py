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
    for one in _candidates(games, ratings):
        if one.game.id not in {known.game.id for known in found}:
            found.append(one)
    return found


def _candidates(games: Sequence[GameSummary], ratings: Mapping[str, Ratings]) -> Iterator[Notable]:
    fair = [game for game in games if game.rule is None]
    decided = [game for game in fair if game.score_first != 0.5]
    surprises = [(_surprise(game, ratings), game) for game in decided if game.league in ratings]
    if surprises:
        elo, game = max(surprises, key=lambda pair: pair[0])
        if elo > 0:
            yield Notable("surprise", game, elo)
    margins = [(abs(game.margin.first - game.margin.second), game) for game in decided if game.margin is not None]
    if margins:
        amount, game = min(margins, key=lambda pair: pair[0])
        yield Notable("narrowest", game, amount)
    if fair:
        game = max(fair, key=lambda game: game.turns)
        yield Notable("longest", game, game.turns)
    if decided:
        game = min(decided, key=lambda game: game.turns)
        yield Notable("quickest", game, game.turns)
    faults = [game for game in games if game.rule is not None]
    if faults:
        yield Notable("fault", faults[-1], 0)


def _surprise(game: GameSummary, ratings: Mapping[str, Ratings]) -> float:
    winner, loser = (game.first, game.second) if game.score_first == 1 else (game.second, game.first)
    difference = ratings[game.league].difference(loser, winner)
    return 0.0 if difference is None else difference.elo
