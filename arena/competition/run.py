"""Leagues, and one run of any plan: it is created or continued, and the games that are missing are played.

The functions print nothing. Events are sent to `on_event`; the result is returned.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from arena.competition import forecast as forecasting
from arena.competition import league_file
from arena.competition.arguments import agent_list, with_copied_game
from arena.competition.events import Finished, LeagueStarted, Notice, OnEvent, Summary
from arena.competition.forecast import Forecast
from arena.competition.league import pairing_queue, remaining
from arena.competition.league import run as play_league
from arena.competition.league_file import EntrantLine, LeagueFile
from arena.competition.outcome import LeagueResult
from arena.competition.plan import (
    Plan,
    changed_agents,
    default_name,
    differences_from,
    is_unnamed,
    make_plan,
    open_league,
    open_results,
    other_game,
)
from arena.competition.progress import default_progress
from arena.competition.resume import continuing, newer_versions, stored_plan
from arena.competition.seeds import SAFE_CHARACTERS
from arena.competition.settings import Settings
from arena.entrants.entrant import Agent, Entrant, entrant_of, with_names
from arena.entrants.staging import home
from arena.errors import BadSettings, UnknownAgent
from arena.execution.executor import Executor, Ok, Setup, cores, open_executor
from arena.process.spawn import is_alive, start_time
from arena.process.spawned_process import Interrupt
from arena.referee.players import PlayerFactory
from arena.referee.task import Rehearsal, Trial
from games import live
from results.api import Results
from results.errors import LeagueExists, Locked
from results.league import League
from results.pairing import RATED
from results.store.store import Store
from results.text import plain

__all__ = ["Players", "Run", "check_people", "entrants_of", "forecast_of", "league", "schedule"]

#: Wraps the function that makes players, to seat people or scripts; see `arena.execution.executor`.
Players: TypeAlias = Callable[[PlayerFactory], PlayerFactory]

#: The leagues that threads of this process are playing: results file and name.
_PLAYING: Final[set[tuple[Path, str]]] = set()
_PLAYING_LOCK: Final = threading.Lock()


def league(
    agents: Iterable[Agent] = (), *, config: str | Path | LeagueFile | None = None, db: str | Path = "arena.db",
    on_event: OnEvent | None = None, trust_file: bool = False, **options: Any,
) -> LeagueResult:  # fmt: skip
    """Play a league of these agents and of those in the league file `config`; continue it if it is stored.

    With a `name` alone, the stored league of this name continues with its stored settings.
    `options` are the options of `arena league`, which are fields of `Settings`; they override the file. With
    `trust_file`, engines that have entered later are started with the commands that the results file holds.
    """
    plan = _league_plan(agents, config, options, db=db, trust_file=trust_file)
    with default_progress(on_event) as report, open_results(db, plan) as store:
        summary = Run(store=store, plan=plan, on_event=report, is_resumed=True).on_workers()
        return LeagueResult.read(store, summary, Results(store).standings(summary.league))


def schedule(
    agents: Iterable[Agent] = (), *, config: str | Path | LeagueFile | None = None, db: str | Path = "arena.db",
    **options: Any,
) -> tuple[Plan, Forecast]:  # fmt: skip
    """What `league` would play, and how long it may take, judged by the games stored in the results file."""
    plan = _league_plan(agents, config, options, db=db)
    return plan, forecast_of(plan, db)


def forecast_of(plan: Plan, db: str | Path) -> Forecast:
    """How long a plan may take, judged by the games stored in the results file."""
    paces = {}
    if Path(db).exists():
        with Store.read(db) as store:
            paces = store.paces(plan.game.name, plan.time_control)
    return forecasting.forecast(plan, workers=_workers(plan), paces=paces)


def entrants_of(agents: Sequence[Agent], *, lines: Sequence[EntrantLine] = ()) -> tuple[Entrant, ...]:
    """The entrants of a league: those of a league file first, then these agents."""
    wanted = [*lines, *map(league_file.entrant_line, agents)]
    given = [entrant_of(line.given, home=home(), text=line.text) for line in wanted]
    names = {index: line.name for index, line in enumerate(wanted) if line.name is not None}
    return with_names(given, names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a plan: the league is created or continued, and the missing games are played.

    Without a name in its settings it is a new league, called after `prefix` or the kind of plan; with `is_resumed` it
    continues the newest stored league that had no name either and does not differ. `most` is the number of games that
    are wanted, for messages; None for all. A new league starts with a rehearsal, unless `is_rehearsed`.
    """

    store: Store
    plan: Plan
    on_event: OnEvent
    prefix: str = ""
    most: int | None = None
    is_resumed: bool = False
    is_rehearsed: bool = False

    def rehearse(self) -> "Run":
        """Start every agent once if the league is new, so that mistakes show before the first game."""
        if self._is_new():
            with open_executor(self._setup(), workers=1) as executor:
                self._rehearse(executor)
        return replace(self, is_rehearsed=True)

    def on_workers(self, *, is_over: Callable[[], bool] = lambda: False) -> Summary:
        """Play several games at a time, one on each core."""
        run = self._continuing()
        with open_executor(run._setup(), workers=_workers(run.plan)) as executor:
            return run._play(executor, is_over=is_over)

    def here(self, players: Players | None = None, *, interrupt: Interrupt | None = None) -> Summary:
        """Play one game after the other in this process, with an event for every turn.

        `interrupt` may end the wait for a player; see `arena.process.spawned_process`.
        """
        run = self._continuing()
        with open_executor(run._setup(), workers=None, players=players, interrupt=interrupt) as executor:
            return run._play(executor, is_watched=True)

    def _continuing(self) -> "Run":
        """The same run under the rules of the stored league that it continues, if there is one."""
        name = self._name()
        stored = None if name is None else self.store.league(name)
        if stored is None:
            return self
        found = continuing(self.plan, stored, home=home())
        newer = newer_versions(self.plan, found)
        for entrant, named in (pair for pair in newer if pair[0].name not in stored.departures):
            self._notice(
                f"{plain(stored.name)} goes on with version {entrant.version} of {plain(entrant.name)}; to bring in "
                f"version {named.version}: arena replace {plain(stored.name)} {plain(entrant.name)}"
            )
        return replace(self, plan=found)

    def _setup(self) -> Setup:
        return Setup(self.plan.game, self.plan.settings.rules, self.plan.settings.needs)

    def _play(
        self, executor: Executor, *, is_watched: bool = False, is_over: Callable[[], bool] = lambda: False
    ) -> Summary:
        self._warn(executor.level)
        if not self.is_rehearsed and self._is_new():
            self._rehearse(executor)
        league = self._open()
        with self._claimed(league), self._interruptible(league):
            self._announce(league)
            queue = pairing_queue(self.store, league)
            total = self.most or queue.total
            self.on_event(LeagueStarted(league.name, queue.done, None if total is None else max(queue.done, total)))
            summary = play_league(
                self.store, league, self.plan, executor, home=home(), on_event=self.on_event,
                is_watched=is_watched, is_over=is_over,
            )  # fmt: skip
        total = summary.total if self.most is None else max(summary.done, self.most)
        summary = replace(summary, total=total, is_resumed=self._is_resumable)
        self.on_event(Finished(summary))
        return summary

    @contextmanager
    def _claimed(self, league: League) -> Iterator[None]:
        """No other process, and no other thread of this one, plays the league meanwhile."""
        key = (self.store.path.resolve(), league.name)
        with _PLAYING_LOCK:
            if key in _PLAYING:
                raise Locked(f"this process is already playing {league.name} in another thread; wait for it")
            _PLAYING.add(key)
        try:
            self.store.claim(league.name, pid=os.getpid(), began=start_time(os.getpid()), is_alive=is_alive)
            yield
        finally:
            with _PLAYING_LOCK:
                _PLAYING.discard(key)

    def _name(self) -> str | None:
        """The name of the league to create or continue; None for the next free one."""
        if self.plan.settings.name is not None or not self.is_resumed:
            return self.plan.settings.name
        for stored in reversed(self.store.leagues()):
            if is_unnamed(stored.name, self.plan) and self._continues(stored):
                return stored.name
        return default_name(self.plan)

    def _continues(self, stored: League) -> bool:
        """Whether this run continues the league; with new versions of agents, only if games are left to play."""
        found = continuing(self.plan, stored, home=home())
        if any(differences_from(stored, found)):
            return False
        is_open = any(remaining(self.store, stored)) or (stored.format in RATED and not stored.ended)
        return is_open or not newer_versions(self.plan, found)

    @property
    def _is_resumable(self) -> bool:
        """Whether the same call continues the league."""
        return self.is_resumed or self.plan.settings.name is not None

    def _is_new(self) -> bool:
        name = self._name()
        return name is None or self.store.league(name) is None

    def _open(self) -> League:
        name = self._name()
        return self._create() if name is None else open_league(self.store, name, self.plan)

    def _announce(self, league: League) -> None:
        if league.dice not in ("", league.secret) and not all(entrant.is_trusted for entrant in self.plan.entrants):
            self._notice(
                f"the seed has fewer than {SAFE_CHARACTERS} characters and can be guessed: it decides openings and "
                f"start positions, but not the random numbers of players: these come from a secret stored with it"
            )
        if changed := changed_agents(league, self.plan):
            self._notice(f"the code of these bundled agents has changed since the first games: {', '.join(changed)}")
        if self.plan.kind == "league":
            rules = {"kernel": "native kernel", "python": "Python rules"}[live(self.plan.game.name)]
            self._notice(f"{league.name}: {self.plan.game.name}, played with the {rules}")

    def _create(self) -> League:
        while True:
            with suppress(LeagueExists):  # another process took the name in between
                name = self.store.free_name(self.prefix or self.plan.kind)
                return open_league(self.store, name, self.plan)

    def _rehearse(self, executor: Executor) -> None:
        for told in filter(None, (other_game(entrant, self.plan.game) for entrant in self.plan.entrants)):
            self._notice(told)
        tried = (
            Rehearsal(entrant, self.plan.game, self.plan.time_control.seconds)
            for entrant in self.plan.entrants
            # In single games the game shows it just as well, except that options of an engine may be wrong.
            if not entrant.is_human
            and (self.plan.kind not in ("play", "web") or entrant.is_bundled or _has_options(entrant))
        )
        for outcome in executor.run(tried):
            entrant, trial = (
                cast(Rehearsal, outcome.task).entrant,
                outcome.result if isinstance(outcome, Ok) else Trial(),
            )
            if trial.why and (entrant.is_bundled or entrant.grants.trusted or trial.is_misnamed):
                raise UnknownAgent(f"{entrant.agent}: {trial.why}")
            if trial.why:
                self._notice(f"warning: {plain(entrant.name)} does not start and will lose its games: {trial.why}")

    def _warn(self, level: str) -> None:
        if level == "none":
            self._notice("agents are trusted: they run without the sandbox and can do everything that you can do")
        if level == "reduced":
            self._notice("this Linux kernel enforces fewer rules of the sandbox than newer ones; see `arena doctor`")

    def _notice(self, text: str) -> None:
        self.on_event(Notice(text))

    @contextmanager
    def _interruptible(self, league: League) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            queue = pairing_queue(self.store, self.store.known(league.name))
            total = self.most or queue.total
            stopped = Summary(league=league.name, done=queue.done, total=total, interrupted=True)
            self.on_event(Finished(replace(stopped, is_resumed=self._is_resumable)))
            raise


