"""Bringing a file of an earlier version up to date: a copy beside it, the long work in steps, then the migrations."""

import logging
import sqlite3
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

from results.errors import Damaged, ReadOnly, store_errors
from results.store.schema import is_current, migrate
from results.store.tallies import start_summaries, summaries_left

__all__ = ["copy_file", "upgrade"]

_log: Final = logging.getLogger(__name__)
#: Seconds between two lines about how far it is.
_PAUSE: Final = 2.0


def upgrade(
    connection: sqlite3.Connection,
    path: Path,
    *,
    keep_copy: bool,
    say: Callable[[str], None] = _log.warning,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Bring a file up to date; if it holds games, keep a copy of it and say how far it is.

    If this is interrupted, the file still has its earlier version, and the next call goes on.
    """
    try:
        if not is_current(connection):
            _prepare(connection, path, keep_copy=keep_copy, say=say, clock=clock)
        migrate(connection)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Damaged(f"{path} is damaged and cannot be migrated ({error}); restore a backup") from error


def copy_file(connection: sqlite3.Connection, place: Path) -> None:
    """Write a copy of a whole results file, with what is still in its log; no part of it is left after an error."""
    try:
        place.touch(exist_ok=False)
    except OSError as error:
        raise ReadOnly(f"{place} cannot be written: {error.strerror}") from error
    try:
        with store_errors(place):
            copied = sqlite3.connect(place)
            try:
                connection.backup(copied)
            finally:
                copied.close()
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def _prepare(
    connection: sqlite3.Connection,
    path: Path,
    *,
    keep_copy: bool,
    say: Callable[[str], None],
    clock: Callable[[], float],
) -> None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    games: int = connection.execute("SELECT COUNT(*) FROM record").fetchone()[0] if "record" in tables else 0
    if not games:
        return
    if keep_copy and "summary" not in tables:  # else an earlier call has kept one
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        place = _free_place(path, version)
        copy_file(connection, place)
        say(f"{path} is brought up to date for this version of arena; the earlier file is kept as {place}")
    start_summaries(connection)
    done = connection.execute("SELECT COUNT(*) FROM summary").fetchone()[0]
    due = clock() + _PAUSE
    for more in summaries_left(connection):
        done += more
        if clock() >= due:
            say(f"{path}: {done:,} of {games:,} games")
            due = clock() + _PAUSE


def _free_place(path: Path, version: int) -> Path:
    """A file beside the results file that does not exist yet, named after its version."""
    stem = f"{path.stem}-schema-{version}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}{path.suffix}" for number in count(1))
    return next(place for place in map(path.with_name, names) if not place.exists())
