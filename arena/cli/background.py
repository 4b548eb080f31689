"""What `arena league --detach` prints: how to look at the league and how to stop it, or why it did not start."""

import json
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path

import click

from arena.competition.background import Background, fork
from arena.competition.events import Event, LeagueStarted, OnEvent
from results.text import plain, share_of

__all__ = ["detach", "reporting", "wait_for_start"]


def detach(db: Path) -> Background:
    """Fork a process that goes on after the terminal closes; its log is a new file beside the results file."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return fork(db.with_name(f"{db.stem}-{stamp}-{os.getpid()}.log"))


def reporting(background: Background, on_event: OnEvent) -> OnEvent:
    """The same receiver of events, which also tells the waiting process when the first league starts."""
    is_told = False

    def receive(event: Event) -> None:
        nonlocal is_told
        if isinstance(event, LeagueStarted) and not is_told:
            is_told = True
            background.report(event)
        on_event(event)

    return receive


def wait_for_start(background: Background, db: Path, *, as_json: bool) -> None:
    """Wait until the league has started, and print how to look and how to stop it; else exit as it did."""
    try:
        started = background.wait()
    except KeyboardInterrupt:
        _take_log(background.log)
        raise
    if not isinstance(started, LeagueStarted):
        said = _take_log(background.log)
        if started < 0:
            raise click.ClickException(f"signal {-started} ended the league before it started")
        assert said or started, "a league that does not start says why"
        raise click.exceptions.Exit(started)
    if as_json:
        what = {"league": started.league, "process": background.pid, "log": str(background.log)}
        click.echo(json.dumps(what | {"games": started.done, "total": started.total}))
        return
    name = shlex.quote(plain(started.league))
    file = "" if db == Path("arena.db") else f" --db {shlex.quote(plain(str(db)))}"
    click.echo(
        f"{plain(started.league)} runs in the background: process {background.pid}, "
        f"{share_of(started.done, started.total, 'game')} stored, log in {plain(str(background.log))}\n"
        f"  look: arena standings --league {name}{file}, arena leagues{file}\n"
        f"  stop: arena stop {name}{file}"
    )


def _take_log(log: Path) -> str:
    """Print the log of a league that did not start on stderr, and remove it."""
    said = log.read_text(encoding="utf-8", errors="replace")
    log.unlink()
    click.echo(said, nl=False, err=True)
    return said
