"""Notes in the folder of submissions: JSON in tables of a small database, durable, with one writer at a time."""

import json
import sqlite3
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from results.errors import store_errors

__all__ = ["one_writer", "open_notes"]


@contextmanager
def one_writer(lock: Path) -> Iterator[None]:
    """Wait until nobody else holds this file; its folder exists."""
    with lock.open("w") as file:
        import fcntl  # here, because only Unix has it: notes can be read everywhere

        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def open_notes(path: Path, table: str) -> Iterator[MutableMapping[str, Any]]:
    """The notes in a table, committed at the end. They are JSON, since a pickle could run code."""
    from sqlitedict import SqliteDict  # type: ignore[import-untyped]

    with store_errors(path):
        with sqlite3.connect(path) as tried:
            tried.execute("PRAGMA schema_version")  # so that a foreign file fails here and not in a thread
        tried.close()
        notes = SqliteDict(str(path), tablename=table, encode=json.dumps, decode=json.loads, outer_stack=False)
        try:
            notes.conn.execute("PRAGMA synchronous = FULL")
            yield notes
            notes.commit()
        finally:
            notes.close()
