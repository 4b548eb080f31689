"""`arena export`."""

import importlib.util
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from arena.cli.options import db_option
from arena.cli.output import cannot_write, check_output, confirm, output_option, progress, replacing, write
from arena.errors import BadSettings
from results.league import Exclusion
from results.notation.export import FORMATS, Format, Row, notation_pieces
from results.record import GameRecord
from results.store.store import Store
from results.text import counted, plain

__all__ = ["command"]


@click.command("export")
@click.option("--format", "name", type=click.Choice(list(FORMATS)), required=True,
              help="Output format. "
              f"{'; '.join(f'{name}: {form.holds}' for name, form in FORMATS.items())}.")  # fmt: skip
@click.option("--league", metavar="NAME", help="Name of the league.  [default: all leagues]")
@db_option
@output_option
def command(name: str, league: str | None, db: Path, output: Path | None) -> None:
    """Write stored games in a format for other programs.

    Games that cannot be written in the format are left out and counted on stderr. Excluded games are written too,
    with the reason in the field `excluded`. In CSV, a text that a spreadsheet would read as a formula starts with '.
    Parquet needs the package pyarrow and the option -o.

    \b
    Examples:
      arena export --format csv > games.csv
      arena export --format parquet --league thursday -o thursday.parquet
      arena export --format json | jq '.[] | select(.fault) | .id'
      arena export --format pgn -o games.pgn
      arena export --format sgf --league go -o games.sgf
      arena export --format transcript > othello.txt
      arena export --format log > mushroom.log
    """
    place = check_output(output, db=db)
    form = FORMATS[name]
    if form.write_file is not None:
        _check_parquet(place)
    with Store.read(db) as store:
        if form.write_rows is not None:
            write(place, form.write_rows(progress(store.rows(league), "game")))
        elif form.write_file is not None and place is not None:
            _write_file(form, place, progress(store.rows(league), "game"))
        else:
            records, exclusions = progress(store.records(league), "game"), store.exclusions(league)
            if form.write_all is not None:
                write(place, form.write_all(records, exclusions))
            else:
                _write_notation(form, place, records, exclusions)
    confirm(place)


def _check_parquet(place: Path | None) -> None:
    if importlib.util.find_spec("pyarrow") is None:
        raise BadSettings("Parquet needs pyarrow; install it with: pip install pyarrow")
    if place is None:
        raise BadSettings("Parquet cannot be written to stdout; name a file with --output")


def _write_notation(
    form: Format, place: Path | None, records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion]
) -> None:
    left_out: Counter[str] = Counter()
    written = write(place, notation_pieces(form, records, exclusions, left_out))
    for why, games in left_out.items():
        click.echo(f"left out: {counted(games, 'game')} of {plain(why)}", err=True)
    if not written:
        raise click.ClickException(f"no game can be written as {form.title}; use another format")


def _write_file(form: Format, place: Path, rows: Iterable[Row]) -> None:
    assert form.write_file is not None
    try:
        with replacing(place) as path:
            form.write_file(rows, path)
    except OSError as error:
        raise cannot_write(place, error) from error
