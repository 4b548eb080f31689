"""`arena withdraw`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.competition import roster
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("withdraw")
@click.argument("league", metavar="LEAGUE")
@click.argument("agent", metavar="AGENT")
@click.option("--because", default="by the organiser", metavar="TEXT", help="Why; kept with the league.")
@db_option
def command(league: str, agent: str, because: str, db: Path) -> None:
    """Take an entrant, named as in the standings, out of a league, also while it runs.

    If it has played fewer than half of its games, they count for nobody; otherwise they stand, and each opponent
    that it has still to meet gets the point. In a Swiss or a knockout its games stand.

    \b
    Examples:
      arena withdraw thursday mcts
      arena withdraw thursday mcts --because "its author asked for it"
    """
    with Store.open(db, create=False) as store:
        found = roster.depart(store, store.known(league), agent, why="withdrawn", detail=plain(because, limit=500))
    stands = found.departures[agent].stands
    verdict = "its games stand" if stands else "its games count for nobody"
    click.echo(f"{plain(agent)} has left {plain(found.name)}; {verdict}")
