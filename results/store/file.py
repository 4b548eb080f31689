"""Opening, closing and locking a results file; reading and writing in transactions."""

import sqlite3
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from results.errors import Damaged, ForeignFile, NoResults, ReadOnly, StoreError, store_errors
from results.store import utc
from results.store.schema import identify, is_current, keep_log
from results.store.upgrade import copy_file, upgrade

__all__ = ["Guard", "ResultsFile", "check_companions"]

#: The first bytes of every SQLite file.
_MAGIC: Final = b"SQLite format 3\0"
_STEPS: Final = 100_000  # of SQLite's machine, between two calls of the handler
_MOST_STEPS: Final = 2_000_000_000  # a hundred times as many as the standings of a million games take
_MOST_BYTES: Final = 64 << 20  # in one value
#: The files that SQLite keeps beside a file while it is used.
_COMPANIONS: Final = ("-journal", "-wal", "-shm")
#: The end of a journal of a transaction over several files. It names a file, which SQLite removes.
_JOURNAL_OF_SEVERAL: Final = bytes.fromhex("d9d505f920a163d7")
#: How often this process has each file open. When a process closes a file, it loses all its locks on it, also those of
#: SQLite. Then another process takes the log for one that nobody uses and removes it, with the games stored later.
_OPENED: Final[Counter[Path]] = Counter()
_OPENING: Final = threading.Lock()


class ResultsFile:
    """One open results file, closed by `close` or at the end of a `with` block."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, *, now: Callable[[], datetime], guard: "Guard"
    ) -> None:
        self.path = path
        self._guard = guard
        #: Whether it can still be read.
        self.is_open = True
        self._connection = connection
        self._now = now
        self._thread = threading.get_ident()

    @classmethod
    def open(
        cls, path: str | Path, *, create: bool, busy_seconds: float = 10.0, now: Callable[[], datetime] = utc.now
    ) -> Self:
        """Open a results file and migrate an older one; a new file is created only if `create`."""
        path = _path_of(path)
        _check_place(path, create=create)
        try:
            return cls._opened(path, create=create, busy_seconds=busy_seconds, now=now)
        except BaseException:
            _forget(path)
            raise

    @classmethod
    def _opened(cls, path: Path, *, create: bool, busy_seconds: float, now: Callable[[], datetime]) -> Self:
        with store_errors(path):
            mode = "rwc" if create else "rw"
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=busy_seconds, isolation_level=None
            )
            guard = Guard(connection, path)
            try:
                connection.row_factory = sqlite3.Row
                with guard.watching():
                    identify(connection, path, create=create)
                    keep_log(connection)
                    upgrade(connection, path, keep_copy=True)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path, now=now, guard=guard)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open a results file for reading; file and folder may be read-only."""
        path = _path_of(path)
        try:
            return cls.open(path, create=False)
        except ReadOnly:
            with store_errors(path):
                uri = f"{path.absolute().as_uri()}?immutable=1"
                connection = sqlite3.connect(uri, uri=True, isolation_level=None)
                try:
                    with Guard(connection, path).watching():
                        identify(connection, path, create=False)
                        copied = _migrated(connection, path)
                except BaseException:
                    connection.close()
                    raise
            with _OPENING:
                _OPENED[path.resolve()] += 1
            return cls(copied, path, now=utc.now, guard=Guard(copied, path))

    def back_up(self, place: Path) -> None:
        """Write a copy of the whole file, with what is still in its log."""
        self._check_usable()
        copy_file(self._connection, place)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._check_thread()
        with store_errors(self.path):
            self._connection.close()
        if self.is_open:
            self.is_open = False
            _forget(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._check_usable()
        with store_errors(self.path), self._guard.watching():
            try:
                yield
            except ValueError as error:  # a value that we did not write
                raise Damaged(f"{self.path} is damaged ({error}); restore a backup") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._check_usable()
        with store_errors(self.path), self._guard.watching():
            # Immediate: the lock is taken before the first read, so nothing can change between read and commit.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise

    def _check_usable(self) -> None:
        if not self.is_open:
            raise StoreError(f"{self.path} was closed; open it again, or use it before the end of its `with` block")
        self._check_thread()

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise StoreError(f"{self.path} was opened in another thread; open it in each thread that uses it")


class Guard:
    """Ends a query that does not end by itself, and lets signals through meanwhile: the file may come from anybody."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._path = path
        self._left = _MOST_STEPS
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.set_progress_handler(self._step, _STEPS)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count the steps of the queries in this block; `Damaged` if there are too many."""
        self._left = _MOST_STEPS
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_INTERRUPT:
                raise
            if self._left > 0:  # the handler of a signal has raised inside `_step`, where only SQLite notices it
                raise KeyboardInterrupt from error
            raise Damaged(f"{self._path} is damaged: a query does not end; restore a backup") from error

    def _step(self) -> bool:
        self._left -= _STEPS
        return self._left <= 0


def _path_of(given: str | Path) -> Path:
    try:
        return Path(given)
    except TypeError as error:
        raise StoreError(f"a results file is given as a text or a path, not as {given!r}") from error


def _migrated(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """The same connection, or a migrated copy in memory if the file has an older schema."""
    connection.row_factory = sqlite3.Row
    if is_current(connection):
        return connection
    copied = sqlite3.connect(":memory:", isolation_level=None)
    copied.row_factory = sqlite3.Row
    connection.backup(copied)
    connection.close()
    upgrade(copied, path, keep_copy=False)
    return copied


def _forget(path: Path) -> None:
    """This process has the file open once less."""
    with _OPENING:
        _OPENED[path.resolve()] -= 1


def _check_place(path: Path, *, create: bool) -> None:
    """Check what SQLite would report only as "unable to open database file", or would overwrite.

    From then on the file counts as open; see `_OPENED`.
    """
    if "\0" in str(path):
        raise StoreError(f"{str(path)!r} is not a file name; use another file")
    try:
        if not path.parent.is_dir():
            raise NoResults(f"no folder {path.parent}; make it first or use another file")
        check_companions(path)
        if not path.exists() and not create:
            raise NoResults(f"no results at {path}; play a league first or use another file")
        if path.exists() and not path.is_file():
            raise ForeignFile(f"{path} is a folder or device, not a results file; use another file")
        with _OPENING:
            is_open = _OPENED[path.resolve()] > 0
            if path.exists() and not is_open:
                _check_head(path)
            _OPENED[path.resolve()] += 1
    except OSError as error:
        raise ReadOnly(f"{path} cannot be opened ({error.strerror}); file and folder must be writable") from error


def _check_head(path: Path) -> None:
    """Raise `ForeignFile` if this is not SQLite, which treats a file of a few bytes as empty and would overwrite it."""
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head not in (b"", _MAGIC):
        raise ForeignFile(f"{path} is not a results file (not SQLite); use another file")


def check_companions(path: Path) -> None:
    """Raise `Damaged` if SQLite could change or remove other files when it opens this one.

    A file may come from anybody, together with those that SQLite keeps beside it.
    """
    path = path.resolve()  # SQLite follows a link too
    for ending in _COMPANIONS:
        beside = path.with_name(path.name + ending)
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(beside.lstat().st_mode):
                raise Damaged(f"{beside} is a link or a special file, which arena never makes; remove it")
            if ending == "-journal" and _end_of(beside, len(_JOURNAL_OF_SEVERAL)) == _JOURNAL_OF_SEVERAL:
                raise Damaged(f"{beside} names another file that SQLite would remove; remove {beside.name}")


def _end_of(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - size))
        return file.read(size)
