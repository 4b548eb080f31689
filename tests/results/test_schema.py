"""Migrations bring older files up to date, all or nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from results.errors import ReadOnly
from results.league import Award
from results.standings.table import table
from results.store.codec import row_of
from results.store.schema import APPLICATION_ID, MIGRATIONS, keep_log, migrate
from results.store.store import Store

#: What a record and an entrant of the first schema did not say.
LATER = {
    "first_path", "first_grants", "second_path", "second_grants",
    "margin_first", "margin_second", "margin_unit", "fault_phase", "fault_turn",
    "dice", "startup_first", "startup_second", "control", "wall", "wait", "claims",
}  # fmt: skip


def ask(connection, sql):
    return connection.execute(sql).fetchone()[0]


def tables(connection):
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return {name for (name,) in rows}


@pytest.fixture
def connection(tmp_path):
    with closing(sqlite3.connect(tmp_path / "any.db", isolation_level=None)) as opened:
        yield opened


def test_an_empty_file_is_migrated_to_the_newest_version(connection):
    assert ask(connection, "PRAGMA user_version") == 0
    migrate(connection)
    first = {"league", "entrant", "record", "attempt"}
    assert tables(connection) == first | {
        "departure", "award", "pairing", "exclusion", "coordinator", "tally", "summary"
    }  # fmt: skip
    assert ask(connection, "PRAGMA user_version") == len(MIGRATIONS)
    assert ask(connection, "PRAGMA application_id") == APPLICATION_ID == int.from_bytes(b"AREN", "big")


def test_all_tables_are_strict(connection):
    migrate(connection)
    strict = connection.execute("SELECT name FROM pragma_table_list WHERE strict = 1 AND schema = 'main'")
    assert {name for (name,) in strict} == tables(connection)


def test_a_current_file_does_not_change(connection):
    migrate(connection)
    changes = connection.total_changes
    migrate(connection)
    assert connection.total_changes == changes


def test_a_later_migration_keeps_stored_games(path, store, make_record):
    added = store.add(make_record())
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, (*MIGRATIONS, ("ALTER TABLE record ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'",)))
        assert ask(connection, "PRAGMA user_version") == len(MIGRATIONS) + 1
        assert ask(connection, "SELECT mood FROM record") == "good"
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    with Store.open(path, create=False) as again:
        assert again.record(1) == added


@pytest.fixture
def old(tmp_path, store, make_record):
    """The league "spring" with two games and a void attempt, in a file of the first schema."""
    league, path = store.known("spring"), tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:1])
        row = (league.id, league.name, league.kind, league.created, '{"turns":80}', league.secret)
        connection.execute(
            "INSERT INTO league (id, name, kind, created, settings, secret) VALUES (?, ?, ?, ?, ?, ?)", row
        )
        connection.executemany(
            "INSERT INTO entrant (league, number, name, agent, version, hash, options) VALUES (1, ?, ?, ?, ?, ?, ?)",
            [
                (number, entrant.name, entrant.agent, entrant.version, entrant.hash, '{"depth":3}')
                for number, entrant in enumerate(league.entrants, 1)
            ],
        )
        games = [make_record("1:1-2"), make_record("1:2-1", first="bob", second="ada", result="1/2-1/2")]
        for seats, game in zip(((1, 2), (2, 1)), games, strict=True):
            row = {"league": 1, "first": seats[0], "second": seats[1]} | row_of(game)
            columns = [name for name in row if name not in LATER]
            marks = ", ".join(f":{name}" for name in columns)
            connection.execute(f"INSERT INTO record ({', '.join(columns)}) VALUES ({marks})", row)
            store.add(game)
        connection.execute(
            "INSERT INTO attempt (league, key, reason, detail, at) VALUES (1, '1:1-3', 'worker', 'died', ?)",
            (league.created,),
        )
    return path


def test_a_file_of_the_first_schema_keeps_everything(old, store):
    with Store.open(old, create=False) as opened:
        assert opened.leagues() == store.leagues()
        assert list(opened.records()) == list(store.records())
        assert opened.pairs("spring") == store.pairs("spring")
        assert table(opened, opened.known("spring")).rows == table(store, store.known("spring")).rows
        assert [(void.key, void.reason, void.detail) for void in opened.voids("spring")] == [
            ("1:1-3", "worker", "died")
        ]
        assert ask(opened._connection, "PRAGMA user_version") == len(MIGRATIONS) == 10
        assert ask(opened._connection, "PRAGMA integrity_check") == "ok"
        assert opened._connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_file_of_the_first_schema_supports_everything(old, store, make_record):
    newcomer = make_record(first="fay").first
    with Store.open(old, create=False) as opened:
        league = opened.enter("spring", newcomer)
        assert (league.founders, league.entrants[3]) == (3, newcomer)
        award = Award(key="1:1-3", entrant="ada", points=1.0, because="eve was withdrawn")
        opened.depart("spring", "eve", why="withdrawn", detail="", stands=True, awards=[award])
        opened.exclude(2, because="overloaded")
        assert [(row.agent, row.points, row.status) for row in table(opened, opened.known("spring")).rows] == [
            ("ada", 2.0, ""), ("bob", 0.0, ""), ("fay", 0.0, ""), ("eve", 0.0, "withdrawn"),
        ]  # fmt: skip


def test_a_failing_migration_changes_nothing(connection):
    broken = (*MIGRATIONS, ("CREATE TABLE extra (a TEXT) STRICT", "CREATE TABLE oops ("))
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, broken)
    assert tables(connection) == set()
    assert ask(connection, "PRAGMA user_version") == 0
    migrate(connection)
    assert "record" in tables(connection)


def test_a_file_that_became_newer_meanwhile_does_not_change(connection):
    migrate(connection)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    migrate(connection)
    assert ask(connection, "PRAGMA user_version") == len(MIGRATIONS) + 1


def test_an_open_store_uses_wal_and_full_sync(path, store):
    with closing(sqlite3.connect(path)) as connection:
        assert ask(connection, "PRAGMA journal_mode") == "wal"
    assert ask(store._connection, "PRAGMA synchronous") == 2
    assert ask(store._connection, "PRAGMA foreign_keys") == 1
    assert ask(store._connection, "PRAGMA busy_timeout") == 10_000


class Crowded(sqlite3.Connection):
    """A file that others are creating: turning on the log is refused, without waiting, this many times."""

    refusals = 0

    def execute(self, sql, *parameters):
        if "journal_mode = WAL" in sql and self.refusals:
            self.refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, *parameters)


@pytest.fixture
def crowded(tmp_path):
    with closing(sqlite3.connect(tmp_path / "any.db", isolation_level=None, factory=Crowded)) as opened:
        yield opened


def test_wal_is_turned_on_when_the_other_processes_are_done(crowded):
    crowded.refusals = 3
    keep_log(crowded)
    assert ask(crowded, "PRAGMA journal_mode") == "wal"


def test_turning_on_wal_gives_up_after_some_tries(crowded):
    crowded.refusals = 3
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        keep_log(crowded, tries=3)


def test_other_errors_while_turning_on_wal_are_not_retried(tmp_path, connection):
    migrate(connection)
    opened = closing(sqlite3.connect(f"{(tmp_path / 'any.db').as_uri()}?mode=ro", uri=True))
    with opened as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        keep_log(reader)


def test_many_processes_may_create_the_same_file_at_once(path):
    script = (
        "import sys; from pathlib import Path; from results.store.store import Store; sys.stdin.readline();"
        "Store.open(Path(sys.argv[1]), create=True).close(); print('fine')"
    )
    command = [sys.executable, "-c", script, str(path)]
    crowd = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for process in crowd:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=600)[0] for process in crowd] == ["fine\n"] * 6


def test_an_older_read_only_file_is_read_and_does_not_change(old, store, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise ReadOnly("a disc in a drive")

    before = old.read_bytes()
    monkeypatch.setattr(Store, "open", refuse)
    with Store.read(old) as opened:
        assert opened.pairs("spring") == store.pairs("spring")
        assert len(list(opened.records("spring"))) == 2
    assert old.read_bytes() == before
