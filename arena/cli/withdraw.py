"""`arena withdraw`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.competition.league import depart
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("withdraw")
@click.argument("league", metavar="LEAGUE")
@click.argument("agent", metavar="AGENT")
@click.option("--because", default="by the organiser", show_default=True, metavar="TEXT",
              help="The reason. It is stored with the league.")  # fmt: skip
@db_option
def command(league: str, agent: str, because: str, db: Path) -> None:
    """Withdraw an entrant from a league, also while it runs.

    AGENT is the name of the entrant in the standings. If it has played fewer than half of its games, they do not
    count. Otherwise they count, and each opponent that it has not met yet gets the point. In a Swiss league or a
    knockout its games always count.

    \b
    Examples:
      arena withdraw thursday mcts
      arena withdraw thursday mcts --because "its author asked for it"
    """
    with Store.open(db, create=False) as store:
        found = depart(store, store.known(league), agent, why="withdrawn", detail=plain(because, limit=500))
    verdict = "its games still count" if found.departures[agent].stands else "its games do not count"
    click.echo(f"{plain(agent)} has left {plain(found.name)}; {verdict}")
