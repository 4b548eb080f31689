"""`arena check`."""

import json
from pathlib import Path

import click

from agents.names import ENGINES, NAMES
from arena.cli.options import agent_argument, check_options, home_option, json_option
from arena.cli.text import check_text
from arena.competition import check
from arena.entrants.staging import home
from arena.entrants.submissions import Submissions

__all__ = ["command"]


@click.command("check")
@agent_argument("agent")
@check_options
@home_option
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
      arena check abp_negamax:depth=3 --json
    """
    report = check.check(_with_slash(agent), game=game, time=time, needs=needs)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else check_text(report))
    if not report.passed:
        raise click.exceptions.Exit(1)


def _with_slash(agent: str) -> str:
    """A folder may be written without its slash, as in `arena submit`, unless an agent has that name."""
    if agent in (*NAMES, *ENGINES) or not Path(agent).is_dir() or Submissions(home()).latest(agent) is not None:
        return agent
    return f"{agent}/"
