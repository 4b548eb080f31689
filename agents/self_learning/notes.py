"""The notes of a run: configuration, curve and events, as JSON in an SQLite file that other processes can read."""

import json
import sqlite3
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from agents.self_learning.errors import TrainingError

__all__ = ["Notes", "Table"]

#: configuration: what the run is; curve: a row for each generation; changes: settings changed while it ran;
#: events: what happened when; gates: verdicts by generation; examples: games by generation; ladder: written by `arena`.
Table: TypeAlias = Literal["configuration", "curve", "changes", "events", "gates", "examples", "ladder"]

_TIMEOUT_SECONDS: Final = 60


class Notes:
    """The notes in one file. Every call is one transaction."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, table: Table) -> dict[str, Any]:
        """All notes of a table, sorted by key."""
        if not self._path.exists():
            return {}
        with self._open(table) as notes:
            return dict(sorted((str(key), value) for key, value in notes.items()))

    def write(self, table: Table, values: dict[str, Any]) -> None:
        """Add or replace notes; they are durable when this returns."""
        with self._open(table) as notes:
            for key, value in values.items():
                notes[key] = value

    @contextmanager
    def _open(self, table: Table) -> Iterator[MutableMapping[str, Any]]:
        from sqlitedict import SqliteDict  # type: ignore[import-untyped]

        try:
            with sqlite3.connect(self._path) as tried:
                tried.execute("PRAGMA schema_version")  # so that a foreign file fails here and not in a thread
            tried.close()
            notes = SqliteDict(
                str(self._path), tablename=table, encode=json.dumps, decode=json.loads, outer_stack=False,
                timeout=_TIMEOUT_SECONDS,
            )  # fmt: skip
            try:
                yield notes
                notes.commit()
            finally:
                notes.close()
        except sqlite3.Error as error:
            raise TrainingError(f"the notes {self._path} cannot be read or written: {error}") from error
