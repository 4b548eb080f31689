"""Who comes and goes while a league is under way."""

from typing import cast

from arena.competition.queue import DRAWN, remaining
from arena.entrants.engines import fitted
from arena.entrants.entrant import Entrant
from arena.errors import BadSettings
from games.base import Game
from results.league import Absence, Award, League
from results.pairing import Pairing
from results.store.store import Store

__all__ = ["depart", "enter", "fit"]


def fit(entrant: Entrant, league: League, game: Game) -> Entrant:
    """The entrant as it plays in this league; an engine may not be able to."""
    positions = league.settings.get("position") or league.settings.get("openings")
    turns = league.settings.get("opening turns")
    return fitted(entrant, game, opening_turns=cast(int, turns or 0), has_positions=bool(positions))


def enter(store: Store, league: League, entrant: Entrant) -> League:
    """One more entrant: it meets all the others as if it had been there from the start (Swiss: from the next round)."""
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; nobody can enter it")
    if league.format == "knockout" and store.drawn(league.name):
        raise BadSettings(f"the knockout {league.name} has begun; nobody can enter it any more")
    if league.format == "swiss" and len({pairing.round for pairing in store.drawn(league.name)}) >= league.rounds:
        raise BadSettings(f"the last round of {league.name} is drawn; nobody can enter it any more")
    return store.enter(league.name, entrant.record())


def depart(store: Store, league: League, entrant: str, *, why: Absence, detail: str) -> League:
    """An entrant plays no more.

    If it has played fewer than half of its games, they count for nobody; otherwise they stand, and each remaining
    opponent that was there from the start gets the point. In formats that draw their rounds they always stand: later
    rounds were drawn from them.
    """
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; nobody can leave it")
    number = next((number for number, known in enumerate(league.entrants, 1) if known.name == entrant), 0)
    left = [pairing for pairing in remaining(store, league) if number in (pairing.first, pairing.second)]
    played = sum(pair.games for pair in store.pairs(league.name) if entrant in (pair.first, pair.second))
    stands = league.format in DRAWN or played >= len(left)
    # Not to who came later: it would gain more by their leaving than by playing.
    others = [pairing for pairing in left if max(pairing.first, pairing.second) <= league.founders]
    given = left if league.format in DRAWN else others
    awards = [_award(league, pairing, number, f"{entrant} was {why}") for pairing in given] if stands else []
    return store.depart(league.name, entrant, why=why, detail=detail, stands=stands, awards=awards)


def _award(league: League, pairing: Pairing, absent: int, because: str) -> Award:
    other = pairing.second if pairing.first == absent else pairing.first
    return Award(key=pairing.key, entrant=league.entrants[other - 1].name, points=1.0, because=because)
