"""The results file: what was played, kept exactly once."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from results import utc
from results.codec import entrant_of, from_json, record_of, row_of, to_json
from results.errors import (
    AlreadyStored,
    BadEntrants,
    Damaged,
    ForeignFile,
    LeagueExists,
    NoLeague,
    NoRecord,
    NoResults,
    ReadOnly,
    StoreError,
    in_words,
)
from results.league import KINDS, Kind, League, VoidAttempt
from results.pairs import PairCount
from results.record import EntrantRecord, GameRecord
from results.schema import identify, keep_log, migrate
from results.text import storable

__all__ = ["Store"]

_LEAGUES: Final = "SELECT id, name, kind, created, settings, secret FROM league"

_RECORDS: Final = """
    SELECT record.id, record.key, game, parameters, game_version, seconds, start, mover, opening, seed, seed_first,
           seed_second, moves, result, reason, record.detail, fault_player, fault_rule, fault_detail, fault_evidence,
           notes, output_first, output_second, sandbox, rules, host, versions, unanswered, started, ended,
           first_agent, first_version, first_hash, first_options,
           second_agent, second_version, second_hash, second_options,
           league.name AS league_name, one.name AS first_name, two.name AS second_name
    FROM record
    JOIN league ON league.id = record.league
    JOIN entrant AS one ON one.league = record.league AND one.number = record.first
    JOIN entrant AS two ON two.league = record.league AND two.number = record.second
"""

_ADD_ENTRANT: Final = """
    INSERT INTO entrant (league, number, name, agent, version, hash, options) VALUES (?, ?, ?, ?, ?, ?, ?)
"""

_ADD_RECORD: Final = """
    INSERT INTO record (
        league, key, game, parameters, game_version, seconds, start, mover, opening, seed, seed_first, seed_second,
        moves, result, reason, detail, fault_player, fault_rule, fault_detail, fault_evidence, notes, output_first,
        output_second, sandbox, rules, host, versions, unanswered, started, ended,
        first, first_agent, first_version, first_hash, first_options,
        second, second_agent, second_version, second_hash, second_options
    ) VALUES (
        :league, :key, :game, :parameters, :game_version, :seconds, :start, :mover, :opening, :seed, :seed_first,
        :seed_second, :moves, :result, :reason, :detail, :fault_player, :fault_rule, :fault_detail, :fault_evidence,
        :notes, :output_first, :output_second, :sandbox, :rules, :host, :versions, :unanswered, :started, :ended,
        :first, :first_agent, :first_version, :first_hash, :first_options,
        :second, :second_agent, :second_version, :second_hash, :second_options
    )
"""

# Counted by number first and named afterwards, so that the index alone is read.
_PAIRS: Final = """
    SELECT one.name AS first, two.name AS second, games, wins, draws, losses, faults_first, faults_second
    FROM (
        SELECT league, first, second,
               COUNT(*) AS games,
               SUM(result = '1-0') AS wins,
               SUM(result = '1/2-1/2') AS draws,
               SUM(result = '0-1') AS losses,
               SUM(fault_player IS 'first') AS faults_first,
               SUM(fault_player IS 'second') AS faults_second
        FROM record
        WHERE league = ?
        GROUP BY league, first, second
    ) AS pair
    JOIN entrant AS one ON one.league = pair.league AND one.number = pair.first
    JOIN entrant AS two ON two.league = pair.league AND two.number = pair.second
    ORDER BY pair.first, pair.second
