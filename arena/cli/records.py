"""`arena records`."""

import json
from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.options import db_option, json_option
from arena.cli.plain_click import Whole
from arena.cli.text import ending_text, label
from results.league import Exclusion
from results.notation.json_form import brief
from results.record import GameRecord
from results.store.store import Store
from results.text import counted

__all__ = ["command"]


@click.command("records")
@click.option("--league", metavar="NAME", help="Only games of this league.  [default: all leagues]")
@click.option("--agent", metavar="NAME", help="Only games of this entrant.")
@click.option("--faults", is_flag=True, help="Only games that ended by a fault.")
@click.option("--limit", type=Whole(min=0), default=50, show_default=True, metavar="N",
              help="Show only the newest N games; 0 for all.")  # fmt: skip
@db_option
@json_option
def command(league: str | None, agent: str | None, faults: bool, limit: int, db: Path, as_json: bool) -> None:
    """List stored games with the numbers that `show`, `why`, `rerun` and `exclude` take.

    The newest game is the last line. Those commands also take `last` for it.

    \b
    Examples:
      arena records
      arena records --league thursday --agent my_bot
      arena records --faults --limit 0 --json
    """
    with Store.read(db) as store:
        newest = store.newest(league, agent=agent, faults=faults, limit=limit or -1)  # -1: all of them
        found = [store.record(number) for number in reversed(newest.numbers)]
        excluded = store.exclusions(league)
    if as_json:
        click.echo(json.dumps([_json(record, excluded) for record in found], indent=2))
        return
    if found:
        from tabulate import tabulate

        headers = ["record", "league", "first", "result", "second", "ending", "turns"]
        click.echo(tabulate([_cells(record, excluded) for record in found], headers, disable_numparse=True))
    if len(found) < newest.total:
        click.echo(f"the newest {len(found)} of {counted(newest.total, 'game')}; --limit 0 shows all", err=True)
    elif not found:
        click.echo("no such game is stored", err=True)


def _json(record: GameRecord, excluded: Mapping[int, Exclusion]) -> dict[str, object]:
    exclusion = None if record.id is None else excluded.get(record.id)
    return {**brief(record), "excluded": exclusion and exclusion.because}


def _cells(record: GameRecord, excluded: Mapping[int, Exclusion]) -> list[str]:
    ending = f"{ending_text(record)}{' (excluded)' if record.id in excluded else ''}"
    players = (label(record.first.name), record.result, label(record.second.name))
    return [str(record.id), label(record.league), *players, ending, str(record.turns)]
