"""`arena check`."""

import json

import click

from arena.cli.checking import report_text
from arena.cli.options import agent_argument, check_options, json_option
from arena.competition.inspection import inspect, short_game
from arena.entrants.entrant import resolve
from arena.entrants.staging import home

__all__ = ["command"]


@click.command("check")
@agent_argument("agent")
@check_options
@json_option
def command(agent: str, game: str, time: float | None, needs: tuple[str, ...], as_json: bool) -> None:
    """Find out what would disqualify AGENT, before any league; nothing is stored.

    It is started in the sandbox and plays two short games, against itself and against random.
    Every refused call is printed, also those that libraries make by habit and that cost nothing.
    Exit code 1 if it breaks a rule.

    \b
    Examples:
      arena check ./my_agent.py
      arena check ./my_agent.py:MyAgent --game othello
      arena check my_bot:depth=3 --json
    """
    report = inspect(resolve(agent, home=home()), short_game(game), seconds=time, needs=needs)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else report_text(report))
    if not report.passed:
        raise click.exceptions.Exit(1)
