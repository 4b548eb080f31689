"""`arena enter` and `arena withdraw`, also while the league runs."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from results.store.store import Store

THREE = ("random", "first_move", "one_step_search")
CUP = ("league", *THREE, "--turns", "6", "--name", "cup")


def next_game(arena: Any, process: subprocess.Popen[str]) -> Any:
    return json.loads(arena.next_line(process))


def keys(folder: Path, name: str) -> list[str]:
    """The keys of the pairings that an entrant has played, in the order they were stored."""
    with Store.read(folder / "arena.db") as store:
        return [record.key for record in store.records("cup") if name in (record.first.name, record.second.name)]


def rows(arena: Any) -> dict[str, Any]:
    return {row["agent"]: row for row in json.loads(arena("standings", "--format", "json").out)}


def test_entrants_enter_and_leave_while_the_league_runs(arena: Any, faulty: Path) -> None:
    (arena.folder / "late.py").write_text((faulty / "unrepeatable.py").read_text())
    process = arena.start(*CUP, "--rounds", "25", "--json")
    next_game(arena, process)
    entered = arena("enter", "cup", "./late.py", "first_move")
    assert (entered.code, entered.out) == (0, "late has entered cup\nfirst_move#2 has entered cup\n")
    assert "is not running" not in entered.err
    (arena.folder / "late.py").unlink()  # its copy plays
    while "late" not in {(game := next_game(arena, process))["first"], game["second"]}:
        pass
    gone = arena("withdraw", "cup", "first_move", "--because", "its author asked")
    assert (gone.code, gone.out) == (0, "first_move has left cup; its games do not count\n")
    before = keys(arena.folder, "first_move")
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert [line for line in err.splitlines() if "entered" in line or "withdrawn" in line] == [
        "late has entered",
        "first_move#2 has entered",
        "first_move was withdrawn (its author asked); its games do not count",
    ]
    assert "Traceback" not in err
    # Only games that were running when it left were stored afterwards.
    after = keys(arena.folder, "first_move")
    assert len(after) - len(before) <= 4
    numbers = {"random": 1, "one_step_search": 3, "late": 4, "first_move#2": 5}
    wanted = {f"{n + 1}:{a}-{b}" for n in range(25) for a in (4, 5) for b in numbers.values() if a != b}
    wanted |= {f"{n + 1}:{b}-{a}" for n in range(25) for a in (4, 5) for b in numbers.values() if a != b}
    assert wanted <= {*keys(arena.folder, "late"), *keys(arena.folder, "first_move#2")}
    found = rows(arena)
    assert {name: row["games"] for name, row in found.items()} == dict.fromkeys(numbers, 150) | {"first_move": 0}
    assert found["first_move"]["status"] == "withdrawn"
    assert "first_move (withdrawn)" in arena("standings").out


def test_new_entrants_of_a_league_that_is_not_running_play_when_it_continues(arena: Any) -> None:
    assert arena(*CUP).code == 0
    ran = arena("enter", "cup", "random", "greedy")
    assert ran.out == "random#2 has entered cup\ngreedy has entered cup\n"
    assert ran.err == "cup is not running; to play the new games: arena league --name cup\n"
    assert rows(arena)["greedy"]["games"] == 0
    ran = arena(*CUP)
    assert ran.out.startswith("cup: 20 of 20 games\n")
    assert {row["games"] for row in rows(arena).values()} == {8}


def test_late_entrants_get_no_points_from_an_entrant_that_has_left(arena: Any) -> None:
    arena(*CUP)
    before = rows(arena)
    arena("enter", "cup", "greedy")
    assert arena("withdraw", "cup", "random", "--because", "rain").out == "random has left cup; its games still count\n"
    found = rows(arena)
    assert found["random"]["games"] == before["random"]["games"] == 4
    assert (found["greedy"]["points"], found["greedy"]["awarded"]) == (0.0, 0.0)
    assert "random was withdrawn (rain); its games still count" in arena("standings").out
    assert arena(*CUP).out.startswith("cup: 10 of 10 games\n")
    assert len(keys(arena.folder, "random")) == 4


#: Arguments, exit code, start of the error. Stored are the league `cup`, the knockout `cut` and the match `play-1`.
MISTAKES = [
    (("enter", "cap", "greedy"), 1, "arena: no league called 'cap' in arena.db; the latest are play-1, cut, cup"),
    (("enter", "cup", "gredy"), 2, "arena: unknown agent 'gredy'; did you mean 'greedy'?"),
    (("enter", "cup", "greedy", "./none.py"), 2, "arena: there is no file or folder 'none.py'"),
    (("enter", "cup", "greedy", "human"), 2, "arena: people play with `arena play`, not in a league"),
    (("enter", "cup"), 2, "Error: Missing argument 'AGENT...'."),
    (("enter", "cut", "greedy"), 2, "arena: the knockout cut has begun; no agent can enter it any more"),
    (("enter", "play-1", "greedy"), 2, "arena: play-1 is a match of two; no agent can enter it"),
    (("enter", "cup", "greedy", "--db", "none.db"), 1, "arena: no results at none.db; play a league first or use"),
    (("enter", "cup", "greedy", "--db", "a/b.db"), 1, "arena: no folder a; make it first or use another file"),
    (("enter", "cup", "greedy", "--db", "notes"), 1, "arena: notes is not a results file (not SQLite); use another"),
    (("withdraw", "cap", "random"), 1, "arena: no league called 'cap' in arena.db; the latest are play-1, cut, cup"),
    (("withdraw", "cup", "greedy"), 1, "arena: 'greedy' is not an entrant of cup; there are random, first_move"),
    (("withdraw", "cup", "first_move"), 1, "arena: 'first_move' has already left cup"),
    (("withdraw", "cup"), 2, "Error: Missing argument 'AGENT'."),
    (("withdraw", "play-1", "random"), 2, "arena: play-1 is a match of two; no agent can leave it"),
    (("withdraw", "cup", "random", "--db", "none.db"), 1, "arena: no results at none.db; play a league first or use"),
    (("withdraw", "cup", "random", "--db", "notes"), 1, "arena: notes is not a results file (not SQLite); use another"),
]


def test_errors_are_one_line_and_change_nothing(arena: Any) -> None:
    arena(*CUP)
    arena("league", *THREE[:2], "--format", "knockout", "--turns", "6", "--opening-turns", "2", "--name", "cut")
    arena("play", "random", "greedy", "--turns", "4")
    arena("withdraw", "cup", "first_move")
    (arena.folder / "notes").write_text("my notes\n")
    with Store.read(arena.folder / "arena.db") as store:
        before = store.leagues()
    for words, code, line in MISTAKES:
        ran = arena(*words)
        assert ran.error.startswith(line)
        assert (words, ran.code) == (words, code)
    with Store.read(arena.folder / "arena.db") as store:
        assert store.leagues() == before
    assert (arena.folder / "notes").read_text() == "my notes\n"
    assert not (arena.folder / "none.db").exists()


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_games_stand_if_later_rounds_were_drawn_from_them(arena: Any, form: str) -> None:
    words = ("league", *THREE, "--format", form, "--turns", "6", "--opening-turns", "2", "--name", "cup")
    arena(*words)
    ran = arena("withdraw", "cup", "random")
    assert ran.out == "random has left cup; its games still count\n"
    assert rows(arena)["random"]["status"] == "withdrawn"
    assert arena(*words).code == 0
