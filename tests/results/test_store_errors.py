"""Every problem with a results file is reported in one line."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from games.errors import ArenaError
from results.errors import (
    Damaged,
    DiskFull,
    ForeignFile,
    Locked,
    NewerFile,
    NoResults,
    ReadOnly,
    StoreError,
    store_errors,
)
from results.store.schema import MIGRATIONS
from results.store.store import Store


def message(kind, path, *, create=False):
    """The message of the error when the file is opened."""
    with pytest.raises(kind) as caught:
        Store.open(path, create=create, busy_seconds=0)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text or str(path.parent) in text
    assert isinstance(caught.value, StoreError)
    assert isinstance(caught.value, ArenaError)
    return text.replace(str(path), "FILE").replace(str(path.parent), "FOLDER")


def foreign(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")
        connection.commit()


@pytest.mark.parametrize("create", [False, True])
def test_a_missing_folder(tmp_path, create):
    text = message(NoResults, tmp_path / "nowhere" / "arena.db", create=create)
    assert text == "no folder FOLDER; make it first or use another file"


def test_a_reader_does_not_create_a_missing_file(path):
    assert message(NoResults, path) == "no results at FILE; play a league first or use another file"
    assert not path.exists()


def test_a_folder_in_place_of_a_file(tmp_path):
    text = message(ForeignFile, tmp_path, create=True)
    assert text == "FILE is a folder or device, not a results file; use another file"


def test_a_device_in_place_of_a_file():
    assert message(ForeignFile, Path("/dev/null"), create=True).startswith("FILE is a folder or device")


def test_an_empty_file_has_no_results_but_can_be_used(path):
    path.touch()
    assert message(NoResults, path) == "FILE is empty; play a league first or use another file"
    with Store.open(path, create=True) as store:
        assert store.leagues() == []


@pytest.mark.parametrize("create", [False, True])
def test_a_database_of_another_program_is_not_changed(path, create):
    foreign(path)
    before = path.read_bytes()
    assert message(ForeignFile, path, create=create) == "FILE is a database of another program; use another file"
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["arena.db"]


def test_an_empty_database_of_another_program_is_not_changed(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 42")
    assert message(ForeignFile, path, create=True).startswith("FILE is a database of another program")


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("content", [b"dear diary\n" * 100, b"x", b"SQLite format 3", bytes(range(256)) * 16])
def test_a_file_that_is_not_a_database_is_not_changed(path, content, create):
    path.write_bytes(content)
    assert message(ForeignFile, path, create=create) == "FILE is not a results file (not SQLite); use another file"
    assert path.read_bytes() == content


def test_a_file_of_a_newer_arena_is_not_changed(path):
    Store.open(path, create=True).close()
    with closing(sqlite3.connect(path)) as connection:
        known = len(MIGRATIONS)
        connection.execute(f"PRAGMA user_version = {known + 1}")
    text = f"FILE was written by a newer arena (schema {known + 1}, this one knows {known}); upgrade arena"
    assert message(NewerFile, path) == text
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (known + 1,)


def test_an_impossible_path():
    with pytest.raises(StoreError, match=r"^'a\\x00b.db' is not a file name; use another file$"):
        Store.open(Path("a\0b.db"), create=True)


def test_a_path_that_is_too_long():
    with pytest.raises(ReadOnly, match=r"cannot be opened \(File name too long\)"):
        Store.open(Path("a" * 300), create=True)


def test_a_name_that_looks_like_a_query_is_only_a_name(tmp_path):
    path = tmp_path / "a?mode=memory#100%.db"
    Store.open(path, create=True).close()
    assert path.stat().st_size


def test_a_folder_that_cannot_be_written(tmp_path):
    # Permissions do not bind root; /proc refuses new files to everybody.
    text = message(ReadOnly, Path("/proc/self/arena.db"), create=True)
    assert text == "FILE cannot be opened (unable to open database file); file and folder must be writable"


def test_a_broken_page_is_reported_as_damage(path, store, make_record):
    for number in range(50):
        store.add(make_record(str(number)))
    store.close()
    pages = path.stat().st_size // 4096
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096 * (pages - 1))
    with pytest.raises(Damaged) as caught, Store.open(path, create=False) as broken:
        list(broken.records())
    assert str(caught.value) == (
        f"{path} is damaged (database disk image is malformed); make a copy, then try: sqlite3 FILE .recover"
    )


@pytest.mark.parametrize("column", ["moves", "parameters", "first_options", "notes", "versions", "seed"])
def test_a_tampered_record_is_reported_as_damage(path, store, make_record, column):
    store.add(make_record())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE record SET {column} = '[[oops'")
        connection.commit()
    with pytest.raises(Damaged, match=r"^record 1 cannot be read \(.*\); skip it or restore a backup$"):
        store.record(1)


@pytest.mark.parametrize("settings", ["{oops", "[]"])
def test_a_tampered_league_is_reported_as_damage(path, store, settings):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE league SET settings = ?", (settings,))
        connection.commit()
    with pytest.raises(Damaged, match=r"^league 'spring' of .* cannot be read \(.*\); restore a backup$"):
        store.leagues()


def test_a_file_that_another_program_writes_is_locked(path, store, make_record):
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        Store.open(path, create=False, busy_seconds=0) as impatient,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match=r"is locked by another program; wait until it is done and try again$"):
            impatient.add(make_record())
        assert impatient.keys("spring") == set()  # reading goes on
        other.execute("ROLLBACK")
        assert impatient.add(make_record()).id == 1


def test_a_file_that_another_program_is_just_creating_is_locked(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("CREATE TABLE league (id INTEGER)")
        assert message(Locked, path, create=True).startswith("FILE is locked by another program")


def test_a_closed_store_is_an_error(store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match=r"arena\.db was closed; open it again, or use it before the end"):
        store.leagues()


def test_a_store_of_another_thread_is_an_error(store):
    with ThreadPoolExecutor(1) as pool:
        for call in (store.leagues, store.close, lambda: store.exclude(1, because="x")):
            with pytest.raises(StoreError, match=r"arena\.db was opened in another thread; open it in each thread"):
                pool.submit(call).result()
    assert len(store.leagues()) == 1


@pytest.mark.parametrize("name", [None, 5, ["arena.db"]])
def test_a_results_file_that_is_not_named_is_an_error(name):
    for call in (Store.read, lambda name: Store.open(name, create=True)):
        with pytest.raises(StoreError, match=r"^a results file is given as a text or a path, not as "):
            call(name)


def test_the_message_for_a_full_disk(tmp_path):
    # SQLite's own limit on pages gives the very error of a full disk.
    with closing(sqlite3.connect(tmp_path / "small.db")) as connection:
        connection.execute("PRAGMA max_page_count = 3")
        connection.execute("CREATE TABLE filler (content BLOB)")
        with pytest.raises(DiskFull) as caught, store_errors(Path("arena.db")):
            connection.execute("INSERT INTO filler (content) VALUES (ZEROBLOB(100000))")
    assert str(caught.value) == (
        "arena.db cannot grow (database or disk is full); make room and run the same command again"
    )


def test_the_message_for_a_read_only_database(path, store):
    reader = closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))
    with reader as connection, pytest.raises(ReadOnly) as caught, store_errors(path):
        connection.execute("DELETE FROM league")
    assert str(caught.value) == (
        f"{path} cannot be written (attempt to write a readonly database); allow writing or use another file"
    )
