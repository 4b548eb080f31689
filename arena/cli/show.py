"""`arena show`."""

import json
from pathlib import Path

import click

from arena.cli.options import db_option
from arena.cli.report import end_report
from games.base import join_parameters, load
from results.json_form import full
from results.record import GameRecord
from results.store import Store

__all__ = ["command"]


@click.command("show")
@click.argument("record", type=click.IntRange(min=1, max=2**63 - 1), metavar="RECORD")
@db_option
@click.option("--format", "form", type=click.Choice(["text", "json", "pgn"]), default="text", show_default=True,
              help="How to print it; PGN for the chess games only.")  # fmt: skip
def command(record: int, db: Path, form: str) -> None:
    """Show a stored game: moves, last position, result, evidence of a fault.

    \b
    Examples:
      arena show 17
      arena show 17 --format pgn > game.pgn
      arena show 17 --format json | jq .move_seconds
    """
    with Store.read(db) as store:
        found = store.record(record)
    if form == "json":
        click.echo(json.dumps(full(found), indent=2))
    elif form == "pgn":
        from results import pgn  # python-chess' reader and writer, only where it is wanted

        click.echo(pgn.write(found))
    else:
        click.echo(_text(found))


def _text(record: GameRecord) -> str:
    state = load(join_parameters(record.game, record.parameters)).position(record.start)
    for move in record.moves:
        state = state.forward(state.parse(move.text))
    heading = join_parameters(record.game, record.parameters)
    opening = f"opening  {' '.join(record.opening)}\n" if record.opening else ""
    played = " ".join(move.text for move in record.moves[len(record.opening) :])
    return (
        f"{heading}, {record.started}\nstart    {record.start}\n{opening}moves    {played}\n\n{state}\n\n"
        f"{end_report(record)}"
    )
