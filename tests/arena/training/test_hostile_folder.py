"""The folder of a run from somebody else: looking at it runs no code, changes no other file, and is one clear line."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena import cli
from arena.errors import BadSettings
from arena.training.ladder import Ladder
from arena.training.runs import TrainingRun, find, runs
from results.errors import StoreError

#: Commands that only look at a run, and those that work on it.
READING = (("status",), ("status", "{run}"), ("status", "{run}", "--profile"), ("report", "{run}"),
           ("compare", "{run}", "{run}"))  # fmt: skip
WORKING = (("set", "{run}", "lr=0.1"), ("export", "{run}", "--name", "mine"), ("resume", "{run}"))
ESCAPE = "\x1b]0;owned\x07\x1b[31m\u202e"
#: Values that no run stores.
ODD = (None, -1, 1e308, 10**400, "", ESCAPE, [], {}, [[]], [None], {"a": {"b": []}}, True)
TABLES = ("configuration", "curve", "changes", "gates", "examples", "ladder")


@pytest.fixture
def command(run: TrainingRun, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> Any:
    """Run `arena train …` on the copy of a run; an exception that it does not handle fails the test."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        named = [word.format(run=run.name) for word in words]
        code = cli.run(["train", *named, "--home", str(run.folder.parent)])
        return code, *capsys.readouterr()

    return call


def store(run: TrainingRun, table: str, key: str, value: object) -> None:
    with closing(sqlite3.connect(run.folder / "notes.db")) as connection, connection:
        connection.execute(f'CREATE TABLE IF NOT EXISTS "{table}" (key TEXT PRIMARY KEY, value BLOB)')
        connection.execute(f'REPLACE INTO "{table}" VALUES (?, ?)', (key, json.dumps(value)))


def change_recipe(run: TrainingRun, **changes: object) -> None:
    store(run, "configuration", "recipe", run.configuration()["recipe"] | changes)


