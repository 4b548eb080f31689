"""`arena show`."""

import json
from pathlib import Path

import click

from arena.cli.options import db_option, record_argument, stored_game_option
from arena.cli.output import check_output, confirm, output_option, write
from arena.cli.text import end_text
from arena.competition.explanation import explained_page
from games.base import join_parameters
from games.errors import ArenaError
from results.errors import NotationError
from results.notation.export import FORMATS, NOTATIONS, WriteGame
from results.notation.json_form import full
from results.notation.replay import BROKEN, replay
from results.record import GameRecord
from results.store.store import Store
from results.text import line_of, plain

__all__ = ["command"]

_LONG = 100_000  # characters


@click.command("show")
@record_argument
@db_option
@stored_game_option
@click.option("--format", "form", type=click.Choice(["text", "json", "html", *NOTATIONS]), default="text",
              show_default=True,
              help="Output format. text: board and moves; json: all data; html: a page with a board; "
              f"{'; '.join(f'{name}: {FORMATS[name].holds}' for name in NOTATIONS)}.")  # fmt: skip
@output_option
def command(record: int, db: Path, form: str, output: Path | None) -> None:
    """Show a stored game: its moves, last position, result and faults.

    RECORD is the number of the game, which `arena records` lists, or `last` for the newest game. With --format html
    the game is a page with a board on which you step through the moves. The page is one file and needs no network.

    \b
    Examples:
      arena show 17
      arena show 17 --format html -o game.html
      arena show 17 --format pgn > game.pgn
      arena show 17 --format sgf -o game.sgf
      arena show 17 --format transcript
      arena show 17 --format log > game.log
      arena show 17 --format json | jq .move_seconds
    """
    place = check_output(output, db=db)
    with Store.read(db) as store:
        found = store.record(record)
        league = store.league(found.league)
        exclusion = store.exclusions(found.league).get(record)
    excluded = exclusion.because if exclusion is not None else None
    if form == "json":
        shown = json.dumps(full(found) | {"excluded": excluded}, indent=2) + "\n"
    elif (write_game := FORMATS[form].write_game if form in FORMATS else None) is not None:
        shown = _written(found, write_game, form, excluded)
    elif form == "html":
        shown = explained_page(found, league, excluded=excluded)
    else:
        shown = _text(found, excluded)
    write(place, [shown])
    confirm(place)


def _written(record: GameRecord, write_game: WriteGame, form: str, excluded: str | None) -> str:
    try:
        return write_game(record, excluded=excluded)
    except ArenaError:
        raise
    except BROKEN as error:
        why = plain(str(error), limit=200)
        raise NotationError(f"record {record.id} cannot be written as {FORMATS[form].title}: {why}") from error


def _text(record: GameRecord, excluded: str | None) -> str:
    played = replay(record)
    heading = plain(join_parameters(record.game, record.parameters))
    start = plain(record.start, _LONG)
    opening = f"opening  {plain(line_of(record.opening), _LONG)}\n" if record.opening else ""
    moves = plain(line_of(move.text for move in record.moves[len(record.opening) :]), _LONG)
    board = f"no board: {played.broken}" if played.broken else plain(str(played.states[-1]), _LONG, multiline=True)
    note = f"excluded {plain(excluded, limit=500)}\n" if excluded is not None else ""
    return (
        f"{heading}, {record.started}\n{note}start    {start}\n{opening}moves    {moves}\n\n{board}\n\n"
        f"{end_text(record)}\n"
    )
