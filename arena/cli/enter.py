"""`arena enter`."""

from pathlib import Path

import click

from arena.cli.options import agent_argument, db_option
from arena.competition import roster
from arena.entrants.entrant import resolve_all
from arena.entrants.staging import home
from arena.errors import BadSettings
from arena.execution.executor import Ok
from arena.execution.executors import Setup, open_executor
from arena.referee.task import Rehearsal
from games.base import join_parameters, load
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("enter")
@click.argument("league", metavar="LEAGUE")
@agent_argument("agent", nargs=-1)
@db_option
def command(league: str, agent: tuple[str, ...], db: Path) -> None:
    """Add agents to a stored league, also while it runs: they meet all the others.

    A league that does not run takes them in when its command is given again.

    \b
    Examples:
      arena enter thursday ./late_agent.py
      arena enter thursday abp_negamax:depth=3 mcts
    """
    with Store.open(db, create=False) as store:
        found = store.known(league)
        resolved = resolve_all(agent, home=home(), taken=[entrant.name for entrant in found.entrants])
        if any(entrant.is_human for entrant in resolved):
            raise BadSettings("people play with `arena play`, not in leagues")
        game = load(join_parameters(str(found.settings["game"]), found.settings["parameters"]))  # type: ignore[arg-type]
        entrants = [roster.fit(entrant, found, game) for entrant in resolved]
        with open_executor(Setup.of(found, game, home=home()), workers=None) as executor:
            for entrant in entrants:
                found = roster.enter(store, found, entrant)
                click.echo(f"{plain(entrant.name)} has entered {plain(found.name)}")
                for tried in executor.run(iter([Rehearsal(entrant, game)])):
                    if isinstance(tried, Ok) and (why := tried.result):
                        click.echo(f"warning: it does not start and will lose its games: {why}", err=True)
