"""The pairings of a ladder or an adaptive league: drawn from ratings that move with every game, and stored as drawn."""

import random
from collections import OrderedDict
from collections.abc import Collection, Iterable

from arena.competition.seeds import derive
from arena.formats import ladder
from arena.formats.schedule import count_games, mirrored
from results.league import League
from results.pairing import Pairing, RatedGame
from results.record import GameRecord
from results.standings.online import OnlineRatings
from results.standings.ratings import rate
from results.standings.settling import doubts
from results.store.store import Store

__all__ = ["RatedQueue", "games_of"]


def games_of(league: League) -> int | None:
    """The number of games at which a ladder or an adaptive league ends; None for no limit."""
    if league.format == "ladder":
        games = league.settings.get("games")
        return games if isinstance(games, int) else None
    return count_games(league.format, len(league.active), league.rounds)


class RatedQueue:
    """Gives out the pairings of a ladder or an adaptive league, as `PairingQueue` does for other formats.

    A draw needs only what is stored: settings, secret, earlier draws and games. It does not wait for running games, so
    no worker is idle at its end. What it drew is stored, and given out again after a restart.
    """

    def __init__(self, store: Store, league: League) -> None:
        self._store = store
        self._ratings = OnlineRatings()
        for game in store.rated_games(league.name):
            self._rate(game)
        self._done = store.count(league.name, departed=True)
        self._due = _by_key(store.unplayed(league.name))
        self._rounds = store.rounds(league.name)
        self.follow(league)

    def follow(self, league: League) -> None:
        """Continue with the league in this form. Who has entered is drawn from the next draw on."""
        self._league = league
        self._numbers = {entrant.name: number for number, entrant in enumerate(league.entrants, 1)}
        active = set(league.active)
        self._due = _by_key(game for game in self._due.values() if {game.first, game.second} <= active)
        self.is_settled = False

    @property
    def done(self) -> int:
        """The number of games that are played."""
        return self._done

    @property
    def total(self) -> int | None:
        """The number of games at which the league ends; None if there is no limit."""
        limit = games_of(self._league)
        known = self._done + len(self._due)
        return known if self.is_settled else None if limit is None else max(limit, known)

    def settle(self, record: GameRecord) -> None:
        """Take note of a game that is stored."""
        first, second = self._numbers[record.first.name], self._numbers[record.second.name]
        codes = record.first.hash, record.second.hash
        self._rate(RatedGame(first=first, second=second, points=record.score_first, codes=codes))
        self._done += 1
        self._due.pop(record.key, None)

    def next(self, busy: Collection[str]) -> Pairing | None:
        """The next pairing; None if the limit is reached, the order is settled, or fewer than two entrants are left."""
        if all(key in busy for key in self._due) and not self.is_settled:
            limit = games_of(self._league)
            self._draw(None if limit is None else max(limit - self._done - len(busy), 0))
        key = next((key for key in self._due if key not in busy), None)
        return None if key is None else self._due.pop(key)

    def _rate(self, game: RatedGame) -> None:
        self._ratings.add(game.first, game.second, game.points, codes=game.codes)

    def _draw(self, most: int | None) -> None:
        """Draw and store the next pairings, at most so many; none if the order is settled."""
        league, active = self._league, self._league.active
        if most == 0 or len(active) < 2:
            return
        doubtful: list[tuple[int, int]] = []
        if league.format == "adaptive" or league.settings.get("until") == "settled":
            doubtful = self._doubtful()
            if not doubtful and all(ladder.is_placed(number, self._ratings) for number in active):
                self.is_settled = True
                return
        rng = random.Random(derive(league.secret, "draw", str(self._rounds)))
        pairs = ladder.draw(active, self._ratings, rng, doubtful=doubtful)
        drawn = [game for first, second in pairs for game in mirrored(self._rounds, first=first, second=second)][:most]
        self._store.draw(league.name, drawn)
        self._due.update(_by_key(drawn))
        self._rounds += 1

    def _doubtful(self) -> list[tuple[int, int]]:
        """The pairs of entrants whose order is open, by number; those that need the fewest games first."""
        ratings = rate(list(self._numbers), self._store.pairs(self._league.name))
        found = doubts(ratings, [self._league.entrants[number - 1].name for number in self._league.active])
        return [(self._numbers[doubt.upper], self._numbers[doubt.lower]) for doubt in found]


def _by_key(pairings: Iterable[Pairing]) -> OrderedDict[str, Pairing]:
    """Pairings by key; unlike a plain dictionary it is fast at removing the first one again and again."""
    return OrderedDict((pairing.key, pairing) for pairing in pairings)
