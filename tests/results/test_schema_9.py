"""A results file of schema 9, the last without tallies and summaries, is brought up to date."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from results.errors import DiskFull, ReadOnly
from results.store import tallies, upgrade
from results.store.schema import MIGRATIONS
from results.store.store import Store

FIXTURE = Path(__file__).parent / "files" / "schema-9.db"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copy(FIXTURE, tmp_path / "old.db"))


def ask(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def brought_up(path, **changes):
    """What is said while the file is brought up to date."""
    said = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        upgrade.upgrade(connection, path, keep_copy=True, say=said.append, **changes)
    return said


def test_the_fixture_is_of_schema_9():
    assert ask(f"{FIXTURE}", "PRAGMA user_version") == [(9,)]


def test_tallies_and_summaries_are_those_of_the_games(old, make_record):
    with Store.open(old, create=False) as store:
        for league in store.leagues():
            left = {name for name, gone in league.departures.items() if not gone.stands}
            kept = [one for one in store.counted(league.name) if not left & {one.first.name, one.second.name}]
            assert sum(pair.games for pair in store.pairs(league.name)) == len(kept) > 0
            assert sum(pair.wins for pair in store.pairs(league.name)) == sum(one.result == "1-0" for one in kept)
        found = store._connection.execute("SELECT * FROM summary ORDER BY record").fetchall()
        assert [tuple(row) for row in found] == [
            (one.id, one.turns, one.seconds_first, one.seconds_second) for one in store.records()
        ]
        assert store.add(make_record("new", league="cup", first="ada", second="eve")).id == 26
    assert ask(old, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert ask(old, "PRAGMA integrity_check") == [("ok",)]
    assert ask(old, "PRAGMA foreign_key_check") == []


def test_the_earlier_file_is_kept_once(old):
    before = ask(old, "SELECT * FROM record")
    for _ in range(2):
        Store.open(old, create=False).close()
    kept = old.with_name("old-schema-9.db")
    assert {path.name for path in old.parent.glob("*.db")} == {"old.db", kept.name}
    assert ask(kept, "PRAGMA user_version") == [(9,)]
    assert ask(kept, "SELECT * FROM record") == before


def test_a_copy_never_replaces_another_file(old):
    other = old.with_name("old-schema-9.db")
    other.write_text("mine")
    Store.open(old, create=False).close()
    assert other.read_text() == "mine"
    assert ask(old.with_name("old-schema-9-2.db"), "PRAGMA user_version") == [(9,)]


def test_a_file_without_games_is_not_copied(tmp_path):
    path = tmp_path / "new.db"
    Store.open(path, create=True).close()
    assert [path.name for path in tmp_path.iterdir()] == ["new.db"]


def test_it_says_what_it_does_and_how_far_it_is(old, monkeypatch):
    monkeypatch.setattr(tallies, "_AT_ONCE", 10)
    ticks = iter(range(0, 1000, 2))
    assert brought_up(old, clock=lambda: next(ticks)) == [
        f"{old} is brought up to date for this version of arena; "
        f"the earlier file is kept as {old.with_name('old-schema-9.db')}",
        f"{old}: 10 of 25 games",
        f"{old}: 20 of 25 games",
        f"{old}: 25 of 25 games",
        f"{old}: 25 of 25 games",
    ]


@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupted_migration_goes_on(old, monkeypatch, at):
    monkeypatch.setattr(tallies, "_AT_ONCE", 10)
    calls, summarise = [], tallies._summarise

    def interrupted(connection):
        calls.append(None)
        if len(calls) == at + 1:
            raise KeyboardInterrupt
        return summarise(connection)

    monkeypatch.setattr(tallies, "_summarise", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Store.open(old, create=False)
    assert ask(old, "PRAGMA user_version") == [(9,)]  # so the earlier arena opens it too
    assert ask(old, "SELECT COUNT(*) FROM summary") == [(10 * at,)]
    assert ask(old, "SELECT COUNT(*) FROM record") == [(25,)]
    monkeypatch.setattr(tallies, "_summarise", summarise)
    assert brought_up(old) == []  # the copy is there already
    with Store.open(old, create=False) as store:
        assert len(store.lines(store.ids())) == 25
    assert len(list(old.parent.glob("*.db"))) == 2


def test_what_an_earlier_arena_removed_meanwhile_is_forgotten(old):
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        tallies.start_summaries(connection)
        list(tallies.summaries_left(connection))
        connection.execute("DELETE FROM record WHERE id = 20")
    brought_up(old)
    assert ask(old, "SELECT COUNT(*), SUM(record = 20) FROM summary") == [(24, 0)]


def test_a_full_disk_is_one_clear_line_and_leaves_the_file_as_it_was(old, monkeypatch):
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(DiskFull) as caught, upgrade.store_errors(old):
            upgrade.upgrade(connection, old, keep_copy=True)
    assert (
        str(caught.value) == f"{old} cannot grow (database or disk is full); make room and run the same command again"
    )
    assert ask(old, "PRAGMA user_version") == [(9,)]
    with Store.open(old, create=False) as store:
        assert len(store.ids()) == 25


def test_a_copy_that_cannot_be_finished_is_not_left_behind(old, tmp_path):
    class Full(sqlite3.Connection):
        def backup(self, target, **_):
            target.execute("PRAGMA max_page_count = 3")
            target.execute("CREATE TABLE filler AS SELECT ZEROBLOB(100000)")

    place = tmp_path / "copy.db"
    with closing(sqlite3.connect(old, factory=Full)) as connection, pytest.raises(DiskFull, match="make room"):
        upgrade.copy_file(connection, place)
    assert not place.exists()


def test_a_folder_that_cannot_be_written_stops_before_anything_changes(old, monkeypatch):
    def refuse(*_):
        raise ReadOnly("no room for a copy")

    before = old.read_bytes()
    monkeypatch.setattr(upgrade, "copy_file", refuse)
    with closing(sqlite3.connect(old, isolation_level=None)) as connection, pytest.raises(ReadOnly):
        upgrade.upgrade(connection, old, keep_copy=True)
    assert old.read_bytes() == before
