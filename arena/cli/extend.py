"""`arena extend`."""

from pathlib import Path

import click

from arena.cli.continuing import say_how_to_continue
from arena.cli.options import db_option
from arena.cli.plain_click import Whole
from arena.competition import rated_queue, roster
from results.store.store import Store
from results.text import counted, plain

__all__ = ["command"]


@click.command("extend")
@click.argument("league", metavar="LEAGUE")
@click.option("--rounds", type=Whole(min=1, max=1000), metavar="N", help="Rounds to add to a league.")
@click.option("--games", type=Whole(min=1, max=100_000), metavar="N",
              help="Games to add to a benchmark (with --levels, at each level) or to a ladder's --games.")  # fmt: skip
@db_option
def command(league: str, rounds: int | None, games: int | None, db: Path) -> None:
    """Add rounds to a league, or games to a benchmark or a ladder, also while it runs.

    `arena league --name LEAGUE` plays the new games. So does the command that started the league, with the number of
    rounds that it had at first; a benchmark needs --name there.

    \b
    Examples:
      arena extend thursday --rounds 2
      arena extend candidate --games 40
    """
    with Store.open(db, create=False) as store:
        found = roster.extend(store, store.known(league), rounds=rounds, games=games)
        limit = rated_queue.games_of(found) if found.format == "ladder" else None
        noun = "game" if limit or found.format == "match" else "round"
        click.echo(f"{plain(found.name)} has {counted(limit or found.rounds, noun)} now")
        say_how_to_continue(store, found)
