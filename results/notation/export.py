"""The export formats, and many games written in one of them.

A new format needs its own module and one entry in `FORMATS`; the commands `export` and `show` take their choices
from there.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from results.errors import NotationError
from results.league import Exclusion
from results.notation import mushroom_log, sgf, transcript
from results.notation.json_form import full
from results.notation.replay import BROKEN
from results.record import GameRecord
from results.store.columns import COLUMNS, Value
from results.text import cell, plain

if TYPE_CHECKING:
    import pandas

__all__ = [
    "FORMATS",
    "NOTATIONS",
    "Format",
    "Row",
    "WriteGame",
    "csv_pieces",
    "frame",
    "json_pieces",
    "notation_pieces",
    "write_parquet",
]


#: The values of `COLUMNS` for one game.
Row: TypeAlias = tuple[Value, ...]
#: Rows that are written at a time.
_AT_ONCE: Final = 1000
#: Rows of a Parquet file that are in memory together.
_GROUP: Final = 50_000


class WriteGame(Protocol):
    """Writes one game."""

    def __call__(self, record: GameRecord, /, *, excluded: str | None) -> str:
        """The text of the game; `excluded` is the reason why it does not count."""
        ...


class _WriteAll(Protocol):
    def __call__(self, records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion], /) -> Iterator[str]: ...


class _WriteRows(Protocol):
    def __call__(self, rows: Iterable[Row], /) -> Iterator[str]: ...


class _WriteFile(Protocol):
    def __call__(self, rows: Iterable[Row], path: Path, /) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One export format; exactly one of the four writers is given.

    `write_game` writes one game, so `show` has this format too. `write_all` writes all games as one text, piece by
    piece, and `write_rows` the same from a row for each game. `write_file` writes these rows to a file.
    """

    title: str
    ending: str
    #: What the format holds, for help texts.
    holds: str
    #: The games that can be written; None means all.
    games: Collection[str] | None = None
    write_game: WriteGame | None = None
    write_all: _WriteAll | None = None
    write_rows: _WriteRows | None = None
    write_file: _WriteFile | None = None
    #: Whether the text of a game names the players; if not, an export adds a comment line that does.
    names_players: bool = True


def csv_pieces(rows: Iterable[Row]) -> Iterator[str]:
    """A header line and one line per game; unknown values are empty. No spreadsheet takes a cell for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    yield _taken(out)
    safe = lru_cache(maxsize=10_000)(cell)  # most texts come again and again
    rows = iter(rows)
    while some := list(islice(rows, _AT_ONCE)):
        writer.writerows([safe(value) if isinstance(value, str) else value for value in row] for row in some)
        yield _taken(out)


def json_pieces(records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion]) -> Iterator[str]:
    """A JSON list with everything about each game, one game per line."""
    before = "[\n"
    for record in records:
        yield before + json.dumps(full(record) | {"excluded": _excluded(record, exclusions)})
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def notation_pieces(
    form: Format, records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion], left_out: Counter[str]
) -> Iterator[str]:
    """The games that this notation can write, with an empty line after each; `left_out` counts the others."""
    assert form.write_game is not None
    for record in records:
        if form.games is not None and record.game not in form.games:
            left_out[f"{record.game}, which has no {form.title}"] += 1
            continue
        try:
            written = form.write_game(record, excluded=_excluded(record, exclusions))
        except NotationError:
            left_out[f"{record.game} from a start position that {form.title} cannot express"] += 1
        except BROKEN:
            left_out[f"{record.game} that cannot be replayed under the current rules"] += 1
        else:
            heading = "" if form.names_players else _heading(record)
            yield heading + written.rstrip("\n") + "\n\n"


def write_parquet(rows: Iterable[Row], path: Path) -> None:
    """Write the table of the games as a Parquet file, some rows at a time; needs pyarrow."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    rows = iter(rows)
    some = frame(islice(rows, _GROUP))
    # A column without any text would have no type, and two files could not be concatenated.
    texts = {str(name): "string" for name, kind in some.dtypes.items() if kind.kind == "O"}
    group = pyarrow.Table.from_pandas(some.astype(texts), preserve_index=False)
    with ParquetWriter(path, group.schema) as writer:
        while True:
            writer.write_table(group)
            if not len(some := frame(islice(rows, _GROUP))):
                return
            group = pyarrow.Table.from_pandas(some.astype(texts), schema=group.schema, preserve_index=False)


def frame(rows: Iterable[Row]) -> "pandas.DataFrame":
    """One row per game; `excluded` is the reason why a game does not count."""
    import pandas

    made = pandas.DataFrame(rows, columns=list(COLUMNS))
    for column in ("started", "ended"):
        made[column] = pandas.to_datetime(made[column], format="ISO8601", utc=True)
    # A column that holds only None has no type of its own.
    return made.astype({"margin_first": "float64", "margin_second": "float64", "fault_turn": "Int64"})


def _write_pgn(record: GameRecord, *, excluded: str | None) -> str:
    from results.notation import pgn  # python-chess' reader and writer, only where they are needed

    return f"{pgn.write(record, excluded=excluded)}\n"  # in PGN an empty line ends a game


#: All export formats by name.
FORMATS: Final[Mapping[str, Format]] = {
    "csv": Format(title="CSV", ending="csv", holds="one row per game", write_rows=csv_pieces),
    "json": Format(title="JSON", ending="json", holds="everything about each game", write_all=json_pieces),
    "parquet": Format(title="Parquet", ending="parquet", holds="one row per game, with types",
                      write_file=write_parquet),
    "pgn": Format(title="PGN", ending="pgn", holds="games of chess and microchess", games=("chess", "microchess"),
                  write_game=_write_pgn),
    "sgf": Format(title="SGF", ending="sgf", holds="games of Go and Gomoku", games=sgf.GAMES, write_game=sgf.write),
    "transcript": Format(title="transcripts", ending="txt", holds="games of Othello", games=transcript.GAMES,
                         write_game=transcript.write),
    "log": Format(title="logs", ending="log", holds="games of Mushroom", games=mushroom_log.GAMES,
                  write_game=mushroom_log.write, names_players=False),
}  # fmt: skip

#: The formats in which one game can be written.
NOTATIONS: Final = tuple(name for name, form in FORMATS.items() if form.write_game is not None)


def _heading(record: GameRecord) -> str:
    return f"# record {record.id}: {plain(record.first.name)} against {plain(record.second.name)}\n"


def _excluded(record: GameRecord, exclusions: Mapping[int, Exclusion]) -> str | None:
    exclusion = exclusions.get(record.id) if record.id is not None else None
    return None if exclusion is None else exclusion.because


def _taken(out: io.StringIO) -> str:
    """The text written since the last call."""
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text