def is_one_line(code: int, err: str) -> bool:
    return code in (1, 2) and err.count("\n") == 1 and "Traceback" not in err


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that can be imported and leaves a trace when it is; returns the place of the trace."""
    (tmp_path / "modules").mkdir()
    trace = tmp_path / "trace"
    (tmp_path / "modules" / "evil.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    (tmp_path / "modules" / "evil2").mkdir()
    (tmp_path / "modules" / "evil2" / "game.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    return trace


@pytest.mark.parametrize("changes", [{"learner": "evil:Learner"}, {"game": "evil2.game", "learner": "self_learning"}])
def test_a_folder_names_no_code_to_import(run: TrainingRun, command: Any, evil: Path, changes: dict[str, str]) -> None:
    change_recipe(run, **changes)
    for words in (*READING, *WORKING):
        code, _, err = command(*words)
        assert code == 0 or is_one_line(code, err), (words, err)
    code, _, err = command(*WORKING[1])
    assert code == 2
    assert "is not part of arena" in err
    assert not evil.exists()
    assert "evil" not in sys.modules


def test_a_trusted_folder_may_name_a_learner(run: TrainingRun, command: Any, tmp_path: Path) -> None:
    assert is_one_line(*command(*WORKING[1])[::2])  # the learner of the tests is not part of arena
    assert command(*WORKING[1], "--trust-file")[0] == 0
    assert (tmp_path / "mine" / "weights.bin").is_file()


def test_a_folder_names_no_program_to_run(run: TrainingRun, tmp_path: Path) -> None:
    program = f"json:command=\"/bin/sh -c 'touch {tmp_path}/trace'\""
    change_recipe(run, anchors=[program])
    with pytest.raises(BadSettings, match=r"names the program of an anchor: json:command=.*add --trust-file"):
        Ladder(run=run).play(3)
    store(run, "changes", "1", {"generation": 1, "asked": "", "request": "1", "changes": {"anchors": [program]}})
    with pytest.raises(BadSettings, match="names the program of an anchor"):
        Ladder(run=run.giving(["random"])).play(3)
    assert Ladder(run=run.trusted())._stored_anchors([program]) == [program]


@pytest.mark.parametrize("table", TABLES)
def test_odd_notes_are_one_clear_line(run: TrainingRun, command: Any, table: str) -> None:
    stored = {name: run._read(name) for name in TABLES}
    rows = stored[table] or {"1": {"generation": 1, "changes": {}, "asked": ""}}
    key, row = next(iter(rows.items()))
    changed = [row | {name: odd} for name in row for odd in ODD] if isinstance(row, dict) else []
    for number, odd in enumerate([*ODD, *changed]):
        store(run, table, key, odd)
        words = READING[number % len(READING)]
        code, out, err = command(*words)
        assert code == 0 or is_one_line(code, err), (table, odd, words, err)
        assert all(char.isprintable() or char in "\n\t" for char in out + err), (table, odd, words)
    store(run, table, key, row)


FOREIGN = {
    "view": "CREATE VIEW ladder AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i AS key, i AS value FROM n",
    "trigger": "CREATE TRIGGER odd AFTER INSERT ON curve BEGIN DELETE FROM curve; END",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_notes_with_code_are_refused(run: TrainingRun, command: Any, kind: str) -> None:
    with closing(sqlite3.connect(run.folder / "notes.db")) as connection, connection:
        connection.execute("DROP TABLE IF EXISTS ladder")
        connection.execute(FOREIGN[kind])
    for words in (*READING, *WORKING):
        code, _, err = command(*words)
        assert is_one_line(code, err), (words, err)
        assert f"contains {kind}" in err


LINKED = ("memory.bin", "log.txt", "weights/000003.bin", "notes.db-wal", "checkpoints")


@pytest.mark.parametrize("name", LINKED)
def test_a_link_in_a_folder_publishes_and_changes_nothing(
    run: TrainingRun, command: Any, tmp_path: Path, name: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a private key")
    place = run.folder / name
    if place.is_dir():
        place.rename(tmp_path / "elsewhere")
        secret = tmp_path / "elsewhere"
    place.unlink(missing_ok=True)
    place.symlink_to(secret)
    before = sorted(secret.iterdir()) if secret.is_dir() else secret.read_text()
    for words in WORKING:
        code, _, err = command(*words, "--trust-file")
        assert is_one_line(code, err), err
        assert "is a link" in err
    assert before == (sorted(secret.iterdir()) if secret.is_dir() else secret.read_text())
    assert not (tmp_path / "mine").exists()


def test_pipes_in_place_of_files_do_not_hang(run: TrainingRun, command: Any) -> None:
    (run.folder / "lock").unlink(missing_ok=True)
    os.mkfifo(run.folder / "lock")
    assert command("status", "{run}")[0] == 0
    (run.folder / "notes.db").unlink()
    os.mkfifo(run.folder / "notes.db")
    for words in (("status", "{run}"), ("set", "{run}", "lr=0.1")):
        assert is_one_line(*command(*words)[::2])


def test_a_folder_with_an_odd_name_is_not_listed(run: TrainingRun) -> None:
    run.folder.rename(run.folder.with_name(f"x{ESCAPE}"))
    assert runs(run.folder.parent) == []


def test_arrays_with_an_odd_header_are_damaged(damaged_arrays: Callable[[bytes], bytes]) -> None:
    from agents.self_learning.arrays import Damaged as DamagedArrays
    from agents.self_learning.arrays import unpack

    entry = {"name": "x", "dtype": "<f4", "shape": [2], "offset": 0, "bytes": 8}
    odd = [{"name": "x"}, entry | {"dtype": "|O", "shape": [1]}, entry | {"shape": [9]}, entry | {"dtype": 3}]
    heads = [json.dumps({"header": {}, "arrays": [one]}).encode() for one in odd]
    for head in (b"[]", b"{}", b'{"arrays": 1}', b"[" * 100_000, *heads):
        with pytest.raises(DamagedArrays):
            unpack(damaged_arrays(head))


@pytest.fixture
def damaged_arrays() -> Callable[[bytes], bytes]:
    """A file of arrays with this header, and the right hash."""
    import hashlib

    def make(head: bytes) -> bytes:
        body = b"arrays1\n" + len(head).to_bytes(8, "little") + head + bytes(16)
        return body + hashlib.sha256(body).digest()

    return make


def test_a_missing_run_is_still_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="there is no training run 'x'"):
        find("x", folder=tmp_path)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "notes.db").write_bytes(b"not a database, and long enough to be read as one" * 10)
    with pytest.raises(StoreError, match=r"notes\.db"):
        find("x", folder=tmp_path)
