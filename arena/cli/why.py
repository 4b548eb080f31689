"""`arena why`."""

import json
from pathlib import Path

import click

from arena.cli.options import db_option, json_option, record_argument
from arena.competition.explanation import explain
from results.store.store import Store

__all__ = ["command"]


@click.command("why")
@record_argument
@db_option
@json_option
def command(record: int, db: Path, as_json: bool) -> None:
    """Explain how a stored game ended, with the evidence of a fault.

    It says which player broke which rule in which move, and shows tracebacks, times and refused system calls.
    RECORD is the number of the game, which `arena records` lists, or `last` for the newest game.

    \b
    Examples:
      arena why 17
      arena why 17 --json
    """
    with Store.read(db) as store:
        found = store.record(record)
        exclusion = store.exclusions(found.league).get(record)
    explanation = explain(found, excluded=exclusion.because if exclusion is not None else None)
    click.echo(json.dumps(explanation.as_json(found), indent=2) if as_json else explanation.text())
