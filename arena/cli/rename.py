"""`arena rename`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.competition.settings import Settings
from arena.process.spawn import is_alive
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("rename")
@click.argument("league", metavar="LEAGUE")
@click.argument("name", metavar="NAME")
@db_option
def command(league: str, name: str, db: Path) -> None:
    """Give a stored league another name; it must not be running.

    From then on it continues under its new name: arena league --name NAME

    \b
    Examples:
      arena rename microchess-6f31c9 thursday
    """
    Settings.of({"name": name})  # raises if it cannot be the name of a league
    with Store.open(db, create=False) as store:
        found = store.rename(league, name, is_alive=is_alive)
    click.echo(f"{plain(league)} is called {plain(found.name)} now")