def _workers(plan: Plan) -> int:
    """The number of workers that was asked for, else one per core, but no more than are useful."""
    games = plan.rounds if plan.settings.format == "match" else len(plan.entrants)
    return plan.settings.workers or max(1, min(len(cores()), games))


def _has_options(entrant: Entrant) -> bool:
    """Whether an engine may be given options that only the engine itself can check."""
    return entrant.protocol == "uci" and len(entrant.options) > 1


def _league_plan(
    agents: Iterable[Agent], config: str | Path | LeagueFile | None, options: dict[str, Any], *, db: str | Path,
    trust_file: bool = False,
) -> Plan:  # fmt: skip
    if config is None and not agents and options.get("name") is not None:
        with Store.read(db) as store:
            stored = store.known(options["name"])
        return stored_plan(stored, options, home=home(), trust_file=trust_file)
    file = config if isinstance(config, LeagueFile) else league_file.load(str(config)) if config else LeagueFile({})
    entrants = entrants_of(agent_list(agents), lines=file.entrants)
    if len(entrants) < 2:
        raise BadSettings("a league needs at least two entrants; name agents or a league file")
    check_people(entrants, "a league")
    settings = Settings.of(with_copied_game({**file.settings, **options}))
    return make_plan("league", entrants, replace(settings, trust_file=trust_file))


def check_people(entrants: Sequence[Entrant], what: str) -> None:
    """Raise `BadSettings` if one of the entrants is a person."""
    if any(entrant.is_human for entrant in entrants):
        raise BadSettings(f"people play with `arena play`, not in {what}")
