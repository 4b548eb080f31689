"""A results file from somebody else: it runs no code, prints no escape characters, and is refused in one clear line."""

import json
import os
import shutil
import signal
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena import cli
from results.errors import Damaged
from results.store import file as results_file
from results.store.store import Store

FILES = Path(__file__).parents[2] / "results" / "files"
#: Commands that only read, and `stop`, which reads from the file what it must not trust.
READING = (
    ("standings",), ("standings", "--crosstable"), ("show", "{id}"), ("show", "{id}", "--format", "html"),
    ("show", "{id}", "--format", "json"), ("show", "{id}", "--format", "pgn"), ("why", "{id}"),
    ("why", "{id}", "--json"), ("leagues",), ("leagues", "--json"), ("records",), ("records", "--json"),
    ("stop", "thursday"), ("export", "--format", "json"), ("export", "--format", "csv"), ("export", "--format", "pgn"),
    ("report", "-o", "-"),
)  # fmt: skip
ESCAPE = "\x1b]0;owned\x07\x1b[31m\u202e"
#: Values that no version of arena has stored.
ODD = (
    None, -1, 2**62, 1e308, float("inf"), "", "x", ESCAPE, b"\xff\xfe", "[" * 100_000, "{}", "[]", "[[]]",
    '[["a1", NaN]]', '{"a": {"b": []}}', "[1, null]", "1" * 5000, '{"turns": "\\u001b[31m"}',
)  # fmt: skip


def loosen(path: Path) -> sqlite3.Connection:
    """A connection that can store every value in every column."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT,', ')'), ') STRICT', ')')")
    connection.execute("PRAGMA writable_schema = RESET")
    connection.close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A results file with leagues of every kind, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "arena.db"
    shutil.copy(FILES / "schema-2.db", path)
    Store.open(path, create=False).close()  # migrates it
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command here; an exception that it does not handle fails the test."""
    code = cli.run(words)
    return code, *capsys.readouterr()


def is_safe(text: str) -> bool:
    return all(char.isprintable() or char in "\n\t" for char in text)


