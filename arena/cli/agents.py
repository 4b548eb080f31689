"""`arena agents`."""

import json
from dataclasses import asdict

import click

from arena.cli.options import home_option, json_option
from arena.entrants.catalog import Description, EngineDescription, bundled, engines
from arena.entrants.staging import home
from arena.entrants.submissions import Submission, Submissions
from results.text import plain

__all__ = ["command"]


@click.command("agents")
@home_option
@json_option
def command(as_json: bool) -> None:
    """List the bundled and submitted agents and the kinds of engine.

    Other agents are written as a file, a folder or a dotted path: ./my_agent.py, ./my_agent.py:MyAgent,
    ./my_folder/, my_package.my_module.MyAgent

    \b
    Examples:
      arena agents
      arena agents --json
    """
    found = list(bundled())
    submitted = Submissions(home()).all_latest()
    if as_json:
        rows: list[dict[str, object]] = [{"kind": "bundled", **asdict(agent)} for agent in found]
        rows += [{"kind": "engine", **asdict(engine)} for engine in engines()]
        rows += [{"kind": "submitted", **asdict(submission)} for submission in submitted]
        click.echo(json.dumps(rows, indent=2))
        return
    click.echo(_bundled_table(found))
    click.echo(f"\nengines, in any language:\n\n{_engines_table(list(engines()))}")
    if submitted:
        click.echo(f"\nsubmitted:\n\n{_submitted_table(submitted)}")


def _bundled_table(found: list[Description]) -> str:
    from tabulate import tabulate

    rows = [(agent.name, agent.options or "-", agent.summary) for agent in found]
    return tabulate(rows, ["name", "options", "description"], disable_numparse=True, maxcolwidths=[None, 40, 70])


def _engines_table(found: list[EngineDescription]) -> str:
    from tabulate import tabulate

    rows = [(engine.name, engine.games, engine.example) for engine in found]
    return tabulate(rows, ["name", "games", "example"], disable_numparse=True)


def _submitted_table(submitted: list[Submission]) -> str:
    from tabulate import tabulate

    rows = [
        (
            one.name,
            str(one.version),
            one.hash[:12],
            one.date[:10],
            plain(one.owner, limit=30) or "-",
            plain(one.about, limit=60) or "-",
        )
        for one in submitted
    ]
    return tabulate(rows, ["name", "version", "hash", "date", "owner", "about"], disable_numparse=True)
