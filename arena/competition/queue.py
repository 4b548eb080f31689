"""The pairings of a stored league that are still to be played, in order."""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from arena.formats import knockout, swiss
from arena.formats.schedule import SCHEDULES, count_games
from results.league import Award, League
from results.pairing import Pairing
from results.standings.table import meetings
from results.store.store import Store

__all__ = ["DRAWN", "PairingQueue", "remaining"]

#: Formats whose rounds are drawn from earlier results. The pairings of a drawn round are stored.
DRAWN: Final[dict[str, Callable[..., list[Pairing]]]] = {"knockout": knockout.knockout, "swiss": swiss.swiss}


def remaining(store: Store, league: League) -> Iterator[Pairing]:
    """The known pairings that are not settled."""
    settled = store.keys(league.name)
    return (pairing for pairing in _known(store, league) if pairing.key not in settled)


def _known(store: Store, league: League) -> Iterator[Pairing]:
    """All pairings, or those of the rounds drawn so far."""
    if league.format in DRAWN:
        return iter(store.drawn(league.name))
    return SCHEDULES[league.format](league.active, rounds=league.rounds)


class PairingQueue:
    """Gives out the pairings of a league. The caller reports settled pairings and changes of the entrants."""

    def __init__(self, store: Store, league: League) -> None:
        self._store = store
        self._settled = store.keys(league.name)
        self.follow(league)

    def follow(self, league: League) -> None:
        """Continue with the league in this form; its entrants have changed."""
        self._league = league
        self._settled |= self._store.keys(league.name)
        self._pairings = _known(self._store, league)
        unsettled = sum(pairing.key not in self._settled for pairing in _known(self._store, league))
        self._total = len(self._settled) + unsettled
        if league.format in DRAWN:
            self._total = max(self._total, count_games(league.format, len(league.active), league.rounds))

    @property
    def done(self) -> int:
        """The number of settled pairings."""
        return len(self._settled)

    @property
    def total(self) -> int:
        """The number of pairings; an estimate while rounds are still to be drawn."""
        return max(self._total, self.done)

    def settle(self, key: str) -> None:
        """Mark a pairing as settled: played, or decided without a game."""
        self._settled.add(key)

    def next(self, busy: Collection[str]) -> Pairing | None:
        """The next pairing; None at the end, or while a new round has to wait for one of the busy pairings."""
        while True:
            for pairing in self._pairings:
                if pairing.key not in self._settled and pairing.key not in busy:
                    return pairing
            if self._league.format not in DRAWN or busy or not self._draw_round():
                return None

    def _draw_round(self) -> bool:
        """Draw and store the next round; False if it cannot be drawn yet, or if there is none."""
        league, past = self._league, meetings(self._store, self._league)
        if not all(meeting.settled for meeting in past):
            return False
        pairings = DRAWN[league.format](league.active, past, rounds=league.rounds)
        if not pairings:
            return False
        byes = [pairing for pairing in pairings if pairing.is_bye]
        names = [entrant.name for entrant in league.entrants]
        points = swiss.BYE_POINTS
        awards = [Award(key=bye.key, entrant=names[bye.first - 1], points=points, because="bye") for bye in byes]
        self._store.draw(league.name, pairings, awards)
        self._settled |= {bye.key for bye in byes}
        self._pairings = iter(pairings)
        return True
