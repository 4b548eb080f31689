"""The tables of a results file, and the migrations that bring an older file up to date."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from results.errors import Damaged, ForeignFile, NewerFile, NoResults
from results.store.old_details import fill_facts
from results.store.old_settings import rename_settings
from results.store.tallies import count_games, fill_summaries

__all__ = ["APPLICATION_ID", "MIGRATIONS", "Migration", "identify", "is_current", "keep_log", "migrate", "refuse_code"]

#: The steps of one migration: SQL statements, and functions that are called with the connection.
Migration: TypeAlias = tuple[str | Callable[[sqlite3.Connection], None], ...]

#: "AREN": marks a file as a results file of arena.
APPLICATION_ID: Final = 0x4152454E

_FIRST_TABLES: Final[Migration] = (
    """
    CREATE TABLE league (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('league', 'benchmark', 'play')),
        created TEXT NOT NULL CHECK (created GLOB '????-??-??T*Z'),
        settings TEXT NOT NULL,
        secret TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE entrant (
        league INTEGER NOT NULL REFERENCES league (id),
        number INTEGER NOT NULL CHECK (number >= 1),
        name TEXT NOT NULL,
        agent TEXT NOT NULL,
        version TEXT NOT NULL,
        hash TEXT NOT NULL,
        options TEXT NOT NULL,
        PRIMARY KEY (league, number),
        UNIQUE (league, name)
    ) STRICT, WITHOUT ROWID
    """,
    # A record repeats the data of both entrants: a later change to an entrant must not change its old games.
    # Seeds are text because they may not fit into SQLite's 64 bits.
    """
    CREATE TABLE record (
        id INTEGER PRIMARY KEY,
        league INTEGER NOT NULL REFERENCES league (id),
        key TEXT NOT NULL,
        game TEXT NOT NULL,
        parameters TEXT NOT NULL,
        game_version INTEGER NOT NULL,
        first INTEGER NOT NULL,
        first_agent TEXT NOT NULL,
        first_version TEXT NOT NULL,
        first_hash TEXT NOT NULL,
        first_options TEXT NOT NULL,
        second INTEGER NOT NULL,
        second_agent TEXT NOT NULL,
        second_version TEXT NOT NULL,
        second_hash TEXT NOT NULL,
        second_options TEXT NOT NULL,
        seconds REAL NOT NULL,
        start TEXT NOT NULL,
        mover TEXT NOT NULL CHECK (mover IN ('first', 'second')),
        opening TEXT NOT NULL,
        seed TEXT NOT NULL,
        seed_first TEXT NOT NULL,
        seed_second TEXT NOT NULL,
        moves TEXT NOT NULL,
        result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2')),
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        fault_player TEXT CHECK (fault_player IN ('first', 'second')),
        fault_rule TEXT CHECK ((fault_rule IS NULL) = (fault_player IS NULL)),
        fault_detail TEXT CHECK ((fault_detail IS NULL) = (fault_player IS NULL)),
        fault_evidence TEXT CHECK ((fault_evidence IS NULL) = (fault_player IS NULL)),
        notes TEXT NOT NULL,
        output_first TEXT NOT NULL,
        output_second TEXT NOT NULL,
        sandbox TEXT NOT NULL,
        rules TEXT NOT NULL,
        host TEXT NOT NULL,
        versions TEXT NOT NULL,
        unanswered REAL NOT NULL,
        started TEXT NOT NULL CHECK (started GLOB '????-??-??T*Z'),
        ended TEXT NOT NULL CHECK (ended GLOB '????-??-??T*Z'),
        UNIQUE (league, key),
        FOREIGN KEY (league, first) REFERENCES entrant (league, number),
        FOREIGN KEY (league, second) REFERENCES entrant (league, number),
        CHECK (first <> second)
    ) STRICT
    """,
    # Standings need only this index, not the games themselves.
    "CREATE INDEX record_by_pair ON record (league, first, second, result, fault_player)",
    "CREATE INDEX record_by_league ON record (league)",
    """
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY,
        league INTEGER NOT NULL REFERENCES league (id),
        key TEXT NOT NULL,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        at TEXT NOT NULL CHECK (at GLOB '????-??-??T*Z')
    ) STRICT
    """,
    "CREATE INDEX attempt_by_key ON attempt (league, key)",
)

_FIELD: Final[Migration] = (
    "ALTER TABLE entrant ADD COLUMN path TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE entrant ADD COLUMN grants TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE entrant ADD COLUMN entered TEXT CHECK (entered GLOB '????-??-??T*Z')",
    "ALTER TABLE record ADD COLUMN first_path TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record ADD COLUMN first_grants TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE record ADD COLUMN second_path TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record ADD COLUMN second_grants TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE attempt ADD COLUMN kind TEXT NOT NULL DEFAULT 'void' CHECK (kind IN ('void', 'rerun'))",
    """
    CREATE TABLE departure (
        league INTEGER NOT NULL,
        entrant INTEGER NOT NULL,
        why TEXT NOT NULL CHECK (why IN ('withdrawn', 'suspended')),
        detail TEXT NOT NULL,
        stands INTEGER NOT NULL CHECK (stands IN (0, 1)),
        at TEXT NOT NULL CHECK (at GLOB '????-??-??T*Z'),
        PRIMARY KEY (league, entrant),
        FOREIGN KEY (league, entrant) REFERENCES entrant (league, number)
    ) STRICT, WITHOUT ROWID
    """,
    # A pairing ends as one record or as one award.
    """
    CREATE TABLE award (
        league INTEGER NOT NULL,
        key TEXT NOT NULL,
        entrant INTEGER NOT NULL,
        points REAL NOT NULL,
        because TEXT NOT NULL,
        at TEXT NOT NULL CHECK (at GLOB '????-??-??T*Z'),
        PRIMARY KEY (league, key),
        FOREIGN KEY (league, entrant) REFERENCES entrant (league, number)
    ) STRICT, WITHOUT ROWID
    """,
    # Pairings of rounds that depend on earlier results. The second of a bye is 0.
    """
    CREATE TABLE pairing (
        id INTEGER PRIMARY KEY,
        league INTEGER NOT NULL,
        key TEXT NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        round INTEGER NOT NULL,
        opening TEXT NOT NULL,
        UNIQUE (league, key),
        FOREIGN KEY (league, first) REFERENCES entrant (league, number)
    ) STRICT
    """,
    # A lifted exclusion is kept, so that the history of a game can be seen later.
    """
    CREATE TABLE exclusion (
        id INTEGER PRIMARY KEY,
        record INTEGER NOT NULL REFERENCES record (id),
        because TEXT NOT NULL,
        at TEXT NOT NULL CHECK (at GLOB '????-??-??T*Z'),
        lifted TEXT CHECK (lifted GLOB '????-??-??T*Z')
    ) STRICT
    """,
    "CREATE UNIQUE INDEX exclusion_of_record ON exclusion (record) WHERE lifted IS NULL",
    # The process that runs a league. PIDs are reused; start times are not.
    """
    CREATE TABLE coordinator (
        league INTEGER PRIMARY KEY REFERENCES league (id),
        pid INTEGER NOT NULL,
        began TEXT NOT NULL
    ) STRICT
    """,
)

_FACTS: Final[Migration] = (
    "ALTER TABLE record ADD COLUMN margin_first REAL",
    "ALTER TABLE record ADD COLUMN margin_second REAL CHECK ((margin_second IS NULL) = (margin_first IS NULL))",
    "ALTER TABLE record ADD COLUMN margin_unit TEXT CHECK ((margin_unit IS NULL) = (margin_first IS NULL))",
    """
    ALTER TABLE record ADD COLUMN fault_phase TEXT CHECK (
        fault_phase IS NULL OR (fault_player IS NOT NULL AND fault_phase IN ('load', 'reset', 'act', 'close'))
    )
    """,
    """
    ALTER TABLE record ADD COLUMN fault_turn INTEGER CHECK (
        fault_turn IS NULL OR (fault_player IS NOT NULL AND fault_turn >= 1)
    )
    """,
    fill_facts,
)

#: `league.dice` is the secret behind the seeds of players where the league's seed can be guessed.
_FAIRNESS: Final[Migration] = (
    "ALTER TABLE league ADD COLUMN dice TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record ADD COLUMN dice TEXT NOT NULL DEFAULT '' CHECK (dice IN ('', 'seed', 'secret'))",
    "ALTER TABLE record ADD COLUMN startup_first REAL NOT NULL DEFAULT 0",
    "ALTER TABLE record ADD COLUMN startup_second REAL NOT NULL DEFAULT 0",
)

#: `control` is the time control if it is not only `seconds`. `wall` and `wait` are the sums over all moves: how long
#: players took, and for how much of that they waited for a CPU.
_TIME: Final[Migration] = (
    "ALTER TABLE record ADD COLUMN control TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record ADD COLUMN wall REAL NOT NULL DEFAULT 0",
    "ALTER TABLE record ADD COLUMN wait REAL NOT NULL DEFAULT 0",
    """
    UPDATE record SET
        wall = IFNULL((SELECT TOTAL(json_extract(value, '$[1]')) FROM json_each(moves)), 0),
        wait = IFNULL((SELECT TOTAL(json_extract(value, '$[3]')) FROM json_each(moves)), 0)
    WHERE json_valid(moves)
    """,
    "CREATE INDEX record_by_load ON record (league, wall, wait)",
)

#: When a match by a sequential test has ended: its number of games does not say so.
_ENDS: Final[Migration] = ("ALTER TABLE league ADD COLUMN ended TEXT CHECK (ended GLOB '????-??-??T*Z')",)

#: What players claimed about their moves (`--reports`), as JSON; empty without claims.
_CLAIMS: Final[Migration] = (
    "ALTER TABLE record ADD COLUMN claims TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX record_by_claims ON record (league) WHERE claims <> ''",
)

#: A league of the kind `web` is stored as `play`, which the first version of the table checks, and marked.
_WEB: Final[Migration] = ("ALTER TABLE league ADD COLUMN is_web INTEGER NOT NULL DEFAULT 0 CHECK (is_web IN (0, 1))",)

#: Counts of results, so that tables do not read the games. Excluded games are not counted; those of entrants that have
#: left are. A game is starved as `cpu_load` defined it when it was stored; the times of starved games are microseconds.
_TALLIES: Final[Migration] = (
    """
    CREATE TABLE tally (
        league INTEGER NOT NULL REFERENCES league (id),
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        games INTEGER NOT NULL,
        wins INTEGER NOT NULL,
        draws INTEGER NOT NULL,
        losses INTEGER NOT NULL,
        faults_first INTEGER NOT NULL,
        faults_second INTEGER NOT NULL,
        starved INTEGER NOT NULL,
        wall INTEGER NOT NULL,
        wait INTEGER NOT NULL,
        PRIMARY KEY (league, first, second)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX tally_by_second ON tally (league, second)",
    fill_summaries,
    count_games,
    "CREATE INDEX record_by_second ON record (league, second, fault_player)",
    "CREATE INDEX record_by_key ON record (league, key, result)",
    "CREATE INDEX record_by_fault ON record (league) WHERE fault_player IS NOT NULL",
    "DROP INDEX record_by_load",
)

