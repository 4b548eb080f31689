"""`arena submit`."""

import json

import click

from arena.cli.options import check_options, json_option
from arena.cli.text import check_text
from arena.competition import submission
from arena.competition.check import CheckFailed, Report

__all__ = ["command"]


@click.command("submit")
@click.argument("source", metavar="FILE_OR_FOLDER")
@click.option("--name", help="Name of the submission: a-z, 0-9, _ and -.  [default: name of the file]")
@click.option("--owner", metavar="TEXT", help="Name of the participant.  [default: unchanged]")
@click.option("--about", metavar="TEXT", help="Description in one line.  [default: unchanged]")
@check_options
@json_option
def command(
    source: str, name: str | None, owner: str | None, about: str | None, game: str, time: float | None,
    needs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Check an agent and keep a copy under a name that can be used wherever an agent is named.

    The copy plays two games in the sandbox, as in `arena check`. An agent that breaks a rule is
    refused (exit code 1). Submitting under the same name again creates a new version if the agent has changed.
    If a file holds several agents, write file.py:Class.

    \b
    Examples:
      arena submit my_agent.py --owner "Ada" --about "captures when it can"
      arena submit my_folder --name my_bot --needs torch
      arena submit my_agent.py:MyAgent --game othello
    """
    try:
        done = submission.submit(source, name=name, owner=owner, about=about, game=game, time=time, needs=needs)
    except CheckFailed as error:
        _print(error.report, as_json, name=error.report.agent, version=None)
        raise click.ClickException(str(error)) from error
    _print(done.report, as_json, name=done.name, version=done.version)
    if not as_json:
        same = " (no change: it is the same agent)" if not done.is_new else ""
        click.echo(f"submitted  {done.name}, version {done.version}{same}")


def _print(report: Report, as_json: bool, *, name: str, version: int | None) -> None:
    found = {"name": name, "version": version, **report.as_json()}
    click.echo(json.dumps(found, indent=2) if as_json else check_text(report))
