"""`arena report`."""

import os
from pathlib import Path
from urllib.parse import quote

import click

from arena.cli.options import db_option, league_option, stored_game_option
from arena.cli.output import cannot_write, check_output, confirm, output_option, progress, write
from arena.competition.explanation import explained_page
from arena.competition.feedback import agent_report, owners_of
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings
from results.pages.agent_page import agent_page
from results.pages.report_page import read_report, report_page
from results.store import utc
from results.store.store import Store
from results.text import counted, plain

__all__ = ["command"]


@click.command("report")
@league_option
@db_option
@stored_game_option
@output_option
@click.option("--agent", metavar="NAME", help="Write the page of this entrant: its games, losses and slowest moves.")
@click.option("--replays", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Also write a page for each game into this folder, and link to these pages.")  # fmt: skip
def command(league: str | None, db: Path, output: Path | None, agent: str | None, replays: Path | None) -> None:
    """Write an HTML page about a league.

    It shows the standings with the owners of submitted agents, withdrawals and suspensions, ratings, crosstable,
    first-player advantage, faults and the newest 1000 games. The page is one file and needs no network. With --replays
    it links to the pages of the games in that folder. With --agent it is a page for one participant.

    \b
    Examples:
      arena report -o league.html
      arena report --league thursday -o site/index.html --replays site/games
      arena report --agent my_bot -o my_bot.html
    """
    place = check_output(output, db=db)
    with Store.read(db) as store:
        found = store.find_league(league)
        owners = owners_of(found, Submissions(home()))
        if agent is not None:
            if replays is not None:
                raise BadSettings("--agent and --replays cannot be used together; leave one out")
            write(place, [agent_page(agent_report(store, found, agent, owner=owners.get(agent, "")))])
            confirm(place)
            return
        report = read_report(store, found, made=utc.stamp(utc.now()), owners=owners)
        if replays is not None:
            exclusions = store.exclusions(found.name)
            for record in progress(store.records(found.name), "game"):
                exclusion = exclusions.get(record.id or 0)
                page = explained_page(record, found, excluded=exclusion.because if exclusion is not None else None)
                _write_page(replays / _page_name(record.id), page)
    folder = None if replays is None else os.path.relpath(replays, place.parent if place else Path())
    write(place, [report_page(report, link=lambda number: folder and f"{quote(folder)}/{_page_name(number)}")])
    confirm(place)
    if replays is not None:
        click.echo(f"wrote {counted(report.total, 'replay')} into {plain(str(replays))}", err=True)


def _page_name(number: int | None) -> str:
    return f"record-{number}.html"


def _write_page(place: Path, page: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(place.parent, error) from error
    write(place, [page])
