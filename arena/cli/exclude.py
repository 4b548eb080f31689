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
@click.option("--because", metavar="TEXT", help="Why; it is kept with the game.")
@click.option("--undo", is_flag=True, help="Count the game again.")
@db_option
def command(record: int, because: str | None, undo: bool, db: Path) -> None:
    """Keep a game but count it no more, with the reason; --undo counts it again.

    It is not played again: its pairing stays as it was. That it was excluded, when and why stays on record.

    \b
    Examples:
      arena exclude 17 --because "the machine was out of memory"
      arena exclude 17 --undo
    """
    why = plain((because or "").strip(), limit=500)
    if undo and because is not None:
        raise BadSettings("--because and --undo exclude each other; leave one out")
    if not undo and not why:
        raise BadSettings('say why: --because "…", or --undo to count it again')
    with Store.open(db, create=False) as store:
        found = store.include(record) if undo else store.exclude(record, because=why)
    click.echo(f"record {record} {'counts again' if undo else 'does not count any more'}: {game_text(found)}")
