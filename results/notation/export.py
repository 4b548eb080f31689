"""Many games as CSV, JSON, Parquet or in a notation of their game; all but Parquet bit by bit."""

import csv
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from results.errors import NotationError
from results.league import Exclusion
from results.notation import mushroom_log, sgf, transcript
from results.notation.columns import COLUMNS, values
from results.notation.json_form import full
from results.notation.replay import BROKEN
from results.record import GameRecord
from results.text import cell, plain

if TYPE_CHECKING:
    import pandas

__all__ = [
    "NOTATIONS", "Notation", "csv_lines", "json_pieces", "notation", "notation_pieces", "write_parquet",
]  # fmt: skip

#: The forms that only games of some kinds have.
NOTATIONS: Final = ("pgn", "sgf", "transcript", "log")


class _Write(Protocol):
    def __call__(self, record: GameRecord, /, *, excluded: str | None) -> str: ...


@dataclass(frozen=True, slots=True)
class Notation:
    """What a notation is called, which games have it, and how a record is written in it."""

    name: str
    games: Collection[str]
    write: _Write


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


def notation(form: str) -> Notation:
    """The notation of this name; one of `NOTATIONS`."""
    if form == "pgn":
        from results.notation import pgn  # python-chess' reader and writer, only where it is wanted

        return Notation("PGN", pgn.GAMES, pgn.write)
    return {
        "sgf": Notation("SGF", sgf.GAMES, sgf.write),
        "transcript": Notation("transcripts", transcript.GAMES, transcript.write),
        "log": Notation("logs", mushroom_log.GAMES, mushroom_log.write),
    }[form]


def notation_pieces(
    form: str, records: Iterable[GameRecord], exclusions: Mapping[int, Exclusion], left_out: Counter[str]
) -> Iterator[str]:
    """The games that have this notation, an empty line between two; the others are counted by what they are."""
    found = notation(form)
    for record in records:
        if record.game not in found.games:
            left_out[f"{record.game}, which has no {found.name}"] += 1
            continue
        try:
            written = found.write(record, excluded=_excluded(record, exclusions))
        except NotationError:
            left_out[f"{record.game} from a start that {found.name} cannot tell"] += 1
        except BROKEN:
            left_out[f"{record.game} that cannot be played again under its rules of today"] += 1
        else:
            yield f"{_heading(record) if form == 'log' else ''}{written}\n"


#: The pieces of PGN.


def write_parquet(frame: "pandas.DataFrame", path: Path) -> None:
    """The frame of the games as a Parquet file; needs pyarrow."""
    # A column without a single text would have no type, and two files could not be put together.
    texts = {str(name): "string" for name, kind in frame.dtypes.items() if kind.kind == "O"}
    frame.astype(texts).to_parquet(path, engine="pyarrow", index=False)


def _heading(record: GameRecord) -> str:
    """Who played: the official log does not say it."""
    return f"# record {record.id}: {plain(record.first.name)} against {plain(record.second.name)}\n"


def _excluded(record: GameRecord, exclusions: Mapping[int, Exclusion]) -> str | None:
    exclusion = exclusions.get(record.id) if record.id is not None else None
    return None if exclusion is None else exclusion.because


def _taken(out: io.StringIO) -> str:
    """What was written since the last time."""
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text
