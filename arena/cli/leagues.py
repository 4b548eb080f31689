"""`arena leagues`."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.options import db_option, json_option
from arena.cli.text import label
from arena.competition.listing import ListedLeague, listed_leagues
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("leagues")
@db_option
@json_option
def command(db: Path, as_json: bool) -> None:
    """List the stored leagues, matches and single games, and whether they run.

    A league that is stopped continues with the command that started it. A match by a sequential test has no fixed
    number of games.

    \b
    Examples:
      arena leagues
      arena leagues --db course.db --json
    """
    with Store.read(db) as store:
        found = listed_leagues(store)
    if as_json:
        click.echo(json.dumps([asdict(league) for league in found], indent=2))
    elif found:
        from tabulate import tabulate

        headers = ["name", "kind", "game", "entrants", "games", "state", "created"]
        click.echo(tabulate([_cells(league) for league in found], headers, disable_numparse=True))
    else:
        click.echo(f"no league is stored in {plain(str(db))} yet", err=True)


def _cells(league: ListedLeague) -> list[str]:
    games = str(league.games) if league.total is None else f"{league.games} of {league.total}"
    created = plain(league.created[:16].replace("T", " "))
    game = plain(league.game, limit=30)
    is_match = league.kind == "benchmark" and league.total is None
    kind = "match" if is_match else "ladder" if league.format == "ladder" else league.kind
    return [label(league.name), kind, game, str(len(league.entrants)), games, league.state, created]
