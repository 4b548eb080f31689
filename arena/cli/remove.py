"""`arena remove`."""

from pathlib import Path

import click

from arena.cli.options import db_option
from arena.competition.tidying import remove
from results.store.store import Store
from results.text import counted, plain

__all__ = ["command"]


@click.command("remove")
@click.argument("league", nargs=-1, required=True, metavar="LEAGUE...")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--no-backup", is_flag=True, help="Keep no copy of the results file.")
@db_option
def command(league: tuple[str, ...], yes: bool, no_backup: bool, db: Path) -> None:
    """Remove leagues, matches or single games with all their games from the results file.

    A copy of the whole file is kept beside it, unless --no-backup is given. Leagues that are running stay.

    \b
    Examples:
      arena remove play-1 play-2
      arena remove trial --yes --no-backup
    """
    names = tuple(dict.fromkeys(league))
    with Store.open(db, create=False) as store:
        games = sum(store.count(store.known(name).name, departed=True) for name in names)
        shown = ", ".join(plain(name, limit=60) for name in names)
        if not yes:
            click.confirm(f"remove {shown} with {counted(games, 'game')} from {plain(str(db))}?", abort=True, err=True)
        backup = remove(store, names, backup=not no_backup)
    click.echo(f"removed {shown} with {counted(games, 'game')}")
    if backup is not None:
        click.echo(f"the earlier file is kept as {plain(str(backup))}", err=True)