def columns(path: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = [(table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return [(table, column) for table, column in found if table not in ("coordinator", "attempt", "sqlite_sequence")]


def check_odd_value(
    path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str, object], words: Any
) -> None:
    """Run a command on a file with an odd value in all rows of one column."""
    table, column, odd = change
    shutil.copy(path.with_name("kept.db"), path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (odd,))
    except sqlite3.IntegrityError:
        return
    finally:
        connection.close()
    code, out, err = run(capsys, *words)
    where = (table, column, str(odd)[:40], words)
    assert code in (0, 1, 2), where
    assert is_safe(out), where
    assert is_safe(err), where
    # `export` also counts what it leaves out.
    *before, last = err.splitlines() or [""]
    assert code == 0 or last.startswith(("arena: ", "Error: ")), (where, err)
    assert all(line.startswith("left out: ") for line in before), (where, err)


@pytest.fixture
def odd_files(stored: Path) -> tuple[Path, str, list[tuple[str, str, object]]]:
    """The file, the number of a game in it, and every change of a column to an odd value."""
    connection = sqlite3.connect(stored)
    (first,) = connection.execute("SELECT MIN(id) FROM record WHERE fault_player IS NOT NULL").fetchone()
    connection.close()
    loosen(stored).close()
    shutil.copy(stored, stored.with_name("kept.db"))
    return stored, str(first), [(*column, odd) for column in columns(stored) for odd in ODD]


def test_odd_values_are_one_clear_line(odd_files: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path, first, changes = odd_files
    for number, change in enumerate(changes):
        if number % 5 == 0:
            words = READING[number // 5 % len(READING)]
            check_odd_value(path, capsys, change, [word.format(id=first) for word in words])


@pytest.mark.soak
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_all_odd_values_are_one_clear_line(
    odd_files: Any, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    path, first, changes = odd_files
    for change in changes:
        check_odd_value(path, capsys, change, [word.format(id=first) for word in words])


def test_awards_without_their_pairings_are_no_failure(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(stored)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        assert connection.execute("DELETE FROM pairing").rowcount > 0
    assert run(capsys, "leagues")[0] == 0
    assert run(capsys, "standings", "--league", "swiss")[0] == 0


def test_a_file_does_not_name_code_to_import(arena: Any, stored: Path) -> None:
    (arena.folder / "evil").mkdir()
    for name in ("__init__", "game"):
        (arena.folder / "evil" / f"{name}.py").write_text("print('imported', flush=True)\nimport os\nos._exit(7)\n")
    connection = loosen(stored)
    connection.execute("UPDATE record SET game = 'evil.game'")
    connection.execute("""UPDATE league SET settings = json_set(settings, '$.game', 'evil.game')""")
    connection.close()
    environment = ["env", f"PYTHONPATH={arena.folder}"]
    shown = arena("show", "1", before=environment)
    assert shown.code == 0, shown.err
    assert "no board: its start cannot be set up: the game 'evil.game' is not part of arena" in shown.out
    for words in (
        ("show", "1", "--format", "html"), ("why", "1"), ("rerun", "1"), ("report", "-o", "-"), ("standings",),
        ("export", "--format", "json"), ("enter", "thursday", "first_move"),
    ):  # fmt: skip
        ran = arena(*words, before=environment)
        assert ran.code in (0, 2), ran.err
        assert "imported" not in ran.out + ran.err
        assert "Traceback" not in ran.err


GAME = """
from games.othello import Othello

class Mine(Othello):
    name = "outside.rules"

def game():
    return Mine()
"""


def test_a_game_from_outside_is_shown_when_it_is_given_again(arena: Any) -> None:
    (arena.folder / "outside").mkdir()
    (arena.folder / "outside" / "__init__.py").write_text("")
    (arena.folder / "outside" / "rules.py").write_text(GAME)
    environment = ["env", f"PYTHONPATH={arena.folder}"]
    played = arena("play", "random", "first_move", "--game", "outside.rules", "--json", before=environment)
    assert played.code == 0, played.err
    (arena.folder / "home").rename(arena.folder / "home of its player")
    assert "no board:" in arena("show", "1", before=environment).out
    assert "no board:" not in arena("show", "1", "--game", "outside.rules", before=environment).out
    (arena.folder / "home").rename(arena.folder / "home of a reader")
    again = arena("rerun", "1", before=environment)
    assert (again.code, again.error.endswith("give it again: --game outside.rules")) == (2, True)
    again = arena("rerun", "1", "--game", "outside.rules", before=environment)
    assert (again.code, again.out.startswith("identical")) == (0, True)


FOREIGN = {
    "view": "CREATE VIEW odd AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    "trigger": "CREATE TRIGGER odd AFTER INSERT ON attempt BEGIN DELETE FROM record; END",
    "virtual table": "CREATE VIRTUAL TABLE odd USING fts5(text)",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_with_code_of_its_own_is_refused(stored: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    connection = sqlite3.connect(stored)
    connection.execute(FOREIGN[kind])
    connection.close()
    for words in (("show", "1"), ("standings",), ("exclude", "1", "--because", "x")):
        code, out, err = run(capsys, *words)
        assert (code, out) == (1, "")
        assert err == f"arena: arena.db contains {kind} 'odd', which arena never makes; use another file\n"


def test_an_endless_view_in_place_of_a_table_is_refused(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(stored)
    connection.execute("ALTER TABLE record RENAME TO hidden")
    connection.execute(FOREIGN["view"].replace("odd", "record"))
    connection.close()
    code, _, err = run(capsys, "show", "1")
    assert (code, err.count("\n")) == (1, 1)
    assert "contains view 'record'" in err


def hot_journal(path: Path, victim: Path) -> None:
    """Leave beside a results file the journal of a transaction that was cut off, and that names another file."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE large AS SELECT zeroblob(200000)")
    journal = path.with_name(f"{path.name}-journal").read_bytes()
    connection.rollback()
    connection.close()
    pages = (len(journal) - 512) // (size + 8)
    name = str(victim).encode()
    last = struct.pack(">I", 0x40000000 // size + 1) + name + struct.pack(">II", len(name), sum(name))
    head = journal[:8] + struct.pack(">I", pages) + journal[12 : 512 + pages * (size + 8)]
    path.with_name(f"{path.name}-journal").write_bytes(head + last + bytes.fromhex("d9d505f920a163d7"))


def test_a_journal_beside_a_file_removes_no_other_file(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    hot_journal(stored, precious)
    shutil.copytree(tmp_path, tmp_path / "copy")  # what SQLite itself does with it
    with closing(sqlite3.connect(tmp_path / "copy" / "arena.db")) as connection:
        connection.execute("SELECT * FROM record").fetchone()
    assert not precious.exists()
    precious.write_text("mine")
    for words in (("show", "1"), ("standings",), ("exclude", "1", "--because", "x"), ("play", "random", "random")):
        code, _, err = run(capsys, *words)
        assert (code, err.count("\n")) == (1, 1), err
        assert "arena.db-journal names another file" in err
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("is_there", [True, False])
def test_links_beside_a_file_lead_nowhere(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str, *, is_there: bool
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    beside = stored.with_name(stored.name + ending)
    beside.symlink_to(precious)
    if not is_there:
        stored.unlink()
    for words in (("exclude", "1", "--because", "x"), ("play", "random", "random", "--turns", "2")):
        code, _, err = run(capsys, *words)
        assert (code, err.count("\n")) == (1, 1), err
    assert precious.read_text() == "mine"
    assert beside.is_symlink()


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"


def test_a_query_that_does_not_end_is_given_up(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_file, "_MOST_STEPS", 1_000_000)
    with Store.read(stored) as store, pytest.raises(Damaged, match="a query does not end"), store._reading():
        store._connection.execute(ENDLESS).fetchone()


def test_a_signal_ends_a_query(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []

    def send_once(self: results_file.Guard) -> bool:
        if not sent:
            sent.append(os.kill(os.getpid(), signal.SIGINT))
        return count(self)

    count = results_file.Guard._step
    monkeypatch.setattr(results_file.Guard, "_step", send_once)
    with Store.read(stored) as store, pytest.raises(KeyboardInterrupt), store._reading():
        store._connection.execute(ENDLESS).fetchone()


def test_a_game_that_was_not_confined_is_not_played_again_without_a_flag(arena: Any) -> None:
    marker = arena.folder / "marker"
    (arena.folder / "bot.sh").write_text(f"touch {marker}\n")
    engine = f'json:command="/bin/sh {arena.folder}/bot.sh"'
    ran = arena("play", engine, "first_move", "--trust-agents", "--turns", "2", "--json")
    assert ran.code == 0, ran.err
    assert marker.exists()
    marker.unlink()
    refused = arena("rerun", "1")
    assert refused.code == 2
    assert refused.error.endswith("add --trust-file")
    assert not marker.exists()
    arena("rerun", "1", "--trust-file")
    assert marker.exists()


def test_json_of_a_hostile_record_is_json(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = loosen(stored)
    connection.execute("UPDATE record SET reason = ?, host = ?, output_first = ?", (ESCAPE, ESCAPE, f"a\n{ESCAPE}"))
    connection.close()
    code, out, _ = run(capsys, "show", "1", "--format", "json")
    assert code == 0
    assert is_safe(out)
    assert json.loads(out)["output_first"] == f"a\n{ESCAPE}"
    code, out, _ = run(capsys, "show", "1")
    assert (code, is_safe(out)) == (0, True)
