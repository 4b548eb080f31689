"""`arena rerun`."""

import json
from pathlib import Path

import click

from arena.cli.options import db_option, json_option, record_argument, stored_game_option, trust_file_option
from arena.competition.rerun import play_again
from arena.entrants.staging import home
from results.store.store import Store
from results.text import line_of, plain

__all__ = ["command"]

_DIFFERS = 1


@click.command("rerun")
@record_argument
@db_option
@stored_game_option
@trust_file_option
@json_option
def command(record: int, db: Path, trust_file: bool, as_json: bool) -> None:
    """Play a stored game again and compare it with the stored one.

    The new game has the same seeds, code and options. The command prints `identical`, or the first move that differs
    (exit code 1). Agents whose moves depend on the time often differ. The new game does not count; the comparison is
    stored. A game that was played without the sandbox, or with an engine that the results file names by its command, is
    played again only with --trust-file.

    \b
    Examples:
      arena rerun 17
      arena rerun 17 --json
    """
    with Store.open(db, create=False) as store:
        found = store.record(record)
        again = play_again(found, store.known(found.league), home=home(), trust_file=trust_file)
        moves = line_of(move.text for move in again.now.moves)
        store.rerun(found.league, found.key, reason=again.text(), detail=moves)
    for change in again.changes:
        click.echo(f"note: {plain(change, limit=200)}", err=True)
    click.echo(json.dumps(again.as_dict()) if as_json else plain(again.text(), limit=400))
    if not again.is_identical:
        raise click.exceptions.Exit(_DIFFERS)
