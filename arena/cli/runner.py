"""Running a plan from the command line: progress for the person who waits, a line for the one who interrupts."""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import click

from arena.cli.lines import game_line, game_text
from arena.errors import OutputError
from arena.league import Progress, Summary, join, run
from arena.plan import Plan
from arena.referee import Turn
from arena.sandbox.level import Level
from arena.seating import Seating
from results.errors import LeagueExists
from results.json_form import brief
from results.league import League
from results.store import Store
from results.text import plain

__all__ = ["default_name", "run_all", "say", "tell_json", "tell_line"]

_INTERRUPTED = 130


def default_name(plan: Plan) -> str:
    """A name that the same command gives again as long as the agents stay the same, so that it goes on."""
    agents = [(entrant.name, entrant.hash) for entrant in plan.entrants]
    digest = hashlib.sha256(json.dumps([plan.settings(), agents, plan.seed], sort_keys=True).encode())
    return f"{plan.game.name}-{digest.hexdigest()[:6]}"


def run_all(
    store: Store, name: str | None, plan: Plan, *,
    tell: Callable[[Progress], None] | None = None, watch: Callable[[Turn], None] | None = None,
) -> tuple[League, Summary]:  # fmt: skip
    """Make the league or go on with it, and play what is missing; without a name it is a new one.

    Each game that ends is told to `tell`; without it, progress is shown on stderr.
    """
    if plan.rules is None:
        click.echo("agents are trusted: they run unconfined and can do what you can do", err=True)
    with Seating(plan.game, plan.rules, needs=plan.needs) as seating:
        _warn(seating.level)
        if name is None or store.league(name) is None:
            _rehearse(plan, seating)
        league = join(store, name, plan) if name is not None else _new(store, plan)
        done, total = len(store.keys(league.name)), len(plan.pairings())
        if done:
            click.echo(f"{league.name}: {done} of {total} games were stored already", err=True)
        with _interruptible(store, league, total=total):
            if tell is not None:
                return league, run(store, league, plan, seating, tell=tell, watch=watch)
            with _progress(done, total) as show:
                return league, run(store, league, plan, seating, tell=show, watch=watch)


def _warn(level: Level) -> None:
    if level == "reduced":
        click.echo("this Linux kernel confines agents less well than newer ones; `arena doctor` says how", err=True)


def _rehearse(plan: Plan, seating: Seating) -> None:
    for entrant in plan.entrants:
        if entrant.is_human or (plan.kind == "play" and not entrant.is_bundled):
            continue  # whoever watches a game sees at once what is wrong
        if why := seating.rehearse(entrant, plan.game):
            click.echo(f"warning: {plain(entrant.name)} does not start and will lose its games: {why}", err=True)


def say(text: str) -> None:
    """Print on stdout from within a game: if that fails, it is not the game's failure."""
    try:
        click.echo(text)
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror}") from error


def tell_json(progress: Progress) -> None:
    """The game as a line of JSON on stdout."""
    click.echo(json.dumps(brief(progress.record)))


def tell_line(progress: Progress) -> None:
    """The game as a line of text on stdout."""
    click.echo(game_line(progress))


def _new(store: Store, plan: Plan) -> League:
    while True:
        with suppress(LeagueExists):  # somebody else took the name in between
            return join(store, store.free_name(plan.kind), plan)


@contextmanager
def _interruptible(store: Store, league: League, *, total: int) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        done = len(store.keys(league.name))
        again = "the same command" if league.kind == "league" else f"the same command with --name {league.name}"
        click.echo(f"interrupted: {done} of {total} games are stored; {again} goes on from there", err=True)
        raise click.exceptions.Exit(_INTERRUPTED) from None


@contextmanager
def _progress(done: int, total: int) -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal, a line a game elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda progress: click.echo(game_line(progress), err=True)
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
        from rich.table import Column

        last = TextColumn(
            "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
        )
        columns = (BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn(), last)
        with Bar(*columns, console=Console(stderr=True), expand=True) as bar:
            task = bar.add_task("", total=total, completed=done)
            yield lambda progress: bar.update(task, completed=progress.done, description=game_text(progress.record))
