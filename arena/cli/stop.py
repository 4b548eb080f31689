"""`arena stop`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.competition import background
from arena.competition.listing import listed_league
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("stop")
@click.argument("league", metavar="LEAGUE")
@db_option
def command(league: str, db: Path) -> None:
    """Stop a running league or match as Ctrl-C does, and wait until it has ended.

    The running games are dropped, all others are stored, and the command that started it continues it. The process that
    plays gets the signal SIGTERM, but only if it is yours and has the results file open.

    \b
    Examples:
      arena stop thursday
      arena stop thursday --db course.db
    """
    with Store.read(db) as store:
        if not background.stop(store, league):
            raise click.ClickException(
                f"{plain(league)} was told to stop but has not ended yet; `arena leagues` shows it"
            )
        found = listed_league(store, store.known(league))
    done = f"{plain(league)}: {found.games}{'' if found.total is None else f' of {found.total}'} games are stored"
    if found.state == "finished":
        click.echo(f"{done}; it is finished")
    elif found.kind == "league":
        continued_by = "ladder" if found.format == "ladder" else "league"
        click.echo(f"{done}; arena {continued_by} --name {plain(league)} continues")
    else:
        click.echo(f"{done}; its command with --name {plain(league)} continues")
