"""`arena check`."""

import json

import click

from arena.cli.options import agent_argument, check_options, json_option
from arena.cli.text import check_text
from arena.competition import check

__all__ = ["command"]


@click.command("check")
@agent_argument("agent")
@check_options
@json_option
def command(agent: str, game: str, time: float | None, needs: tuple[str, ...], as_json: bool) -> None:
    """Find out what would disqualify AGENT before a league. Nothing is stored.

    The agent starts in the sandbox and plays two short games, against itself and against random.
    Every refused system call is printed, including harmless calls that libraries make by habit.
    Exit code 1 if the agent breaks a rule.

    \b
    Examples:
      arena check ./my_agent.py
      arena check ./my_agent.py:MyAgent --game othello
      arena check my_bot:depth=3 --json
    """
    report = check.check(agent, game=game, time=time, needs=needs)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else check_text(report))
    if not report.passed:
        raise click.exceptions.Exit(1)