#: The file's version is the number of migrations applied to it. Never change a released one: add another.
MIGRATIONS: Final[tuple[Migration, ...]] = (
    _FIRST_TABLES, _FIELD, _FACTS, (rename_settings,), _FAIRNESS, _TIME, _ENDS, _CLAIMS, _WEB, _TALLIES,
)  # fmt: skip


#: What could run code of the file's author when we read a table.
_FOREIGN: Final = """
    SELECT CASE WHEN type = 'table' THEN 'virtual table' ELSE type END, name FROM sqlite_schema
    WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1
"""


def identify(connection: sqlite3.Connection, path: Path, *, create: bool, known: int = len(MIGRATIONS)) -> None:
    """Raise unless this is a results file that this version can use; changes nothing."""
    # In one transaction: another process may be creating the same file.
    connection.execute("BEGIN")
    version = _pragma(connection, "user_version")
    application = _pragma(connection, "application_id")
    tables: int = connection.execute("SELECT COUNT(*) AS tables FROM sqlite_schema").fetchone()[0]
    connection.rollback()
    if application == APPLICATION_ID:
        refuse_code(connection, path)
        if version > known:
            raise NewerFile(
                f"{path} was written by a newer arena (schema {version}, this one knows {known}); upgrade arena"
            )
        return
    if application or version or tables:
        raise ForeignFile(f"{path} is a database of another program; use another file")
    if not create:
        raise NoResults(f"{path} is empty; play a league first or use another file")


def refuse_code(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `Damaged` if a file contains anything but plain tables: views and triggers are code."""
    if (foreign := connection.execute(_FOREIGN).fetchone()) is not None:
        raise Damaged(f"{path} contains {foreign[0]} {foreign[1]!r}, which arena never makes; use another file")


def keep_log(connection: sqlite3.Connection, *, tries: int = 100) -> None:
    """Let readers and the writer work at the same time (WAL), and make commits survive a power cut."""
    for left in reversed(range(tries)):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not left:
                raise
            # Other processes are creating the same file. This statement never waits for them; a transaction does.
            connection.execute("BEGIN IMMEDIATE")
            connection.rollback()
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def is_current(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> bool:
    """Whether all migrations have been applied."""
    return _pragma(connection, "user_version") >= len(migrations)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply the missing migrations, all or nothing."""
    if is_current(connection, migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again under the lock: another process may have migrated the file meanwhile.
        for number in range(_pragma(connection, "user_version"), len(migrations)):
            for step in migrations[number]:
                if isinstance(step, str):
                    connection.execute(step)
                else:
                    step(connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
