"""`arena agents`."""

import json
from dataclasses import asdict

import click

from arena.catalog import bundled
from arena.cli.options import json_option

__all__ = ["command"]


@click.command("agents")
@json_option
def command(as_json: bool) -> None:
    """List the bundled agents with their options.

    Your own are named by dotted path, file or folder: ./my_agent.py, ./my_agent.py:Class, my_package.module.Class

    \b
    Examples:
      arena agents
      arena agents --json
    """
    found = list(bundled())
    if as_json:
        click.echo(json.dumps([asdict(agent) for agent in found], indent=2))
        return
    from tabulate import tabulate

    rows = [(agent.name, agent.options or "-", agent.summary) for agent in found]
    click.echo(tabulate(rows, ["name", "options", "what it does"], disable_numparse=True, maxcolwidths=[None, 40, 70]))
