"""A league from its first game to its last: made once, continued as often as it takes."""

import logging
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from agents.seat import Player
from arena.clock import Charge, Clock
from arena.errors import BadSettings, OutputError, Starved
from arena.plan import Plan
from arena.referee import Turn, play
from arena.schedule import Pairing
from arena.seating import Seating
from arena.seeds import new_secret
from results.errors import StoreError
from results.league import League
from results.record import GameRecord, Seat
from results.store import Store

__all__ = ["MOST_STARVED", "MOST_VOIDS", "Progress", "Summary", "join", "run"]

_log = logging.getLogger(__name__)

#: A pairing that we failed to play this often is suspended.
MOST_VOIDS: Final = 3
#: A pairing that the machine starved this often is played once more with every second charged.
MOST_STARVED: Final = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """One more game is stored."""

    done: int
    total: int
    record: GameRecord


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended: what is stored now, and who could not be brought to meet."""

    done: int
    total: int
    suspended: tuple[str, ...]


def join(store: Store, name: str, plan: Plan) -> League:
    """The league of this name: made now, or the stored one if it has the same settings and agents."""
    stored = store.league(name)
    if stored is None:
        return store.create_league(
            name, kind=plan.kind, settings=plan.settings(), secret=new_secret() if plan.seed is None else plan.seed,
            entrants=[entrant.record() for entrant in plan.entrants],
        )  # fmt: skip
    if differences := list(_differences(stored, plan)):
        raise BadSettings(
            f"league {name!r} is stored with other settings: {'; '.join(differences)}; choose another --name"
        )
    return stored


def _differences(stored: League, plan: Plan) -> Iterator[str]:
    if stored.kind != plan.kind:
        yield f"it is a {stored.kind}"
    settings = plan.settings()
    for key in sorted(stored.settings.keys() | settings.keys()):
        if stored.settings.get(key) != settings.get(key):
            yield f"{key} was {stored.settings.get(key)}, is {settings.get(key)}"
    if plan.seed is not None and plan.seed != stored.secret:
        yield "the seed is another"
    was = {entrant.name: entrant for entrant in stored.entrants}
    names = [entrant.name for entrant in plan.entrants]
    if names != list(was):
        yield f"entrants were {', '.join(was)}, are {', '.join(names)}"
    for entrant in plan.entrants:
        if entrant.name in was and was[entrant.name].hash != entrant.hash:
            yield f"the code of {entrant.name} has changed"


def run(
    store: Store, league: League, plan: Plan, seating: Seating, *,
    tell: Callable[[Progress], None], watch: Callable[[Turn], None] | None = None,
) -> Summary:  # fmt: skip
    """Play what is not stored yet. Every game is stored as it ends; running again goes on from there."""
    pairings = plan.pairings()
    stored = store.keys(league.name)
    waiting = [pairing for pairing in pairings if pairing.key not in stored]
    done, suspended = len(pairings) - len(waiting), []
    for pairing in waiting:
        record = _attempts(store, league, plan, pairing, seating, watch)
        if record is None:
            suspended.append(" against ".join(_names(league, pairing)))
        else:
            done += 1
            tell(Progress(done, len(pairings), record))
    return Summary(done, len(pairings), tuple(suspended))


def _attempts(
    store: Store, league: League, plan: Plan, pairing: Pairing, seating: Seating,
    watch: Callable[[Turn], None] | None,
) -> GameRecord | None:  # fmt: skip
    """The game, stored; None if we failed to play it too often."""
    failed = starved = 0
    while failed < MOST_VOIDS:
        charge: Charge = plan.charge if starved < MOST_STARVED else "wall"
        clock = Clock(plan.seconds, charge=charge)
        players: dict[Seat, Player] = {
            "first": seating.player(plan.entrants[pairing.first - 1], charge=charge),
            "second": seating.player(plan.entrants[pairing.second - 1], charge=charge),
        }
        try:
            return store.add(play(plan.job(league, pairing), players, clock, sandbox=seating.level, watch=watch))
        except (StoreError, BadSettings, OutputError):
            raise  # nothing that playing again could mend
        except Exception as error:  # noqa: BLE001 - the border between our failures and a player's
            store.void(league.name, pairing.key, reason=str(error), detail=traceback.format_exc())
            _log.warning("void: %s against %s: %s", *_names(league, pairing), error, exc_info=error)
            if isinstance(error, Starved):
                starved += 1
            else:
                failed += 1
    return None


def _names(league: League, pairing: Pairing) -> tuple[str, str]:
    return league.entrants[pairing.first - 1].name, league.entrants[pairing.second - 1].name
