"""A league from its first game to its last: made once, continued as often as it takes."""

import logging
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from agents.seat import Fault, Player
from arena.clock import Clock
from arena.entrants import Entrant
from arena.errors import BadSettings, UnknownAgent
from arena.human import HumanPlayer
from arena.plan import Plan
from arena.referee import Turn, play
from arena.schedule import Pairing
from arena.seat import AgentPlayer
from arena.seeds import new_secret
from results.errors import StoreError
from results.league import League
from results.record import GameRecord, Seat
from results.store import Store
from results.text import plain

__all__ = ["MOST_VOIDS", "Progress", "Summary", "join", "run", "try_options"]

_log = logging.getLogger(__name__)

#: A pairing that we failed to play this often is suspended.
MOST_VOIDS: Final = 3


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
            name, kind=plan.kind, settings=plan.settings(), secret=plan.seed or new_secret(),
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
    store: Store, league: League, plan: Plan, *,
    tell: Callable[[Progress], None], watch: Callable[[Turn], None] | None = None,
) -> Summary:  # fmt: skip
    """Play what is not stored yet. Every game is stored as it ends; running again goes on from there."""
    pairings = plan.pairings()
    stored = store.keys(league.name)
    waiting = [pairing for pairing in pairings if pairing.key not in stored]
    done, suspended = len(pairings) - len(waiting), []
    for pairing in waiting:
        for _ in range(MOST_VOIDS):
            try:
                record = store.add(_play(plan, league, pairing, watch))
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - the border between our failures and a player's
                store.void(league.name, pairing.key, reason=str(error), detail=traceback.format_exc())
                _log.warning("void: %s against %s: %s", *_names(league, pairing), error, exc_info=error)
            else:
                done += 1
                tell(Progress(done, len(pairings), record))
                break
        else:
            suspended.append(pairing)
    return Summary(done, len(pairings), tuple(" against ".join(_names(league, pairing)) for pairing in suspended))


def _play(plan: Plan, league: League, pairing: Pairing, watch: Callable[[Turn], None] | None) -> GameRecord:
    clock = Clock(plan.seconds)
    players: dict[Seat, Player] = {
        "first": _seat(plan.entrants[pairing.first - 1], clock),
        "second": _seat(plan.entrants[pairing.second - 1], clock),
    }
    return play(plan.job(league, pairing), players, clock, watch=watch)


def _seat(entrant: Entrant, clock: Clock) -> Player:
    return HumanPlayer(now=clock.now) if entrant.is_human else AgentPlayer(entrant, now=clock.now)


def _names(league: League, pairing: Pairing) -> tuple[str, str]:
    return league.entrants[pairing.first - 1].name, league.entrants[pairing.second - 1].name


def try_options(plan: Plan) -> None:
    """Start each bundled agent that was given options once: a wrong one is the organiser's slip, not a fault."""
    start = plan.position or plan.game.start().text
    for entrant in plan.entrants:
        if entrant.is_bundled and entrant.options and not entrant.is_human:
            player = AgentPlayer(entrant)
            try:
                player.open(plan.game, plan.game.first, start=start, seed=0)
            except Fault as fault:
                raise UnknownAgent(f"{entrant.agent}: {plain(fault.detail, limit=200)}") from fault
            finally:
                player.close()
