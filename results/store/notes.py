"""Notes: tables of keys and JSON values in an SQLite file, as sqlitedict writes them, read with care.

A folder with notes may come from anybody, as a results file may: nothing in it runs code, and every query ends.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from results.errors import Damaged, store_errors
from results.store.file import Guard, check_companions
from results.store.schema import refuse_code

__all__ = ["check_notes", "read_notes"]

_TIMEOUT_SECONDS: Final = 60


def check_notes(path: Path) -> None:
    """Raise `Damaged` if this is something else than a file with plain tables; a file that is missing is fine."""
    if path.exists() and not path.is_file():
        raise Damaged(f"{path} is a folder or a device, not a file of notes")
    check_companions(path)
    if path.exists():
        with store_errors(path), closing(_connected(path)) as connection:
            _check(connection, path)


def read_notes(path: Path, table: str) -> dict[str, Any]:
    """All notes of a table, sorted by key; empty if there is no such file or table."""
    if not path.exists():
        return {}
    if not path.is_file():
        raise Damaged(f"{path} is a folder or a device, not a file of notes")
    check_companions(path)
    with store_errors(path), closing(_connected(path)) as connection:
        _check(connection, path)
        found = connection.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,))
        if found.fetchone() is None:
            return {}
        with Guard(connection, path).watching():
            rows = connection.execute(f'SELECT key, value FROM "{table}"').fetchall()  # noqa: S608 - a name of ours
    try:
        return dict(sorted((str(key), json.loads(value)) for key, value in rows))
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(f"{path} is damaged: a note in {table} is not JSON; restore a backup") from error


def _connected(path: Path) -> sqlite3.Connection:
    # Not read-only: a transaction that was cut off must be undone first.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_SECONDS, isolation_level=None)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    with Guard(connection, path).watching():
        refuse_code(connection, path)
