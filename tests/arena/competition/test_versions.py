"""New versions of agents while a league is under way: it goes on with its copies until somebody replaces them."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.entrants.entrant import resolve
from arena.entrants.staging import stage
from arena.entrants.submissions import Submissions
from arena.errors import UnknownAgent
from results.store.store import Store

AGENT = """
from agents import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)[{index}]
"""
CUP = ("league", "my_bot", "random", "first_move", "--turns", "4", "--workers", "1", "--name", "cup")


@pytest.fixture
def submit(arena: Any) -> Any:
    """Keep a version of an agent without its check, which has tests of its own."""

    def add(index: int, name: str = "my_bot") -> None:
        file = arena.folder / f"{name}.py"
        file.write_text(AGENT.format(index=index))
        home = arena.folder / "home"
        copy = stage(file, home=home)
        Submissions(home).add(
            name, stage_hash=copy.hash, entry=file.name, needs=(), owner=None, about=None, date="", report={}
        )

    return add


def versions(arena: Any, league: str = "cup", name: str = "my_bot") -> list[str]:
    """The versions of an entrant in its games, in the order they were stored."""
    with Store.read(arena.folder / "arena.db") as store:
        return [
            player.version
            for record in store.records(league)
            for player in (record.first, record.second)
            if player.name == name
        ]


def rows(arena: Any) -> dict[str, Any]:
    return {row["agent"]: row for row in json.loads(arena("standings", "--format", "json").out)}


def test_a_league_goes_on_with_its_copies_and_a_replaced_agent_plays_its_new_version(arena: Any, submit: Any) -> None:
    submit(0)
    (arena.folder / "cup.toml").write_text('entrants = ["my_bot", "random"]\nturns = 4\n')
    file = ("league", "--config", "cup.toml", "--name", "cup", "--workers", "1")
    assert arena(*file).code == 0
    submit(-1)
    assert arena("extend", "cup", "--rounds", "1").out == "cup has 2 rounds now\n"
    ran = arena(*file)
    assert ran.code == 0, ran.err
    assert "cup goes on with version 1 of my_bot; to bring in version 2: arena replace cup my_bot\n" in ran.err
    assert "cup: 2 of 4 games were already stored\n" in ran.err
    assert versions(arena) == ["1"] * 4
    arena("extend", "cup", "--rounds", "1")
    ran = arena("replace", "cup", "my_bot", "--keep")
    assert ran.out == "my_bot goes on with version 2 in cup; its games still count\n"
    assert ran.err == "cup is not running; to play the new games: arena league --name cup\n"
    ran = arena(*file)
    assert ran.out.startswith("cup: 6 of 6 games\n")
    assert "goes on with version" not in ran.err
    assert versions(arena) == ["1"] * 4 + ["2"] * 2
    again = arena("replace", "cup", "my_bot")
    assert (again.code, again.out) == (2, "")
    assert again.err == "arena: my_bot already plays with this code in cup; submit or change it first\n"


def test_a_replaced_version_is_withdrawn_and_the_new_one_meets_everybody(arena: Any, submit: Any) -> None:
    submit(0)
    arena(*CUP)
    submit(-1)
    ran = arena("replace", "cup", "my_bot")
    assert ran.out == "my_bot@2 has replaced my_bot in cup; games of my_bot still count\n"
    assert arena(*CUP).out.startswith("cup: 10 of 10 games\n")
    found = rows(arena)
    assert (found["my_bot"]["status"], found["my_bot"]["why"]) == ("withdrawn", "replaced by my_bot@2")
    assert (found["my_bot@2"]["games"], set(versions(arena, name="my_bot@2"))) == (4, {"2"})
    # The first one again, named by its version, in place of the second.
    assert arena("replace", "cup", "my_bot@1").out.startswith("my_bot@1 has replaced my_bot@2 in cup; ")
    assert arena("withdraw", "cup", "my_bot@1").out == "my_bot@1 has left cup; its games do not count\n"


def test_the_name_of_an_entrant_that_was_replaced_stands_for_the_version_that_plays_now(
    arena: Any, submit: Any
) -> None:
    submit(0)
    (arena.folder / "cup.toml").write_text('entrants = ["my_bot", "random"]\nturns = 4\n')
    file = ("league", "--config", "cup.toml", "--name", "cup", "--workers", "1")
    arena(*file)
    submit(-1)
    assert arena("replace", "cup", "my_bot").code == 0
    again = arena("replace", "cup", "my_bot")
    assert again.err == "arena: my_bot@2 already plays with this code in cup; submit or change it first\n"
    submit(1)
    assert "goes on with version" not in arena(*file).err  # the entrant that the file names has left
    assert arena("replace", "cup", "my_bot@2").out.startswith("my_bot@3 has replaced my_bot@2 in cup; ")
    assert {name for name, row in rows(arena).items() if not row["status"]} == {"my_bot@3", "random"}


def test_an_entrant_that_has_left_comes_back_only_with_other_code(arena: Any, submit: Any) -> None:
    submit(0)
    arena(*CUP)
    arena("withdraw", "cup", "my_bot")
    refused = arena("replace", "cup", "my_bot")
    assert refused.err == "arena: my_bot has left cup with this code; submit or change it first\n"
    submit(-1)
    refused = arena("replace", "cup", "my_bot", "--keep")
    assert refused.err == ("arena: my_bot has left cup; without --keep its new version enters as a new entrant\n")
    assert arena("replace", "cup", "my_bot").out.startswith("my_bot@2 has replaced my_bot in cup; ")


def test_a_league_without_a_name_is_resumed_and_a_finished_one_is_not_played_again_with_an_old_version(
    arena: Any, submit: Any
) -> None:
    unnamed = CUP[:-2]
    submit(0)
    name = arena(*unnamed).out.partition(":")[0]
    arena("extend", name, "--rounds", "1")
    submit(-1)
    assert arena(*unnamed).out.startswith(f"{name}: 12 of 12 games\n")
    other = arena(*unnamed).out
    assert ": 6 of 6 games\n" in other
    assert not other.startswith(name)
    assert set(versions(arena, other.partition(":")[0])) == {"2"}


def test_a_changed_file_is_replaced_by_the_name_of_its_entrant(arena: Any) -> None:
    file = arena.folder / "student.py"
    file.write_text(AGENT.format(index=0))
    words = ("league", "./student.py", "random", "--turns", "4", "--workers", "1", "--name", "cup")
    arena(*words)
    file.write_text(AGENT.format(index=-1))
    refused = arena(*words)
    assert refused.code == 2
    assert refused.err.endswith("bring the new code in: arena replace cup student\n")
    assert arena("replace", "cup", "student", "--keep").out.startswith("student goes on with its new code in cup;")
    assert arena(*words).code == 0


def test_versions_meet_each_other_by_name(arena: Any, submit: Any) -> None:
    submit(0)
    submit(-1)
    home = arena.folder / "home"
    one, two = resolve("my_bot@1:depth=3", home=home), resolve("my_bot", home=home)
    assert (one.name, one.version, dict(one.options)) == ("my_bot@1:depth=3", "1", {"depth": 3})
    assert (two.name, two.version) == ("my_bot", "2")
    with pytest.raises(UnknownAgent, match="there is no version '3' of 'my_bot'; there are 1, 2"):
        resolve("my_bot@3", home=home)
    with pytest.raises(UnknownAgent, match="unknown agent 'nobody@1'"):
        resolve("nobody@1", home=home)


#: Words, and the start of the error. The league `cup` has two entrants of the same agent; `cut` is a knockout.
MISTAKES = [
    (("replace", "cup", "nobody"), "arena: no entrant of cup is a version of 'nobody'; there are my_bot"),
    (
        ("replace", "cup", "my_bot@1"),
        "arena: 'my_bot@1' can mean several entrants of cup; name one of my_bot, my_bot:d",
    ),
    (("replace", "cup", "random"), "arena: random already plays with this code in cup; submit or change it first"),
    (("replace", "cup", "my_bot:depth=2"), "arena: 'my_bot:depth=2' can mean several entrants of cup; name one of"),
    (("replace", "cup", "my_bot@1:depth=1", "--keep"), "arena: 'my_bot@1:depth=1' can mean several entrants of cup"),
    (("replace", "cut", "my_bot"), "arena: the knockout cut has begun; no agent can enter it any more; with"),
    (("replace", "play-1", "my_bot"), "arena: play-1 is not a league but a game or match of two; start a new one"),
    (("extend", "cup"), "arena: give --rounds for a league, or --games for a benchmark"),
    (("extend", "cup", "--games", "2"), "arena: cup is a league; give --rounds"),
    (("extend", "cut", "--rounds", "1"), "arena: cut is a knockout, which has one winner; start a new league"),
    (("extend", "play-1", "--games", "2"), "arena: play-1 cannot be extended: it is a single game, or its own test"),
    (("league", "--name", "nobody"), "arena: no league called 'nobody' in arena.db; the latest are play-1, cut"),
    (
        ("league", "--name", "play-1"),
        "arena: play-1 is a single game, not a league; give its command again, with --name play-1",
    ),
    (
        ("league", "--name", "cup", "--rounds", "5"),
        "arena: league 'cup' is stored with different settings: rounds was 1",
    ),
]


def test_mistakes_are_one_line_and_change_nothing(arena: Any, submit: Any) -> None:
    submit(0)
    arena("league", "my_bot", "my_bot:depth=1", "random", "--turns", "2", "--workers", "1", "--name", "cup")
    arena("league", "my_bot", "random", "--format", "knockout", "--turns", "2", "--workers", "1", "--name", "cut")
    arena("play", "my_bot", "random", "--turns", "2")
    submit(-1)
    with Store.read(arena.folder / "arena.db") as store:
        before = store.leagues()
    for words, line in MISTAKES:
        ran = arena(*words)
        assert ran.err.startswith(line), (words, ran.err)
        assert (ran.code, ran.out, ran.err.count("\n")) == (1 if "called" in line else 2, "", 1)
    with Store.read(arena.folder / "arena.db") as store:
        assert store.leagues() == before


def test_a_version_is_kept_while_a_league_runs(arena: Any, submit: Any) -> None:
    submit(0)
    process = arena.start("league", "my_bot", "random", "--rounds", "60", "--turns", "4", "--name", "cup", "--json")
    arena.next_line(process)
    submit(-1)
    assert arena("replace", "cup", "my_bot", "--keep").err == ""
    assert arena("extend", "cup", "--rounds", "1").err == ""
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert err.count("my_bot goes on with version 2\n") == 1
    assert err.count("cup has 61 rounds now; it had 60\n") == 1
    found = versions(arena)
    assert len(found) == 122
    assert set(found) == {"1", "2"}
    assert found == sorted(found) or found.index("2") > 0  # a running game may end after the first of the new version


def test_the_name_of_a_league_is_enough_to_go_on(arena: Any, tmp_path: Path) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--opening-turns", "2", "--suspend-after", "never",
          "--seed", "x", "--workers", "1", "--name", "cup")  # fmt: skip
    arena("enter", "cup", "greedy")
    ran = arena("league", "--name", "cup", "--workers", "1", "--json")
    assert ran.code == 0, ran.err
    *games, last = ran.json
    assert (len(games), last["games"]) == (4, 6)
    shown = arena("league", "--name", "cup", "--dry-run").out
    assert "opening-turns  2\n" in shown
    assert "suspend-after  never\n" in shown


def test_an_engine_of_the_file_is_not_started_to_replace_itself(arena: Any, faulty: Path) -> None:
    assert arena(*CUP[:1], "random", "first_move", *CUP[4:]).code == 0
    program = arena.folder / "engine.py"
    program.write_text((faulty / "json_engine.py").read_text())
    engine = f'json:command="/usr/bin/python3 {program}"'
    assert arena("enter", "cup", engine).code == 0
    program.write_text(program.read_text() + "\n")
    refused = arena("replace", "cup", "engine")
    assert refused.code == 2
    assert "names the program of 'engine'" in refused.error
    assert refused.error.endswith("add --trust-file")
    assert arena("replace", "cup", "engine", "--trust-file").code == 0
