"""`arena standings`."""

from pathlib import Path

import click

from arena.cli.options import db_option, league_option
from arena.cli.output import terminal_width
from arena.errors import BadSettings
from results.standings import text_tables
from results.standings.table import crosstable, table
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("standings")
@league_option
@db_option
@click.option("--format", "form", type=click.Choice(["table", "json", "csv", "markdown"]), default="table",
              show_default=True, help="Output format.")  # fmt: skip
@click.option("--crosstable", "cross", is_flag=True, help="Print the points of each entrant against each other one.")
def command(league: str | None, db: Path, form: str, cross: bool) -> None:
    """Print the standings of a league, also while it runs.

    Entrants are ranked by points, then by direct encounter, Sonneborn-Berger, wins, wins as second and Koya. In a
    Swiss league Buchholz is the first of these tie-breaks. In a knockout the round that was reached counts more than
    points. Elo ratings are relative to the average entrant and have a 95 % interval.

    \b
    Examples:
      arena standings
      arena standings --crosstable
      arena standings --league thursday --format csv > thursday.csv
    """
    if cross and form not in ("table", "markdown"):
        raise BadSettings("--crosstable needs --format table or markdown")
    with Store.read(db) as store:
        found = store.find_league(league)
        standings = table(store, found)
    rows = standings.rows
    if form in ("json", "csv"):
        for note in standings.load.notes:
            click.echo(f"arena: {note}", err=True)
    if form == "json":
        click.echo(text_tables.standings_json(rows))
    elif form == "csv":
        click.echo(text_tables.standings_csv(rows), nl=False)
    else:
        style: text_tables.Style = "markdown" if form == "markdown" else "table"
        games = sum(pair.games for pair in standings.pairs)
        click.echo(f"{plain(found.name)}: {games} game{'' if games == 1 else 's'}\n")
        if cross:
            points = crosstable([entrant.name for entrant in found.entrants], standings.pairs)
            click.echo(text_tables.crosstable_text(rows, points, style=style))
        else:
            click.echo(text_tables.standings_text(rows, style=style, format=found.format, width=terminal_width()))
            click.echo("".join(f"\n{line}" for line in standings.notes))
