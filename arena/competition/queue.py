"""Which game comes next in a stored league, as its field and its results stand."""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from arena.formats import knockout, swiss
from arena.formats import round_robin as schedule
from arena.formats.round_robin import Pairing
from results.league import Award, League
from results.standings.table import meetings
from results.store.store import Store

__all__ = ["DRAWN", "PairingQueue", "remaining"]

#: Formats whose rounds depend on earlier results; what is drawn is stored.
DRAWN: Final[dict[str, Callable[..., list[Pairing]]]] = {"knockout": knockout.knockout, "swiss": swiss.swiss}


def remaining(store: Store, league: League) -> Iterator[Pairing]:
    """The pairings that are known and not settled yet."""
    settled = store.keys(league.name)
    known = store.drawn(league.name) if league.format in DRAWN else _static(league)
    return (pairing for pairing in known if pairing.key not in settled)


def _static(league: League) -> Iterator[Pairing]:
    if league.format == "match":
        return schedule.match(league.rounds) if len(league.active) == len(league.entrants) else iter(())
    pairings = schedule.gauntlet if league.format == "gauntlet" else schedule.round_robin
    return pairings(league.active, rounds=league.rounds)


class PairingQueue:
    """Gives out pairings, none of them twice. It is told of everything that changes."""

    def __init__(self, store: Store, league: League) -> None:
        self._store = store
        self._settled = store.keys(league.name)
        self.follow(league)

    def follow(self, league: League) -> None:
        """The field has changed: go on with this one."""
        self._league = league
        self._settled |= self._store.keys(league.name)
        self._pairings = self._known()
        unsettled = sum(pairing.key not in self._settled for pairing in self._known())
        self._total = len(self._settled) + unsettled
        if league.format in DRAWN:
            field = len(league.active)
            self._total = max(self._total, schedule.expected(league.format, field, league.rounds))

    @property
    def done(self) -> int:
        """How many pairings are settled."""
        return len(self._settled)

    @property
    def total(self) -> int:
        """How many pairings there are, as far as one can tell now."""
        return max(self._total, self.done)

    def settle(self, key: str) -> None:
        """This pairing is done with."""
        self._settled.add(key)

    def next(self, busy: Collection[str]) -> Pairing | None:
        """The next pairing; None if there is none, or none before one of the busy ones is settled."""
        while True:
            for pairing in self._pairings:
                if pairing.key not in self._settled and pairing.key not in busy:
                    return pairing
            if self._league.format not in DRAWN or busy or not self._draw_round():
                return None

    def _known(self) -> Iterator[Pairing]:
        if self._league.format in DRAWN:
            return iter(self._store.drawn(self._league.name))
        return _static(self._league)

    def _draw_round(self) -> bool:
        """Draw and store the next round; whether there is one."""
        league, past = self._league, meetings(self._store, self._league)
        if not all(meeting.settled for meeting in past):
            return False
        pairings = DRAWN[league.format](league.active, past, rounds=league.rounds)
        byes = [pairing for pairing in pairings if not pairing.second]
        if not pairings:
            return False
        names = [entrant.name for entrant in league.entrants]
        points = swiss.BYE_POINTS
        awards = [Award(key=bye.key, entrant=names[bye.first - 1], points=points, because="bye") for bye in byes]
        self._store.draw(league.name, pairings, awards)
        self._settled |= {bye.key for bye in byes}
        self._pairings = iter(pairings)
        return True
