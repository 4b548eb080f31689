"""`arena standings`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.errors import BadSettings
from results import tables
from results.errors import NoLeague
from results.league import League
from results.standings import crosstable, standings
from results.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("standings")
@click.option("--league", metavar="NAME", help="Which one.  [default: the newest league]")
@db_option
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "markdown"]), default="table",
              show_default=True, help="How to print it.")  # fmt: skip
@click.option("--crosstable", "cross", is_flag=True, help="Points of everybody against everybody instead.")
def command(league: str | None, db: Path, form: str, cross: bool) -> None:
    """Print the standings of a league, also while it runs.

    Ranked by points, then direct encounter, Sonneborn-Berger, wins, wins as second.

    \b
    Examples:
      arena standings
      arena standings --crosstable
      arena standings --league thursday --format csv > thursday.csv
    """
    if cross and form not in ("table", "markdown"):
        raise BadSettings("--crosstable is drawn as table or markdown")
    with Store.read(db) as store:
        found = _find(store, league)
        names = [entrant.name for entrant in found.entrants]
        pairs = store.pairs(found.name)
    rows = standings(names, pairs)
    if form == "json":
        click.echo(tables.standings_json(rows))
    elif form == "csv":
        click.echo(tables.standings_csv(rows), nl=False)
    else:
        style: tables.Style = "markdown" if form == "markdown" else "table"
        table = crosstable(names, pairs)
        drawn = tables.crosstable_text(rows, table, style=style) if cross else tables.standings_text(rows, style=style)
        click.echo(f"{plain(found.name)}: {sum(pair.games for pair in pairs)} games\n\n{drawn}")


def _find(store: Store, name: str | None) -> League:
    found = store.league(name) if name is not None else store.latest(["league"]) or store.latest()
    if found is None:
        there = ", ".join(league.name for league in store.leagues()) or "none yet"
        raise NoLeague(f"no league called {name or ''!r} in {store.path}; there are: {plain(there)}")
    return found
