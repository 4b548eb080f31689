"""A league from its first game to its last: made once, continued as often as it takes."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, cast

from arena.competition import roster
from arena.competition.plan import Plan
from arena.competition.queue import PairingQueue
from arena.competition.seeds import new_secret
from arena.entrants.engines import recall
from arena.entrants.entrant import Entrant
from arena.errors import BadSettings
from arena.execution.executor import Executor, Failed, Lost, Ok, Outcome
from arena.referee.referee import Turn
from arena.referee.task import GameTask
from results.league import League
from results.pairing import Pairing
from results.record import GameRecord
from results.store.store import Store

__all__ = ["MOST_STARVED", "MOST_VOIDS", "SUSPEND_GAMES", "Event", "Notice", "Progress", "Summary", "join", "run"]

_log = logging.getLogger(__name__)

#: A pairing that we failed to play this often is suspended.
MOST_VOIDS: Final = 3
#: A pairing that the machine starved this often is played once more with every second charged.
MOST_STARVED: Final = 2
#: So many other games come before a pairing is tried again: what made it fail may be over then.
_PAUSE: Final = 4
#: Nobody is suspended for faults in fewer games than these.
SUSPEND_GAMES: Final = 10


@dataclass(frozen=True, slots=True)
class Progress:
    """One more game is stored."""

    done: int
    total: int
    record: GameRecord


@dataclass(frozen=True, slots=True)
class Notice:
    """Something else that those who watch should know."""

    text: str


Event: TypeAlias = Progress | Notice


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended: what is settled now, and who could not be brought to meet."""

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
    was = {entrant.name: entrant for entrant in stored.entrants[: stored.founders]}
    names = [entrant.name for entrant in plan.entrants]
    if names != list(was):
        yield f"entrants were {', '.join(was)}, are {', '.join(names)}"
    for entrant in plan.entrants:
        if entrant.name in was and was[entrant.name].hash != entrant.hash:
            yield f"the code of {entrant.name} has changed"


def run(
    store: Store, league: League, plan: Plan, executor: Executor, *, home: Path, tell: Callable[[Event], None],
    watch: Callable[[Turn], None] | None = None, is_over: Callable[[], bool] = lambda: False,
) -> Summary:  # fmt: skip
    """Play what is not stored yet. Every game is stored as it ends; running again goes on from there.

    No new game is begun once `is_over` says so.
    """
    coordinator = _Coordinator(store, league, plan, home=home, tell=tell, watch=watch, is_over=is_over)
    for outcome in executor.run(coordinator.tasks()):
        coordinator.take(outcome)
    return coordinator.summary()


