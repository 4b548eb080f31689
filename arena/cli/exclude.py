"""`arena exclude`."""

from pathlib import Path

import click

from arena.cli.options import db_option, record_argument
from arena.cli.text import game_text
from arena.errors import BadSettings
from results.store.store import Store
from results.text import plain

__all__ = ["command"]


@click.command("exclude")
@record_argument
@click.option("--because", metavar="TEXT", help="The reason. It is stored with the game.")
@click.option("--undo", is_flag=True, help="Count the game again.")
@db_option
def command(record: int, because: str | None, undo: bool, db: Path) -> None:
    """Exclude a stored game from the standings, or count it again.

    The game stays in the results file but does not count, and it is not played again. The reason and the time are
    stored.

    \b
    Examples:
      arena exclude 17 --because "the machine was out of memory"
      arena exclude 17 --undo
    """
    reason = plain((because or "").strip(), limit=500)
    if undo and because is not None:
        raise BadSettings("--because and --undo cannot be used together; leave one out")
    if not undo and not reason:
        raise BadSettings('the reason is missing; add --because "…", or --undo to count the game again')
    with Store.open(db, create=False) as store:
        found = store.include(record) if undo else store.exclude(record, because=reason)
    click.echo(f"record {record} {'counts again' if undo else 'no longer counts'}: {game_text(found)}")
