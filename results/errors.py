"""The errors of this package; the message of each is one line that says what happened and what to do.

StoreError                  below games.errors.ArenaError
├── NoResults               nothing is stored there yet
├── ForeignFile             the file is not a results file
├── NewerFile               a newer version of arena wrote the file
├── Damaged                 the results file is damaged
├── Locked, ReadOnly        the file cannot be used now, or not by this user
├── DiskFull
├── LeagueExists, NoLeague, BadEntrants
└── AlreadyStored, NoRecord
NotationError               below games.errors.ArenaError: a game cannot be written or read in a notation
└── PgnError
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from games.errors import ArenaError

__all__ = [
    "AlreadyStored", "BadEntrants", "Damaged", "DiskFull", "ForeignFile", "LeagueExists", "Locked", "NewerFile",
    "NoLeague", "NoRecord", "NoResults", "NotationError", "PgnError", "ReadOnly", "StoreError", "store_errors",
]  # fmt: skip


class StoreError(ArenaError):
    """Results cannot be read or stored."""


class NoResults(StoreError):
    """There is no results file where one was expected."""


class ForeignFile(StoreError):
    """The file is not a results file; it is not changed."""


class NewerFile(StoreError):
    """A newer version of arena wrote the file; it is not changed."""


class Damaged(StoreError):
    """The content of a results file is damaged."""


class Locked(StoreError):
    """Another process holds the file or the league."""


class ReadOnly(StoreError):
    """The file, or its folder (which holds the write-ahead log), cannot be opened or written."""


class DiskFull(StoreError):
    """The disk is full; all games stored before are complete."""


class LeagueExists(StoreError):
    """A league of this name is already stored."""


class NoLeague(StoreError):
    """No league of this name is stored."""


class BadEntrants(StoreError):
    """The entrants of a league are not valid, or a name is not among them."""


class AlreadyStored(StoreError):
    """A game of this league and pairing is already stored."""


class NoRecord(StoreError):
    """No record of this number is stored."""


class NotationError(ArenaError):
    """A game cannot be written in this notation, or a text cannot be read in it."""


class PgnError(NotationError):
    """A game cannot be written as PGN, or a PGN text cannot be read."""


_BY_CODE: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_BUSY: (Locked, "{path} is locked by another program; wait until it is done and try again"),
    sqlite3.SQLITE_LOCKED: (Locked, "{path} is locked by another program; wait until it is done and try again"),
    sqlite3.SQLITE_PERM: (ReadOnly, "{path} cannot be written ({why}); allow writing or use another file"),
    sqlite3.SQLITE_READONLY: (ReadOnly, "{path} cannot be written ({why}); allow writing or use another file"),
    sqlite3.SQLITE_CANTOPEN: (ReadOnly, "{path} cannot be opened ({why}); file and folder must be writable"),
    sqlite3.SQLITE_FULL: (DiskFull, "{path} cannot grow ({why}); make room and run the same command again"),
    sqlite3.SQLITE_IOERR: (StoreError, "{path} cannot be read or written ({why}); is the disk full or broken?"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "{path} is damaged ({why}); make a copy, then try: sqlite3 FILE .recover"),
    sqlite3.SQLITE_NOTADB: (ForeignFile, "{path} is not a results file (not SQLite); use another file"),
}


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn an SQLite error about this file into a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of error; the rest is where in SQLite it happened. Python's own errors have no code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        kind, text = _BY_CODE.get(code, (StoreError, "{path} cannot be used: {why}"))
        raise kind(text.format(path=path, why=" ".join(str(error).split()))) from error
