"""A league while it runs: the pairings that are still to be played, the coordinator, and entrants that leave."""

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, cast

from arena.competition.events import GameStarted, GameStored, Notice, OnEvent, Reported, Summary, TurnPlayed
from arena.competition.plan import Plan
from arena.competition.rated_queue import RatedQueue, games_of
from arena.entrants.entrant import Entrant
from arena.entrants.recall import recall
from arena.errors import BadSettings
from arena.execution.executor import Executor, Failed, Lost, Ok, Outcome
from arena.formats import knockout, swiss
from arena.formats.schedule import SCHEDULES, count_games
from arena.referee.referee import Turn
from arena.referee.reports import AgentReport
from arena.referee.task import GameTask
from results.league import Absence, Award, League
from results.pairing import RATED, Meeting, Pairing
from results.record import EntrantRecord, GameRecord, Seat
from results.standings.table import meetings
from results.store.store import Store
from results.text import counted

__all__ = [
    "MOST_STARVED", "MOST_SUSPENDED", "MOST_VOIDS", "SUSPEND_GAMES", "PairingQueue", "count_missing", "depart",
    "pairing_queue", "remaining", "run",
]  # fmt: skip

_log = logging.getLogger(__name__)

#: A pairing that we failed to play this often is suspended.
MOST_VOIDS: Final = 3
#: No new pairing of a ladder is drawn after so many were suspended: it would go on for ever on a broken machine.
MOST_SUSPENDED: Final = 10
#: A pairing that was starved of CPU this often is played once more, with all wall time charged.
MOST_STARVED: Final = 2
#: Number of other games before a failed pairing is tried again: the cause may be over by then.
_PAUSE: Final = 4
#: No entrant is suspended for faults before it has played this many games.
SUSPEND_GAMES: Final = 10
#: Formats whose rounds are drawn from earlier results. The pairings of a drawn round are stored.
DRAWN: Final[dict[str, Callable[..., list[Pairing]]]] = {"knockout": knockout.knockout, "swiss": swiss.swiss}


def run(
    store: Store, league: League, plan: Plan, executor: Executor, *, home: Path, on_event: OnEvent,
    is_watched: bool = False, is_over: Callable[[], bool] = lambda: False,
) -> Summary:  # fmt: skip
    """Play the games that are not stored yet. Every game is stored as it ends; running again continues from there.

    No new game starts once `is_over` returns True. With `is_watched`, every turn is an event; that works only where the
    executor plays in this process.
    """
    coordinator = _Coordinator(
        store, league, plan, home=home, on_event=on_event, is_watched=is_watched, is_over=is_over
    )
    for outcome in executor.run(coordinator.tasks()):
        coordinator.take(outcome)
    if coordinator.is_settled:
        store.end(league.name)
    return coordinator.summary()


