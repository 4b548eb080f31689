"""What to type next after a league was changed that is not running."""

import shlex

import click

from arena.cli.options import is_typed
from arena.entrants.staging import home
from arena.process.spawn import is_alive
from results.league import League
from results.store.store import Store
from results.text import plain

__all__ = ["say_how_to_continue"]


def say_how_to_continue(store: Store, league: League) -> None:
    """Print on stderr which command plays the new games; nothing if the league is running."""
    if store.is_claimed(league.name, is_alive=is_alive):
        return
    name = plain(league.name)
    if league.kind != "league":
        click.echo(f"{name} is not running; run its command again with --name {name} to play the new games", err=True)
        return
    words = ["arena", "ladder" if league.format == "ladder" else "league", "--name", name]
    if is_typed("db"):
        words += ["--db", plain(str(store.path))]
    if is_typed("home"):
        words += ["--home", plain(str(home()))]
    click.echo(f"{name} is not running; to play the new games: {shlex.join(words)}", err=True)
