"""`arena report`."""

import os
from pathlib import Path
from urllib.parse import quote

import click

from arena.cli.leagues import find_league
from arena.cli.options import db_option
from arena.cli.output import cannot_write, check_output, output_option, write
from arena.cli.pages import record_page
from results.pages.report_page import Report, line_of, report_page
from results.standings.table import table
from results.store import utc
from results.store.store import Store

__all__ = ["command"]


@click.command("report")
@click.option("--league", metavar="NAME", help="Which one.  [default: the newest league]")
@db_option
@output_option
@click.option("--replays", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write a page for each game into this folder, too, and link to them.")  # fmt: skip
def command(league: str | None, db: Path, output: Path | None, replays: Path | None) -> None:
    """Make one HTML page of a league: table, ratings, crosstable, first-player advantage, faults, games.

    The page needs no other file and no network; only the links to replays lead to the folder given.

    \b
    Examples:
      arena report -o league.html
      arena report --league thursday -o site/index.html --replays site/games
    """
    place = check_output(output, db=db)
    with Store.read(db) as store:
        found = find_league(store, league)
        standing, exclusions = table(store, found), store.exclusions(found.name)
        games = []
        for record in store.records(found.name):
            line = line_of(record, exclusions)
            games.append(line)
            if replays is not None:
                _write(replays / _page(line.id), record_page(record, found, excluded=line.excluded))
    report = Report(league=found, table=standing, games=games, made=utc.stamp(utc.now()))
    folder = None if replays is None else os.path.relpath(replays, place.parent if place else Path())
    write(place, [report_page(report, link=lambda number: folder and f"{quote(folder)}/{_page(number)}")])


def _page(number: int) -> str:
    return f"record-{number}.html"


def _write(place: Path, page: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(place.parent, error) from error
    write(place, [page])
