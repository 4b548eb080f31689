"""What can go wrong with stored results, each in one line for a person.

StoreError                  below games.errors.ArenaError
├── NoResults               nothing is stored there yet
├── ForeignFile             a file that is not ours
├── NewerFile               a file of a later version of this program
├── Damaged                 a file of ours that cannot be read any more
├── Locked, ReadOnly        a file that cannot be used now, or by this user
├── DiskFull
├── LeagueExists, NoLeague, BadEntrants
└── AlreadyStored, NoRecord
NotationError               below games.errors.ArenaError: a game that is not written so, or text that is no such game
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
    """Results that cannot be read or stored; the text says why and what to do."""


class NoResults(StoreError):
    """There is no results file where one was expected."""


class ForeignFile(StoreError):
    """A file that holds something else; it is left as it was."""


class NewerFile(StoreError):
    """A file written by a later version of this program; it is left as it was."""


class Damaged(StoreError):
    """A results file whose content is broken."""


class Locked(StoreError):
    """Another program kept the file locked for too long."""


class ReadOnly(StoreError):
    """The file, or the folder it needs for its log, cannot be written or opened."""


class DiskFull(StoreError):
    """No room for another game; what was stored before is whole."""


class LeagueExists(StoreError):
    """A league of that name is already stored."""


class NoLeague(StoreError):
    """No league of that name is stored."""


class BadEntrants(StoreError):
    """Entrants that make no league, or a player that is none of them."""


class AlreadyStored(StoreError):
    """A counted game of that league and pairing is already stored."""


class NoRecord(StoreError):
    """No record of that number is stored."""


class NotationError(ArenaError):
    """A game that is not written in this notation, or text that cannot be read in it."""


class PgnError(NotationError):
    """A game that has no PGN, or PGN that cannot be read."""


_BY_CODE: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_BUSY: (Locked, "{path} is locked by another program; wait until it is done and try again"),
    sqlite3.SQLITE_LOCKED: (Locked, "{path} is locked by another program; wait until it is done and try again"),
    sqlite3.SQLITE_PERM: (ReadOnly, "{path} cannot be written ({why}); allow writing or use another file"),
    sqlite3.SQLITE_READONLY: (ReadOnly, "{path} cannot be written ({why}); allow writing or use another file"),
    sqlite3.SQLITE_CANTOPEN: (ReadOnly, "{path} cannot be opened ({why}); file and folder must be writable"),
    sqlite3.SQLITE_FULL: (DiskFull, "{path} cannot grow ({why}); make room and run the same command again"),
    sqlite3.SQLITE_IOERR: (StoreError, "{path} cannot be read or written ({why}); is the disk full or broken?"),
    sqlite3.SQLITE_CORRUPT: (Damaged, "{path} is damaged ({why}); take a copy, then try: sqlite3 FILE .recover"),
    sqlite3.SQLITE_NOTADB: (ForeignFile, "{path} is not a results file (not SQLite); use another file"),
}


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite raises about this file into a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind; the rest says where in SQLite it happened. Python's own errors have no code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        kind, text = _BY_CODE.get(code, (StoreError, "{path}: {why}; nothing was stored"))
        raise kind(text.format(path=path, why=" ".join(str(error).split()))) from error
