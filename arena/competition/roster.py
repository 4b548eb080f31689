"""Entrants that come and go while a league is running."""

from collections.abc import Iterator, Sequence

from arena.competition.events import Notice, OnEvent
from arena.competition.queue import DRAWN, remaining
from arena.competition.settings import Settings
from arena.entrants.entrant import Entrant, fitted, resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.execution.executor import Ok
from arena.execution.executors import Setup, open_executor
from arena.referee.task import Rehearsal
from games.base import Game, load
from results.league import Absence, Award, League
from results.pairing import Pairing
from results.store.store import Store
from results.text import plain

__all__ = ["depart", "enter", "enter_all", "fit"]


def enter_all(store: Store, league: League, agents: Sequence[str], *, on_event: OnEvent) -> Iterator[Entrant]:
    """Add agents to a stored league, one after the other; a notice says which of them do not start."""
    resolved = resolve_all(agents, home=home(), taken=[entrant.name for entrant in league.entrants])
    if any(entrant.is_human for entrant in resolved):
        raise BadSettings("people play with `arena play`, not in a league")
    settings = Settings.restored(league.settings)
    game = load(settings.game)
    entrants = [fit(entrant, league, game) for entrant in resolved]
    with open_executor(Setup(game, settings.rules, settings.needs), workers=None) as executor:
        for entrant in entrants:
            league = enter(store, league, entrant)
            yield entrant
            for outcome in executor.run(iter([Rehearsal(entrant, game)])):
                if isinstance(outcome, Ok) and outcome.result:
                    name, why = plain(entrant.name), outcome.result
                    on_event(Notice(f"warning: {name} does not start and will lose its games: {why}"))


def fit(entrant: Entrant, league: League, game: Game) -> Entrant:
    """The entrant as it plays in this league; raises if an engine cannot play its game or start positions."""
    settings = Settings.restored(league.settings)
    has_positions = settings.position is not None or bool(settings.openings)
    return fitted(entrant, game, opening_turns=settings.opening_turns, has_positions=has_positions)


def enter(store: Store, league: League, entrant: Entrant) -> League:
    """Add an entrant. It meets all the others as if it had been there from the start (Swiss: from the next round)."""
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; no agent can enter it")
    if league.format == "knockout" and store.drawn(league.name):
        raise BadSettings(f"the knockout {league.name} has begun; no agent can enter it any more")
    if league.format == "swiss" and len({pairing.round for pairing in store.drawn(league.name)}) >= league.rounds:
        raise BadSettings(f"the last round of {league.name} is drawn; no agent can enter it any more")
    return store.enter(league.name, entrant.record())


def depart(store: Store, league: League, entrant: str, *, why: Absence, detail: str) -> League:
    """Take an entrant out of a league.

    If it has played fewer than half of its games, they do not count. Otherwise they count, and each remaining opponent
    that was there from the start gets the point. In Swiss and knockout they always count, since later rounds were drawn
    from them.
    """
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; no agent can leave it")
    number = next((number for number, known in enumerate(league.entrants, 1) if known.name == entrant), 0)
    left = [pairing for pairing in remaining(store, league) if number in (pairing.first, pairing.second)]
    played = sum(pair.games for pair in store.pairs(league.name) if entrant in (pair.first, pair.second))
    stands = league.format in DRAWN or played >= len(left)
    # Only to founders: a latecomer would gain more by others leaving than by playing.
    others = [pairing for pairing in left if max(pairing.first, pairing.second) <= league.founders]
    given = left if league.format in DRAWN else others
    awards = [_award(league, pairing, number, f"{entrant} was {why}") for pairing in given] if stands else []
    return store.depart(league.name, entrant, why=why, detail=detail, stands=stands, awards=awards)


def _award(league: League, pairing: Pairing, absent: int, because: str) -> Award:
    other = pairing.second if pairing.first == absent else pairing.first
    return Award(key=pairing.key, entrant=league.entrants[other - 1].name, points=1.0, because=because)
