"""`arena rerun` and `arena exclude`, also with a results file that is read-only."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from results.store.store import Store


def attempts(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / "arena.db")) as connection:
        return connection.execute("SELECT kind, reason FROM attempt ORDER BY id").fetchall()


def elsewhere(arena: Any, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in another folder, with the same home folder."""
    folder = arena.folder / "elsewhere"
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-P", "-m", "arena", *words, "--db", str(arena.folder / "arena.db")],
        cwd=folder, env=arena.environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


@pytest.mark.parametrize(
    "agents", [("random", "one_step_search"), ("mcts:simulations=20", "random"), ("greedy", "mcts:simulations=10")]
)
def test_a_game_of_seeded_agents_repeats_move_by_move(arena: Any, agents: tuple[str, str]) -> None:
    words = ("--opening-turns", "2", "--turns", "30", "--json")
    (game,) = arena("play", *agents, *words).json
    ran = arena("rerun", "1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"identical: {game['turns']} turns, {game['result']} ({game['reason']})\n"
    (again,) = arena("rerun", "1", "--json").json
    assert again["identical"] is True
    assert again["now"]["moves"] == again["was"]["moves"] == game["moves"]
    assert again["changes"] == []


def test_the_rerun_of_a_league_game_does_not_count(arena: Any) -> None:
    league = ("league", "random", "mcts:simulations=5", "--turns", "20", "--name", "cup", "--clock", "wall")
    arena(*league)
    before = arena("standings").out
    assert arena("rerun", "2").out.startswith("identical: ")
    assert [kind for kind, _ in attempts(arena.folder)] == ["rerun"]
    assert attempts(arena.folder)[0][1].startswith("identical: ")
    assert arena("standings").out == before
    assert "2 of 2 games were already stored" in arena(*league).err
    with Store.read(arena.folder / "arena.db") as store:
        assert len(list(store.records())) == 2
        assert store.voids("cup") == []


@pytest.mark.parametrize("fate", ["kept", "changed", "deleted"])
def test_a_rerun_uses_the_staged_copy_from_any_folder(arena: Any, faulty: Path, fate: str) -> None:
    mine = arena.folder / "mine.py"
    mine.write_text("from agents import BaseAgent\nclass Mine(BaseAgent):\n"
                    "    def act(self, state): return self.rng.choice(list(state.legal_moves))\n")  # fmt: skip
    arena("play", "./mine.py", "random", "--turns", "20", "--seed", "s")
    if fate == "changed":
        mine.write_text((faulty / "unrepeatable.py").read_text())
    if fate == "deleted":
        mine.unlink()
    ran = elsewhere(arena, "rerun", "1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("identical: ")


def test_a_missing_copy_is_one_line(arena: Any, faulty: Path) -> None:
    (arena.folder / "mine.py").write_text((faulty / "unrepeatable.py").read_text())
    arena("play", "./mine.py", "random", "--turns", "4")
    shutil.rmtree(arena.folder / "home")
    ran = arena("rerun", "1")
    assert ran.error == "arena: the stored files of 'mine' are missing or changed; it cannot play with its earlier code"
    assert ran.code == 2
    assert attempts(arena.folder) == []


def test_the_first_move_that_differs_is_printed_with_exit_code_1(arena: Any, faulty: Path) -> None:
    (game,) = arena("play", "first_move", f"{faulty}/unrepeatable.py", "--turns", "60", "--json").json
    ran = arena("rerun", "1")
    assert (ran.code, ran.err) == (1, "")
    words = ran.out.split()
    assert words[:3] == ["differs", "from", "turn"]
    turn = int(words[3])
    assert turn % 2 == 0  # the random moves of the second player cannot be repeated
    assert f": {game['moves'][turn - 1]} then, " in ran.out
    assert attempts(arena.folder) == [("rerun", ran.out.rstrip("\n"))]
    again = arena("rerun", "1", "--json")
    assert again.code == 1
    assert again.json[0]["identical"] is False
    assert again.json[0]["was"]["moves"] == game["moves"]


@pytest.mark.parametrize(
    ("name", "rule"), [("RaisesInAct", "exception"), ("NoMove", "illegal-move"), ("Hangs", "time")]
)
def test_a_fault_is_repeated(arena: Any, faulty: Path, name: str, rule: str) -> None:
    arena("play", "random", f"{faulty}/misbehaving.py:{name}", "--time", "0.5")
    ran = arena("rerun", "1")
    assert (ran.code, ran.out) == (0, f"identical: 1 turns, 1-0 (second faulted: {rule})\n")
    (again,) = arena("rerun", "1", "--json").json
    assert again["now"]["fault"] == {"player": "second", "rule": rule}


def test_a_game_with_a_person_cannot_be_repeated(arena: Any) -> None:
    arena("play", "human", "random", "--position", "k3/4/4/1R2/K3 w - - 0 1", "--turns", "1", typed="b2b3\n")
    ran = arena("rerun", "1")
    assert ran.error == "arena: a game with a person cannot be played again"
    assert ran.code == 2
    assert attempts(arena.folder) == []


def test_an_excluded_game_does_not_count_until_the_exclusion_is_undone(arena: Any) -> None:
    league = ("league", "random", "first_move", "--turns", "4", "--name", "cup")
    arena(*league)
    before = arena("standings").out
    ran = arena("exclude", "1", "--because", "the machine was out of memory")
    assert ran.code == 0
    assert ran.out.startswith("record 1 no longer counts: ")
    assert arena("standings").out.startswith("cup: 1 game\n")
    assert json.loads(arena("show", "1", "--format", "json").out)["excluded"] == "the machine was out of memory"
    assert "2 of 2 games were already stored" in arena(*league).err  # it is not played again
    back = arena("exclude", "1", "--undo")
    assert back.out.startswith("record 1 counts again: ")
    assert arena("standings").out == before
    assert arena("exclude", "1", "--because", "once more").code == 0


NO_REASON = 'arena: the reason is missing; add --because "…", or --undo to count the game again'
BOTH = "arena: --because and --undo cannot be used together; leave one out"
#: Arguments, exit code, start of the error; record 1 counts, record 2 is excluded, there are no others.
MISTAKES = [
    (("exclude", "1"), 2, NO_REASON),
    (("exclude", "1", "--because", " "), 2, NO_REASON),
    (("exclude", "2", "--undo", "--because", "x"), 2, BOTH),
    (("exclude", "2", "--undo", "--because", ""), 2, BOTH),
    (("exclude", "1", "--undo"), 1, "arena: record 1 is not excluded"),
    (("exclude", "2", "--because", "x"), 1, "arena: record 2 is already excluded"),
    (("exclude", "3", "--because", "x"), 1, "arena: no record 3; there are 1 to 2"),
    (("exclude", "3", "--undo"), 1, "arena: no record 3; there are 1 to 2"),
    (("exclude", "0", "--because", "x"), 2, "Error: Invalid value for 'RECORD': '0' is not the number of a game;"),
    (("exclude", "one", "--because", "x"), 2, "Error: Invalid value for 'RECORD': 'one' is not the number of a game;"),
    (("exclude", "--because", "x"), 2, "Error: Missing argument 'RECORD'."),
    (("exclude", "1", "--because", "x", "--db", "none.db"), 1, "arena: no results at none.db; play a league first"),
    (("exclude", "1", "--because", "x", "--db", "notes"), 1, "arena: notes is not a results file (not SQLite); use"),
    (("rerun", "3"), 1, "arena: no record 3; there are 1 to 2"),
    (("rerun", "9" * 25), 2, "Error: Invalid value for 'RECORD': '9999999999999999999999999' is not the number"),
    (("rerun",), 2, "Error: Missing argument 'RECORD'."),
    (("rerun", "1", "--db", "a/b.db"), 1, "arena: no folder a; make it first or use another file"),
    (("rerun", "1", "--db", "notes"), 1, "arena: notes is not a results file (not SQLite); use another file"),
]


def test_errors_are_one_line_and_change_nothing(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    arena("exclude", "2", "--because", "a power cut")
    (arena.folder / "notes").write_text("my notes\n")
    for words, code, line in MISTAKES:
        ran = arena(*words)
        assert ran.error.startswith(line)
        assert (words, ran.code) == (words, code)
    with Store.read(arena.folder / "arena.db") as store:
        assert {number: found.because for number, found in store.exclusions().items()} == {2: "a power cut"}
    assert attempts(arena.folder) == []
    assert (arena.folder / "notes").read_text() == "my notes\n"
    assert not (arena.folder / "none.db").exists()


def test_a_read_only_results_file_can_be_read_and_writing_it_is_one_line(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    kept = arena.folder / "kept"
    kept.mkdir()
    (arena.folder / "arena.db").rename(kept / "arena.db")
    before = (kept / "arena.db").read_bytes()
    (kept / "arena.db").chmod(0o444)
    kept.chmod(0o555)
    try:
        for words in (
            ("exclude", "1", "--because", "x"), ("exclude", "1", "--undo"), ("rerun", "1"),
            ("enter", "cup", "greedy"), ("withdraw", "cup", "random"), ("league", "random", "first_move"),
        ):  # fmt: skip
            ran = arena.unprivileged(*words, "--db", "kept/arena.db")
            assert (words, ran.code) == (words, 1)
            assert ran.err.startswith("arena: kept/arena.db cannot be ")
            assert ran.err.count("\n") == 1
        for words in (("standings",), ("league", "random", "first_move", "--dry-run")):
            ran = arena.unprivileged(*words, "--db", "kept/arena.db")
            assert (words, ran.code, ran.err) == (words, 0, "")
    finally:
        kept.chmod(0o755)
    assert (kept / "arena.db").read_bytes() == before
