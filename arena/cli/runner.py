"""Running a plan from the command line: progress for the person who waits, a line for the one who interrupts."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import cast

import click

from arena.cli.lines import game_line
from arena.cli.live import progress
from arena.competition.league import Event, Progress, Summary, join, run
from arena.competition.plan import Plan
from arena.competition.queue import PairingQueue
from arena.entrants.staging import home
from arena.errors import OutputError, UnknownAgent
from arena.execution.executor import Executor, Ok
from arena.execution.executors import Setup, open_executor
from arena.execution.workers import cores
from arena.process.spawn import is_alive, start_time
from arena.referee.human_player import humans_at_terminal
from arena.referee.referee import Turn
from arena.referee.task import Rehearsal
from arena.sandbox.level import Level
from games import live
from results.errors import LeagueExists
from results.league import League
from results.notation.json_form import brief
from results.store.store import Store
from results.text import plain

__all__ = ["Run", "default_name", "say", "tell_json", "tell_line"]

_INTERRUPTED = 130


def default_name(plan: Plan) -> str:
    """A name that the same command gives again as long as the agents stay the same, so that it goes on."""
    agents = [(entrant.name, entrant.hash) for entrant in plan.entrants]
    digest = hashlib.sha256(json.dumps([plan.settings(), agents, plan.seed], sort_keys=True).encode())
    return f"{plan.game.name}-{digest.hexdigest()[:6]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A plan to be carried out: the league is made or continued, and what is missing is played.

    Without a name it is a new league, called after `prefix` (else the kind of plan). Each event is told to `tell`;
    without it, progress is shown on stderr. Of the games of the plan `most` are wanted, all if it is None. A new league
    begins with a rehearsal, unless there was one already.
    """

    store: Store
    plan: Plan
    name: str | None
    prefix: str = ""
    most: int | None = None
    tell: Callable[[Event], None] | None = None
    is_rehearsed: bool = False

    def rehearse(self) -> "Run":
        """Start every agent once, if the league is a new one: slips are told before anything is played."""
        if self._is_new():
            with open_executor(self._setup(), workers=1) as executor:
                _rehearse(self.plan, executor)
        return replace(self, is_rehearsed=True)

    def _is_new(self) -> bool:
        return self.name is None or self.store.league(self.name) is None

    def on_workers(self, workers: int | None, *, is_over: Callable[[], bool] = lambda: False) -> tuple[League, Summary]:
        """Several games at a time, one to a core."""
        games = self.plan.games if self.plan.format == "match" else len(self.plan.entrants)
        count = workers or max(1, min(len(cores()), games))
        with open_executor(self._setup(), workers=count) as executor:
            return self._carried_out(executor, is_over=is_over)

    def here(self, *, watch: Callable[[Turn], None]) -> tuple[League, Summary]:
        """One game after the other, for somebody who watches or plays."""
        with open_executor(self._setup(), workers=None, players=humans_at_terminal) as executor:
            return self._carried_out(executor, watch=watch)

    def _setup(self) -> Setup:
        return Setup(self.plan.game, self.plan.rules, self.plan.needs, home())

    def _carried_out(
        self, executor: Executor, *,
        watch: Callable[[Turn], None] | None = None, is_over: Callable[[], bool] = lambda: False,
    ) -> tuple[League, Summary]:  # fmt: skip
        store, plan = self.store, self.plan
        _warn(executor.level)
        if not self.is_rehearsed and self._is_new():
            _rehearse(plan, executor)
        league = join(store, self.name, plan) if self.name is not None else self._new()
        if plan.kind == "league":
            form = {"kernel": "its native kernel", "python": "its rules in Python"}[live(plan.game.name)]
            click.echo(f"{league.name}: {plan.game.name} runs on {form}", err=True)
        store.claim(league.name, pid=os.getpid(), began=start_time(os.getpid()), is_alive=is_alive)
        draw = PairingQueue(store, league)
        if draw.done:
            total = max(draw.done, self.most or draw.total)
            click.echo(f"{league.name}: {draw.done} of {total} games were stored already", err=True)
        with _interruptible(store, league, self.most), self._telling(league, draw) as tell:
            return league, run(store, league, plan, executor, home=home(), tell=tell, watch=watch, is_over=is_over)

    @contextmanager
    def _telling(self, league: League, draw: PairingQueue) -> Iterator[Callable[[Event], None]]:
        if self.tell is not None:
            yield self.tell
        else:
            with progress(self.store, league, done=draw.done, total=draw.total) as tell:
                yield tell

    def _new(self) -> League:
        while True:
            with suppress(LeagueExists):  # somebody else took the name in between
                return join(self.store, self.store.free_name(self.prefix or self.plan.kind), self.plan)


def _warn(level: Level) -> None:
    if level == "none":
        click.echo("agents are trusted: they run unconfined and can do what you can do", err=True)
    if level == "reduced":
        click.echo("this Linux kernel confines agents less well than newer ones; `arena doctor` says how", err=True)


def _rehearse(plan: Plan, executor: Executor) -> None:
    """Start every agent once, so that the organiser learns of slips before the first game."""
    tried = (
        Rehearsal(entrant, plan.game)
        for entrant in plan.entrants
        # Whoever watches a game sees at once what is wrong.
        if not entrant.is_human and (plan.kind != "play" or entrant.is_bundled)
    )
    for outcome in executor.run(tried):
        entrant, why = cast(Rehearsal, outcome.task).entrant, outcome.result if isinstance(outcome, Ok) else ""
        if why and (entrant.is_bundled or entrant.grants.trusted):
            raise UnknownAgent(f"{entrant.agent}: {why}")
        if why:
            click.echo(f"warning: {plain(entrant.name)} does not start and will lose its games: {why}", err=True)


def say(text: str) -> None:
    """Print on stdout from within a game: if that fails, it is not the game's failure."""
    try:
        click.echo(text)
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror}") from error


def tell_json(event: Event) -> None:
    """A game as a line of JSON on stdout; all else on stderr."""
    if isinstance(event, Progress):
        click.echo(json.dumps(brief(event.record)))
    else:
        click.echo(plain(event.text, limit=300), err=True)


def tell_line(event: Event) -> None:
    """A game as a line of text on stdout; all else on stderr."""
    if isinstance(event, Progress):
        click.echo(game_line(event))
    else:
        click.echo(plain(event.text, limit=300), err=True)


@contextmanager
def _interruptible(store: Store, league: League, most: int | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        draw = PairingQueue(store, store.known(league.name))
        again = "the same command" if league.kind == "league" else f"the same command with --name {league.name}"
        total = most or draw.total
        click.echo(f"interrupted: {draw.done} of {total} games are stored; {again} goes on from there", err=True)
        raise click.exceptions.Exit(_INTERRUPTED) from None