"""

#: How every SQLite file begins.
_MAGIC: Final = b"SQLite format 3\0"

#: Records read at a time: a reader who pauses between two of these holds nothing open.
_PAGE: Final = 200


class Store:
    """One results file. Opened by `Store.open`, closed by `close` or at the end of a `with` block."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, now: Callable[[], datetime]) -> None:
        self.path = path
        self._connection = connection
        self._now = now

    @classmethod
    def open(
        cls, path: Path, *, create: bool, busy_seconds: float = 10.0, now: Callable[[], datetime] = utc.now
    ) -> Self:
        """Open a results file, bringing an older one up to date; a new one is made only if `create`."""
        _check_place(path, create=create)
        with in_words(path):
            mode = "rwc" if create else "rw"
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=busy_seconds, isolation_level=None
            )
            try:
                connection.row_factory = sqlite3.Row
                identify(connection, path, create=create)
                keep_log(connection)
                migrate(connection)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path, now=now)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a results file to read it; it may lie where nothing can be written."""
        try:
            return cls.open(path, create=False)
        except ReadOnly:
            with in_words(path):
                uri = f"{path.absolute().as_uri()}?immutable=1"
                connection = sqlite3.connect(uri, uri=True, isolation_level=None)
                connection.row_factory = sqlite3.Row
                identify(connection, path, create=False)
            return cls(connection, path, now=utc.now)

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        with in_words(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def create_league(
        self,
        name: str,
        *,
        kind: Kind,
        settings: Mapping[str, object],
        secret: str,
        entrants: Sequence[EntrantRecord],
    ) -> League:
        """Store a new league with its entrants, numbered from 1 in this order."""
        names = [storable(entrant.name) for entrant in entrants]
        twice = next((entrant for entrant in names if names.count(entrant) > 1), None)
        if twice is not None:
            raise BadEntrants(f"two entrants are called {twice!r}; give one of them another name")
        with self._writing():
            if self._league(name) is not None:
                raise LeagueExists(f"there is already a league called {name!r} in {self.path}; choose another name")
            cursor = self._connection.execute(
                "INSERT INTO league (name, kind, created, settings, secret) VALUES (?, ?, ?, ?, ?)",
                (storable(name), kind, utc.stamp(self._now()), to_json(settings), storable(secret)),
            )
            self._connection.executemany(
                _ADD_ENTRANT,
                [_entrant_row(cursor.lastrowid, number, entrant) for number, entrant in enumerate(entrants, 1)],
            )
            return self._known(name)

    def league(self, name: str) -> League | None:
        """The league of this name."""
        with self._reading():
            return self._league(name)

    def leagues(self) -> list[League]:
        """All leagues, newest last."""
        with self._reading():
            rows = self._connection.execute(f"{_LEAGUES} ORDER BY id").fetchall()
            return [self._league_of(row) for row in rows]

    def latest(self, kinds: Collection[Kind] = KINDS) -> League | None:
        """The newest league of these kinds."""
        with self._reading():
            rows = self._connection.execute(f"{_LEAGUES} ORDER BY id DESC")
            row = next((row for row in rows if row["kind"] in kinds), None)
            return None if row is None else self._league_of(row)

    def free_name(self, prefix: str) -> str:
        """A league name nobody has yet: `play-1`, `play-2`, …"""
        with self._reading():
            rows = self._connection.execute("SELECT name FROM league")
            taken = {row["name"] for row in rows}
        number = 1
        while storable(f"{prefix}-{number}") in taken:
            number += 1
        return f"{prefix}-{number}"

    def add(self, record: GameRecord) -> GameRecord:
        """Store one finished game; durable when this returns. Gives it back as it is stored, with its id."""
        with self._writing():
            league = self._known(record.league)
            row = row_of(record)
            row["league"] = league.id
            row["first"] = _number(league, record.first)
            row["second"] = _number(league, record.second)
            stored = self._connection.execute(
                "SELECT id FROM record WHERE league = ? AND key = ?", (league.id, row["key"])
            ).fetchone()
            if stored is not None:
                raise AlreadyStored(
                    f"game {record.key} of {league.name} is already stored as record {stored['id']}; "
                    "does another process run this league?"
                )
            cursor = self._connection.execute(_ADD_RECORD, row)
            return self._record(cursor.lastrowid)

    def void(self, league: str, key: str, *, reason: str, detail: str) -> int:
        """Store an attempt that counts for nobody; how many this pairing has had by now."""
        with self._writing():
            known = self._known(league)
            self._connection.execute(
                "INSERT INTO attempt (league, key, reason, detail, at) VALUES (?, ?, ?, ?, ?)",
                (known.id, storable(key), storable(reason), storable(detail), utc.stamp(self._now())),
            )
            row = self._connection.execute(
                "SELECT COUNT(*) AS attempts FROM attempt WHERE league = ? AND key = ?", (known.id, storable(key))
            ).fetchone()
            attempts: int = row["attempts"]
            return attempts

    def voids(self, league: str, key: str | None = None) -> list[VoidAttempt]:
        """The void attempts of a pairing, or of the whole league, oldest first."""
        with self._reading():
            known = self._known(league)
            rows = self._connection.execute(
                "SELECT key, reason, detail, at FROM attempt WHERE league = ? AND key = IFNULL(?, key) ORDER BY id",
                (known.id, None if key is None else storable(key)),
            ).fetchall()
        return [VoidAttempt(league=known.name, **row) for row in rows]

    def keys(self, league: str) -> set[str]:
        """The pairings of a league that have been played."""
        with self._reading():
            rows = self._connection.execute("SELECT key FROM record WHERE league = ?", (self._known(league).id,))
            return {row["key"] for row in rows}

    def record(self, number: int) -> GameRecord:
        """The record of this id."""
        with self._reading():
            return self._record(number)

    def records(self, league: str | None = None) -> Iterator[GameRecord]:
        """The records of a league, or of all, in the order they were stored; read bit by bit."""
        with self._reading():
            wanted = None if league is None else self._known(league).id
        return self._pages(wanted)

    def pairs(self, league: str) -> list[PairCount]:
        """Who scored what against whom with which seat, counted by the database."""
        with self._reading():
            rows = self._connection.execute(_PAIRS, (self._known(league).id,)).fetchall()
        return [PairCount(**row) for row in rows]

    def _pages(self, league: int | None) -> Iterator[GameRecord]:
        where = "record.id > :after" if league is None else "record.league = :league AND record.id > :after"
        query = f"{_RECORDS} WHERE {where} ORDER BY record.id LIMIT {_PAGE}"
        after = 0
        while True:
            with self._reading():
                rows = self._connection.execute(query, {"league": league, "after": after}).fetchall()
            if not rows:
                return
            yield from map(record_of, rows)
            after = rows[-1]["id"]

    def _record(self, number: int | None) -> GameRecord:
        row = self._connection.execute(f"{_RECORDS} WHERE record.id = ?", (number,)).fetchone()
        if row is not None:
            return record_of(row)
        last = self._connection.execute("SELECT MAX(id) AS last FROM record").fetchone()["last"]
        there = "there are none yet" if last is None else f"there are 1 to {last}"
        raise NoRecord(f"no record {number}; {there}")

    def _known(self, name: str) -> League:
        league = self._league(name)
        if league is not None:
            return league
        there = [row["name"] for row in self._connection.execute("SELECT name FROM league ORDER BY id DESC LIMIT 5")]
        listed = f"the latest are {', '.join(there)}" if there else "there are none yet"
        raise NoLeague(f"no league called {name!r} in {self.path}; {listed}")

    def _league(self, name: str) -> League | None:
        row = self._connection.execute(f"{_LEAGUES} WHERE name = ?", (storable(name),)).fetchone()
        return None if row is None else self._league_of(row)

    def _league_of(self, row: sqlite3.Row) -> League:
        entrants = self._connection.execute(
            "SELECT name, agent, version, hash, options FROM entrant WHERE league = ? ORDER BY number", (row["id"],)
        )
        try:
            settings = from_json(row["settings"])
            if not isinstance(settings, dict):
                raise ValueError("settings")
            return League(
                id=row["id"],
                name=row["name"],
                kind=row["kind"],
                created=row["created"],
                settings=settings,
                secret=row["secret"],
                entrants=tuple(map(entrant_of, entrants)),
            )
        except ValueError as error:
            raise Damaged(f"league {row['name']!r} of {self.path} cannot be read ({error}); restore a copy") from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with in_words(self.path):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with in_words(self.path):
            # Immediate: the lock is taken before anything is read, so what is read stays true until the commit.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise


def _check_place(path: Path, *, create: bool) -> None:
    """Say in words what SQLite would only call "unable to open database file", or overwrite."""
    if "\0" in str(path):
        raise StoreError(f"{str(path)!r} is no name of a file; use another file")
    try:
        if not path.parent.is_dir():
            raise NoResults(f"no folder {path.parent}; make it first or use another file")
        if not path.exists():
            if create:
                return
            raise NoResults(f"no results at {path}; play a league first or use another file")
        if not path.is_file():
            raise ForeignFile(f"{path} is a folder or device, not a results file; use another file")
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise ReadOnly(f"{path} cannot be opened ({error.strerror}); file and folder must be writable") from error
    # SQLite takes a file of a few bytes for an empty one and would write over it.
    if head not in (b"", _MAGIC):
        raise ForeignFile(f"{path} is not a results file (not SQLite); use another file")


def _entrant_row(league: int | None, number: int, entrant: EntrantRecord) -> tuple[str | int | None, ...]:
    texts = map(storable, (entrant.name, entrant.agent, entrant.version, entrant.hash))
    return league, number, *texts, to_json(entrant.options)


def _number(league: League, entrant: EntrantRecord) -> int:
    for number, known in enumerate(league.entrants, 1):
        if known.name == storable(entrant.name):
            return number
    raise BadEntrants(f"{entrant.name!r} is no entrant of {league.name}; its game cannot be stored")
