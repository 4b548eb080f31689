"""`arena enter`."""

from pathlib import Path

import click

from arena.cli.continuing import say_how_to_continue
from arena.cli.live import print_notice
from arena.cli.options import agent_argument, db_option, stored_game_option, trust_file_option
from arena.competition import roster
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("enter")
@click.argument("league", metavar="LEAGUE")
@agent_argument("agent", nargs=-1)
@db_option
@stored_game_option
@trust_file_option
def command(league: str, agent: tuple[str, ...], db: Path, trust_file: bool) -> None:
    """Add agents to a stored league, also while it runs. They meet all the other entrants.

    If the league is not running, `arena league --name LEAGUE` plays the new games.

    \b
    Examples:
      arena enter thursday ./late_agent.py
      arena enter thursday abp_negamax:depth=3 mcts
    """
    with Store.open(db, create=False) as store:
        known = store.known(league)
        for entrant in roster.enter_all(store, known, agent, on_event=print_notice, trust_file=trust_file):
            click.echo(f"{plain(entrant.name)} has entered {plain(league)}")
        say_how_to_continue(store, known)
