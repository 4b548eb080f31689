"""The README is true: its examples run, and it names all tables, columns and modules."""

import doctest
import sqlite3
from contextlib import closing
from pathlib import Path

import results
from results.record import MoveRecord
from results.store.store import Store

README = Path(results.__file__).with_name("README.md")


def test_the_notebook_example_runs(tmp_path, monkeypatch, make_record):
    monkeypatch.chdir(tmp_path)
    moves = (MoveRecord("d2d3", 0.5, 0.4, 0.01), MoveRecord("a4a3", 0.25, 0.2))
    games = [
        make_record("1", moves=moves),
        make_record("2", first="bob", second="ada", result="1/2-1/2", moves=moves),
    ]
    with Store.open(Path("arena.db"), create=True) as store:
        entrants = [games[0].first, games[0].second]
        store.create_league("spring", kind="league", settings={}, secret="", entrants=entrants)
        for game in games:
            store.add(game)
    outcome = doctest.testfile(str(README), module_relative=False)
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_every_table_is_described(path):
    Store.open(path, create=True).close()
    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    text = README.read_text()
    assert {table for table in tables if f"| `{table}` |" not in text} == set()


def test_every_column_is_described(path):
    """The columns of `record` are too many for one line: the README describes them in groups."""
    Store.open(path, create=True).close()
    tables = {"league", "entrant", "departure", "award", "pairing", "attempt", "exclusion"}
    with closing(sqlite3.connect(path)) as connection:
        columns = {
            table: {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))} - {"id"}
            for table in tables
        }
    text = README.read_text()
    rows = {table: next(line for line in text.splitlines() if line.startswith(f"| `{table}` |")) for table in tables}
    missing = {(table, name) for table in tables for name in columns[table] if f"`{name}`" not in rows[table]}
    assert missing == set()


def test_every_module_is_named():
    text = README.read_text()
    modules = {file.stem for file in README.parent.rglob("*.py")} - {"__init__"}
    assert {module for module in modules if f"`{module}`" not in text} == set()