class _Coordinator:
    """Gives out the games of one league and stores what comes back; nobody else stores games of it meanwhile."""

    def __init__(
        self, store: Store, league: League, plan: Plan, *, home: Path, tell: Callable[[Event], None],
        watch: Callable[[Turn], None] | None, is_over: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._store = store
        self._plan = plan
        self._home = home
        self._tell = tell
        self._watch = watch
        self._is_over = is_over
        self._entrants = dict(enumerate(plan.entrants, 1))
        self._busy: dict[str, Pairing] = {}
        self._again: list[tuple[int, Pairing]] = []
        self._begun = 0
        self._failed: Counter[str] = Counter()
        self._starved: Counter[str] = Counter()
        self._suspended: dict[str, Pairing] = {}
        self._changes: int | None = None  # so that the first look sees what has changed since `league` was read
        self._league = league
        self._draw = PairingQueue(store, league)
        self._games: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        for pair in store.pairs(league.name):
            self._games.update({pair.first: pair.games, pair.second: pair.games})
            self._faults.update({pair.first: pair.faults_first, pair.second: pair.faults_second})

    def tasks(self) -> Iterator[GameTask | None]:
        """Game after game; None while there is none before one that is under way has ended."""
        while True:
            self._look()
            pairing = None if self._is_over() else self._next()
            if pairing is None and not self._busy:
                return
            yield None if pairing is None else self._task(pairing)

    def take(self, outcome: Outcome[GameRecord]) -> None:
        """Store what came of a game."""
        key = cast(GameTask, outcome.task).job.key
        pairing = self._busy.pop(key)
        if isinstance(outcome, Ok):
            record = self._store.add(outcome.result)
            self._draw.settle(key)
            self._tell(Progress(self._draw.done, self._draw.total, record))
            self._judge(record)
        else:
            self._void(pairing, outcome)

    def summary(self) -> Summary:
        """How it stands."""
        names = (" against ".join(self._names(pairing)) for pairing in self._suspended.values())
        return Summary(self._draw.done, self._draw.total, tuple(names))

    def _look(self) -> None:
        """See who has entered or left since."""
        if (changes := self._store.changes()) != self._changes:
            self._changes = changes
            league = self._store.league(self._league.name)
            assert league is not None  # leagues are never removed
            if league != self._league:
                self._follow(league)

    def _follow(self, league: League) -> None:
        for number in range(len(self._league.entrants) + 1, len(league.entrants) + 1):
            self._tell(Notice(f"{league.entrants[number - 1].name} has entered"))
        for name, departure in league.departures.items():
            if name not in self._league.departures:
                verdict = "its games stand" if departure.stands else "its games count for nobody"
                self._tell(Notice(f"{name} was {departure.why} ({departure.detail}); {verdict}"))
        self._league = league
        self._suspended = {key: pairing for key, pairing in self._suspended.items() if not self._is_off(pairing)}
        self._draw.follow(league)

    def _next(self) -> Pairing | None:
        given = self._busy.keys() | self._suspended.keys() | {pairing.key for _, pairing in self._again}
        return self._retry(self._begun) or self._draw.next(given) or self._retry(math.inf)

    def _retry(self, begun: float) -> Pairing | None:
        """A pairing that has waited until so many games were begun."""
        while self._again and self._again[0][0] <= begun:
            _, pairing = self._again.pop(0)
            if not self._is_off(pairing):
                return pairing
        return None

    def _is_off(self, pairing: Pairing) -> bool:
        """Whether one of the two has left."""
        return not self._league.departures.keys().isdisjoint(self._names(pairing))

    def _task(self, pairing: Pairing) -> GameTask:
        self._busy[pairing.key] = pairing
        self._begun += 1
        return self._plan.task(
            self._league, pairing, first=self._entrant(pairing.first), second=self._entrant(pairing.second),
            charge=None if self._starved[pairing.key] < MOST_STARVED else "wall", watch=self._watch,
        )  # fmt: skip

    def _entrant(self, number: int) -> Entrant:
        if number not in self._entrants:
            self._entrants[number] = recall(self._league.entrants[number - 1], self._plan.game, home=self._home)
        return self._entrants[number]

    def _judge(self, record: GameRecord) -> None:
        """Suspend who faults too often."""
        players = record.first.name, record.second.name
        self._games.update(players)
        if record.fault is not None:
            self._faults[players[record.fault.player == "second"]] += 1
        for name in players:
            if self._faults_too_often(name):
                self._look()  # it may have been withdrawn since, and others may have entered
                if name not in self._league.departures:
                    detail = f"{self._faults[name]} faults in {self._games[name]} games"
                    self._follow(roster.depart(self._store, self._league, name, why="suspended", detail=detail))

    def _faults_too_often(self, name: str) -> bool:
        games, faults, limit = self._games[name], self._faults[name], self._plan.suspend_after
        is_judged = limit is not None and games >= SUSPEND_GAMES and name not in self._league.departures
        return is_judged and faults > (limit or 0.0) * games

    def _void(self, pairing: Pairing, outcome: Failed[GameRecord] | Lost[GameRecord]) -> None:
        starved = isinstance(outcome, Failed) and outcome.starved
        detail = outcome.detail if isinstance(outcome, Failed) else ""
        self._store.void(self._league.name, pairing.key, reason=outcome.reason, detail=detail)
        _log.warning("void: %s against %s: %s", *self._names(pairing), outcome.reason)
        _log.info("%s", detail)
        (self._starved if starved else self._failed)[pairing.key] += 1
        if self._is_off(pairing):
            return
        if self._failed[pairing.key] < MOST_VOIDS:
            self._again.append((self._begun + _PAUSE, pairing))
        else:
            self._suspended[pairing.key] = pairing

    def _names(self, pairing: Pairing) -> tuple[str, str]:
        return self._league.entrants[pairing.first - 1].name, self._league.entrants[pairing.second - 1].name
