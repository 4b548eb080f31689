"""Many games as CSV, JSON, PGN or Parquet; all but the last bit by bit."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from results.columns import COLUMNS, values
from results.json_form import full
from results.league import Exclusion
from results.record import GameRecord
from results.replay import BROKEN
from results.text import cell

if TYPE_CHECKING:
    import pandas

__all__ = ["csv_lines", "json_pieces", "pgn_pieces", "write_parquet"]


def csv_lines(records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion]) -> Iterator[str]:
    """One line a game under a header line; what is unknown is empty. No cell is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in records:
        yield _taken(out)
        writer.writerow(map(cell, values(record, exclusions)))
    yield _taken(out)


def json_pieces(records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion]) -> Iterator[str]:
    """A list with all that is known of each game, one game a line."""
    before = "[\n"
    for record in records:
        yield before + json.dumps(full(record) | {"excluded": _excluded(record, exclusions)})
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def pgn_pieces(
    records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion], left_out: Counter[str]
) -> Iterator[str]:
    """The games that have PGN, an empty line between two; the others are counted by what they are."""
    from results import pgn  # python-chess' reader and writer, only where it is wanted

    for record in records:
        if record.game not in pgn.GAMES:
            left_out[f"{record.game}, which has no PGN"] += 1
            continue
        try:
            written = pgn.write(record, excluded=_excluded(record, exclusions))
        except BROKEN:
            left_out[f"{record.game} that cannot be played again under its rules of today"] += 1
            continue
        yield f"{written}\n"


def write_parquet(frame: "pandas.DataFrame", path: Path) -> None:
    """The frame of the games as a Parquet file; needs pyarrow."""
    # A column without a single text would have no type, and two files could not be put together.
    texts = {str(name): "string" for name, kind in frame.dtypes.items() if kind.kind == "O"}
    frame.astype(texts).to_parquet(path, engine="pyarrow", index=False)


def _excluded(record: GameRecord, exclusions: Mapping[int, Exclusion]) -> str | None:
    exclusion = exclusions.get(record.id) if record.id is not None else None
    return None if exclusion is None else exclusion.because


def _taken(out: io.StringIO) -> str:
    """What was written since the last time."""
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text
