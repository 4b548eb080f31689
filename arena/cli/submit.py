"""`arena submit`."""

import json

import click

from arena.cli.checking import report_text
from arena.cli.options import check_options, json_option
from arena.competition.inspection import inspect, short_game
from arena.competition.intake import draft, keep
from arena.entrants.staging import home

__all__ = ["command"]


@click.command("submit")
@click.argument("source", metavar="FILE_OR_FOLDER")
@click.option("--name", help="What to call it: a-z, 0-9, _ and -.  [default: the file's name]")
@click.option("--owner", metavar="TEXT", help="Who hands it in.  [default: as before]")
@click.option("--about", metavar="TEXT", help="What it does, in one line.  [default: as before]")
@check_options
@json_option
def command(
    source: str, name: str | None, owner: str | None, about: str | None, game: str, time: float | None,
    needs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Check an agent and keep a copy under a name that works wherever an agent is named.

    The copy is started in the sandbox and plays two short games, as in `arena check`; an agent that breaks
    a rule is refused (exit code 1). The same name again makes a new version, unless it is the same agent.
    A file with several agents is written file.py:Class.

    \b
    Examples:
      arena submit my_agent.py --owner "Ada" --about "captures when it can"
      arena submit my_folder --name my_bot --needs torch
      arena submit my_agent.py:MyAgent --game othello
    """
    taken = draft(source, name=name, needs=needs, home=home())
    report = inspect(taken.entrant, short_game(game), seconds=time)
    kept = keep(taken, report, owner=owner, about=about, home=home()) if report.passed else None
    if as_json:
        version = kept.version if kept else None
        click.echo(json.dumps({"name": taken.name, "version": version, **report.as_json()}, indent=2))
    else:
        click.echo(report_text(report))
    if kept is None:
        raise click.ClickException(f"{taken.name} is not submitted: {report.why_not}")
    if not as_json:
        same = " as before: it is the same agent" if kept.version == taken.version else ""
        click.echo(f"submitted  {kept.name}, version {kept.version}{same}")