class _Coordinator:
    """Hands out the games of one league and stores the results; no other process stores games of it meanwhile."""

    def __init__(
        self, store: Store, league: League, plan: Plan, *, home: Path, on_event: OnEvent, is_watched: bool,
        is_over: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._store = store
        self._plan = plan
        self._home = home
        self._on_event = on_event
        self._is_watched = is_watched
        self._is_over = is_over
        self._entrants = dict(enumerate(plan.entrants, 1))
        self._busy: dict[str, Pairing] = {}
        self._again: list[tuple[int, Pairing]] = []
        self._begun = 0
        self._failed: Counter[str] = Counter()
        self._starved: Counter[str] = Counter()
        self._suspended: dict[str, Pairing] = {}
        self._changes: int | None = None  # so that the first look sees changes made since `league` was read
        self._league = league
        self._queue = pairing_queue(store, league)
        self._games: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        for pair in store.pairs(league.name):
            self._games.update({pair.first: pair.games, pair.second: pair.games})
            self._faults.update({pair.first: pair.faults_first, pair.second: pair.faults_second})

    def tasks(self) -> Iterator[GameTask | None]:
        """One game after the other; None while no game can start before a running one has ended."""
        while True:
            self._look()
            pairing = None if self._is_over() else self._next()
            if pairing is None and not self._busy:
                return
            yield None if pairing is None else self._task(pairing)

    def take(self, outcome: Outcome[GameRecord]) -> None:
        """Store the outcome of a game."""
        key = cast(GameTask, outcome.task).job.key
        pairing = self._busy.pop(key)
        if isinstance(outcome, Ok):
            record = self._store.add(outcome.result)
            self._queue.settle(record)
            self._on_event(GameStored(self._queue.done, self._queue.total, record))
            self._judge(record)
        else:
            self._void(pairing, outcome)

    @property
    def is_settled(self) -> bool:
        """Whether the league has ended because its order is settled."""
        return isinstance(self._queue, RatedQueue) and self._queue.is_settled

    def summary(self) -> Summary:
        """How far the league is."""
        names = (" against ".join(self._names(pairing)) for pairing in self._suspended.values())
        return Summary(league=self._league.name, done=self._queue.done, total=self._queue.total, suspended=tuple(names))

    def _look(self) -> None:
        """Read again which entrants have entered or left."""
        if (changes := self._store.changes()) != self._changes:
            self._changes = changes
            league = self._store.league(self._league.name)
            assert league is not None  # leagues are never removed
            if league != self._league:
                self._follow(league)

    def _follow(self, league: League) -> None:
        for number in range(len(self._league.entrants) + 1, len(league.entrants) + 1):
            self._on_event(Notice(f"{league.entrants[number - 1].name} has entered"))
        for number, (before, now) in enumerate(zip(self._league.entrants, league.entrants, strict=False), 1):
            if before != now:
                self._entrants.pop(number, None)  # it goes on with other code
                self._on_event(Notice(f"{now.name} goes on with {_version(now)}"))
        if league.rounds != self._league.rounds:
            self._on_event(
                Notice(f"{league.name} has {counted(league.rounds, 'round')} now; it had {self._league.rounds}")
            )
        if league.format == "ladder" and (limit := games_of(league)) != games_of(self._league):
            self._on_event(Notice(f"{league.name} ends after {'any number of' if limit is None else limit} games now"))
        for name, departure in league.departures.items():
            if name not in self._league.departures:
                verdict = "its games still count" if departure.stands else "its games do not count"
                self._on_event(Notice(f"{name} was {departure.why} ({departure.detail}); {verdict}"))
        self._league = league
        self._suspended = {key: pairing for key, pairing in self._suspended.items() if not self._is_off(pairing)}
        self._queue.follow(league)

    def _next(self) -> Pairing | None:
        given = self._busy.keys() | self._suspended.keys() | {pairing.key for _, pairing in self._again}
        is_broken = self._league.format in RATED and len(self._suspended) >= MOST_SUSPENDED
        return self._retry(self._begun) or (None if is_broken else self._queue.next(given)) or self._retry(math.inf)

    def _retry(self, begun: float) -> Pairing | None:
        """A failed pairing that has waited until this many games were started."""
        while self._again and self._again[0][0] <= begun:
            _, pairing = self._again.pop(0)
            if not self._is_off(pairing):
                return pairing
        return None

    def _is_off(self, pairing: Pairing) -> bool:
        """Whether one of the two entrants has left."""
        return not self._league.departures.keys().isdisjoint(self._names(pairing))

    def _task(self, pairing: Pairing) -> GameTask:
        self._busy[pairing.key] = pairing
        self._begun += 1
        opening = self._plan.opening_of(self._league, pairing)
        self._on_event(GameStarted(pairing.key, *self._names(pairing), opening.start))
        task = self._plan.task(
            self._league, pairing, first=self._entrant(pairing.first), second=self._entrant(pairing.second),
            charge=None if self._starved[pairing.key] < MOST_STARVED else "wall",
        )  # fmt: skip
        task = replace(task, results=str(self._store.path.resolve()))
        if not self._is_watched:
            return task
        return replace(task, watch=partial(self._show, pairing.key), hear=partial(self._hear, pairing.key))

    def _hear(self, key: str, seat: Seat, report: AgentReport) -> None:
        self._on_event(Reported(key, seat, report))

    def _show(self, key: str, turn: Turn) -> None:
        first = self._plan.game.first
        clocks: dict[Seat, float] = {"first": turn.times[first], "second": turn.times[not first]}
        mover: Seat | None = "second" if turn.state.turn == first else "first"
        mover = None if turn.move is None else mover
        self._on_event(TurnPlayed(key, turn.state.turns, turn.move, mover, clocks, turn.state, turn.taken_back))

    def _entrant(self, number: int) -> Entrant:
        if number not in self._entrants:
            self._entrants[number] = recall(
                self._league.entrants[number - 1], self._plan.game, home=self._home,
                trust_file=self._plan.settings.trust_file,
            )  # fmt: skip
        return self._entrants[number]

    def _judge(self, record: GameRecord) -> None:
        """Suspend a player that faults too often."""
        players = record.first.name, record.second.name
        self._games.update(players)
        if record.fault is not None:
            self._faults[players[record.fault.player == "second"]] += 1
        for name in players:
            if self._faults_too_often(name):
                self._look()  # it may have been withdrawn since, and others may have entered
                if name not in self._league.departures:
                    detail = f"{counted(self._faults[name], 'fault')} in {counted(self._games[name], 'game')}"
                    self._follow(depart(self._store, self._league, name, why="suspended", detail=detail))

    def _faults_too_often(self, name: str) -> bool:
        games, faults, limit = self._games[name], self._faults[name], self._plan.settings.suspend_after
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


def _version(entrant: EntrantRecord) -> str:
    return f"version {entrant.version}" if entrant.version else "new code"


def remaining(store: Store, league: League) -> Iterator[Pairing]:
    """The known pairings that are not settled."""
    if league.format in RATED:
        active = set(league.active)
        return (pairing for pairing in store.unplayed(league.name) if {pairing.first, pairing.second} <= active)
    settled = store.keys(league.name)
    return (pairing for pairing in _known(store, league) if pairing.key not in settled)


def count_missing(store: Store, league: League) -> int | None:
    """The number of games that are still to be played; an estimate while rounds are still to be drawn.

    None for a ladder without a limit.
    """
    if league.format in RATED:
        limit = games_of(league)
        missing = None if limit is None else max(0, limit - store.count(league.name, departed=True))
        return 0 if league.ended else missing
    if league.format not in DRAWN:
        entrants = league.active if league.format != "gauntlet" or 1 in league.active else ()
        known = count_games(league.format, len(entrants), league.rounds)
        return max(0, known - store.count(league.name, departed=False))
    unsettled = sum(1 for _ in remaining(store, league))
    if not unsettled and not _draw(league, meetings(store, league)):
        return 0
    if league.format == "swiss":
        return unsettled + _undrawn(store, league) * (len(league.active) // 2)
    known = count_games(league.format, len(league.entrants), league.rounds)
    return max(unsettled, 1, known - store.count(league.name, departed=True))


def _draw(league: League, past: Sequence[Meeting]) -> list[Pairing]:
    """The next round, which is not stored; empty when the league is over."""
    return DRAWN[league.format](league.active, past, rounds=league.rounds)


def _undrawn(store: Store, league: League) -> int:
    """The number of rounds of a Swiss league that are still to be drawn."""
    return max(0, league.rounds - len({pairing.round for pairing in store.drawn(league.name)}))


def _known(store: Store, league: League) -> Iterator[Pairing]:
    """All pairings, or those of the rounds drawn so far."""
    if league.format in DRAWN:
        return iter(store.drawn(league.name))
    return SCHEDULES[league.format](league.active, rounds=league.rounds)


def pairing_queue(store: Store, league: League) -> "PairingQueue | RatedQueue":
    """The queue of a league's pairings, as its format needs it."""
    return RatedQueue(store, league) if league.format in RATED else PairingQueue(store, league)


class PairingQueue:
    """Gives out the pairings of a league. The caller reports settled pairings and changes of the entrants."""

    def __init__(self, store: Store, league: League) -> None:
        self._store = store
        self._settled: set[str] = set()
        self.follow(league)

    def follow(self, league: League) -> None:
        """Continue with the league in this form; its entrants have changed."""
        self._league = league
        self._settled |= self._store.keys(league.name)
        self._pairings = _known(self._store, league)
        unsettled = sum(pairing.key not in self._settled for pairing in _known(self._store, league))
        self._total = len(self._settled) + unsettled
        if league.format == "swiss":  # a bye is a pairing too
            self._total += _undrawn(self._store, league) * ((len(league.active) + 1) // 2)
        elif league.format in DRAWN:
            self._total = max(self._total, count_games(league.format, len(league.active), league.rounds))

    @property
    def done(self) -> int:
        """The number of settled pairings."""
        return len(self._settled)

    @property
    def total(self) -> int:
        """The number of pairings; an estimate while rounds are still to be drawn."""
        return max(self._total, self.done)

    def settle(self, record: GameRecord) -> None:
        """Mark a pairing as settled by a stored game."""
        self._settled.add(record.key)

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
        pairings = _draw(league, past)
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


def depart(store: Store, league: League, entrant: str, *, why: Absence, detail: str) -> League:
    """Take an entrant out of a league.

    If it has played fewer than half of its games, they do not count. Otherwise they count, and each remaining opponent
    that was there from the start gets the point. In Swiss and knockout they always count, since later rounds were drawn
    from them, and where ratings decide, since they say something about the others; there nobody gets a point.
    """
    if league.kind != "league":
        raise BadSettings(f"{league.name} is a match of two; no agent can leave it")
    number = next((number for number, known in enumerate(league.entrants, 1) if known.name == entrant), 0)
    left = [pairing for pairing in remaining(store, league) if number in (pairing.first, pairing.second)]
    played = sum(pair.games for pair in store.pairs(league.name) if entrant in (pair.first, pair.second))
    stands = league.format in DRAWN or league.format in RATED or played >= len(left)
    # Only to founders: a latecomer would gain more by others leaving than by playing.
    others = [pairing for pairing in left if max(pairing.first, pairing.second) <= league.founders]
    given = [] if league.format in RATED else left if league.format in DRAWN else others
    awards = [_award(league, pairing, number, f"{entrant} was {why}") for pairing in given] if stands else []
    return store.depart(league.name, entrant, why=why, detail=detail, stands=stands, awards=awards)


def _award(league: League, pairing: Pairing, absent: int, because: str) -> Award:
    other = pairing.second if pairing.first == absent else pairing.first
    return Award(key=pairing.key, entrant=league.entrants[other - 1].name, points=1.0, because=because)
