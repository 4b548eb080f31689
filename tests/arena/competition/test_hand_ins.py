"""Many hand-ins, their list and their removal; stages that nothing names; homes of several courses."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from arena.cli.text import wrapped_table
from arena.competition.stages import remember_results, remove_unused, unused_stages
from arena.entrants.staging import stage
from arena.entrants.submissions import Submissions
from arena.errors import BadSettings, UnknownAgent
from results.errors import Locked
from results.record import EntrantRecord
from results.store.store import Store
from results.text import display_width

AGENT = """
from agents import BaseAgent

class Mine(BaseAgent):
    def act(self, state):
        return list(state.legal_moves)[{index}]
"""


def keep(home: Path, index: int, name: str = "my_bot", owner: str | None = None) -> str:
    """Keep a version without its check; returns the hash of its stage."""
    file = home.parent / f"{name}.py"
    file.write_text(AGENT.format(index=index))
    copy = stage(file, home=home)
    Submissions(home).add(
        name, stage_hash=copy.hash, entry=file.name, needs=(), owner=owner, about=None, date=f"2026-05-0{index + 1}",
        report={},
    )  # fmt: skip
    return copy.hash


def age(home: Path) -> None:
    for path in (home / "stages").iterdir():
        os.utime(path, (0, 0))


def test_two_courses_with_homes_of_their_own_do_not_collide(arena: Any) -> None:
    for course in ("one", "two"):
        (arena.folder / course).mkdir()
        (arena.folder / course / "my_bot.py").write_text(AGENT.format(index=len(course) - 3))
        ran = arena("submit", f"{course}/my_bot.py", "--owner", course, "--home", f"{course}/home")
        assert ran.out.endswith("submitted  my_bot, version 1\n")
    listed = [json.loads(arena("submissions", "--home", f"{course}/home", "--json").out) for course in ("one", "two")]
    assert [[one["owner"] for one in found["submissions"]] for found in listed] == [["one"], ["two"]]
    assert arena("submissions").err == f"nothing is submitted in {arena.folder / 'home'} yet\n"
    assert arena("play", "my_bot", "random", "--turns", "2", "--home", "one/home").code == 0
    assert "unknown agent 'my_bot'" in arena("play", "my_bot", "random", "--turns", "2").err


def test_versions_are_listed_and_removed_after_a_question(arena: Any) -> None:
    home = arena.folder / "home"
    hashes = [keep(home, index, owner="=Ada") for index in range(3)]
    listed = arena("submissions").out.splitlines()[2:]
    assert [line.split()[:2] for line in listed] == [["my_bot", str(number)] for number in (1, 2, 3)]
    assert [line.split()[-2] for line in listed] == [digest[:12] for digest in hashes]
    assert arena("submissions", "remove", "my_bot@2", typed="n\n").code == 130
    assert arena("submissions", "remove", "my_bot@2", typed="y\n").out == "removed my_bot@2\n"
    assert [one.version for one in Submissions(home).versions("my_bot")] == [1, 3]
    keep(home, 3)
    assert [one.version for one in Submissions(home).versions("my_bot")] == [1, 3, 4]
    assert "'=Ada,3," in arena("submissions", "gradebook").out  # no formula in a spreadsheet
    assert arena("submissions", "remove", "my_bot", "--yes").out == "removed my_bot@1, my_bot@3, my_bot@4\n"
    for words, line in (
        (("remove", "my_bot", "--yes"), "arena: nothing is submitted as 'my_bot'; `arena submissions` lists names\n"),
        (("gradebook", "--league", "cup"), "arena: no results at arena.db; play a league first or use another file\n"),
    ):
        assert arena("submissions", *words).err == line


def test_a_failed_check_is_noted_until_a_version_passes(tmp_path: Path) -> None:
    submissions = Submissions(tmp_path / "home")
    assert submissions.failures() == {}
    submissions.fail("my_bot", owner="Ada", why="it raised", date="")
    keep(tmp_path / "home", 0, name="other")
    assert {name: (one.owner, one.why) for name, one in submissions.failures().items()} == {
        "my_bot": ("Ada", "it raised")
    }
    keep(tmp_path / "home", 0)
    assert submissions.failures() == {}


def test_a_stage_is_removed_only_when_nothing_names_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    version, league, record, free = (keep(home, index) for index in range(4))
    Submissions(home).remove("my_bot")
    keep(home, 0)  # the version
    for name, digest in (("a.db", league), ("b.db", record)):
        with Store.open(tmp_path / name, create=True) as store:
            entrants = [EntrantRecord(seat, seat, "1", digest, {}) for seat in ("one", "two")]
            store.create_league("cup", kind="league", settings={}, secret="", entrants=entrants)
        remember_results(home, tmp_path / name)
        remember_results(home, tmp_path / name)
    assert unused_stages(home, []).stages == ()  # they are all young
    age(home)
    remember_results(home, tmp_path / "gone.db")
    unused = unused_stages(home, [tmp_path / "a.db"])
    assert [path.name for path in unused.stages] == [free]
    assert unused.looked_at == (tmp_path / "a.db", tmp_path / "b.db")
    assert unused.missing == (tmp_path / "gone.db",)
    assert remove_unused(unused) == len(AGENT.format(index=3))
    assert {path.name for path in (home / "stages").iterdir()} == {version, league, record}


def test_nothing_is_cleaned_while_a_league_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "a.db", create=True) as store:
        entrants = [EntrantRecord(seat, seat, "1", "h", {}) for seat in ("one", "two")]
        store.create_league("cup", kind="league", settings={}, secret="", entrants=entrants)
        monkeypatch.setattr("arena.competition.stages.is_alive", lambda pid, began: True)
        store.claim("cup", pid=1, began="1", is_alive=lambda pid, began: False)
    with pytest.raises(Locked, match=r"cup in .*a\.db is running; wait for it"):
        unused_stages(tmp_path / "home", [tmp_path / "a.db"])


def test_a_used_stage_counts_as_young_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    keep(home, 0)
    age(home)
    stage(tmp_path / "my_bot.py", home=home)
    Submissions(home).remove("my_bot")
    assert unused_stages(home, []).stages == ()


def test_clean_says_what_it_looked_at(arena: Any) -> None:
    home = arena.folder / "home"
    keep(home, 0)
    arena("play", "my_bot", "random", "--turns", "2")
    keep(home, 1)
    Submissions(home).remove("my_bot")
    age(home)
    ran = arena("submissions", "clean", typed="y\n")
    assert ran.out == "removed 1 copy, 0.0 MB\n"
    assert f"looked at {arena.folder / 'arena.db'}\n" in ran.err
    assert arena("rerun", "1").code == 0  # its agent is still there


#: Arguments of `arena submit`, and the error.
MISTAKES = [
    ((), "arena: name a file or a folder, or several; or a folder of them with --all\n"),
    (("--all", "nowhere"), "arena: there is no folder 'nowhere'\n"),
    (
        ("a.py", "b.py", "--name", "x"),
        "arena: --name, --owner and --about are for a single agent; for several there is",
    ),
    (("--all", ".", "--owners", "bad.csv"), "arena: 'bad.csv' must be a CSV file with the columns name and owner in"),
    (("--all", ".", "--owners", "empty.csv"), "arena: 'empty.csv' must be a CSV file with the columns name and owner"),
]


@pytest.mark.parametrize(("words", "line"), MISTAKES)
def test_a_mistake_is_one_line(arena: Any, words: tuple[str, ...], line: str) -> None:
    for name in ("a.py", "b.py", "bad.csv"):
        (arena.folder / name).write_text("who;what\n1;2\n")
    (arena.folder / "empty.csv").touch()
    ran = arena("submit", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(line)


def test_what_cannot_be_staged_is_a_line_of_the_table(arena: Any) -> None:
    (arena.folder / "in").mkdir()
    for name in ("My Bot.py", "random.py"):
        (arena.folder / "in" / name).write_text(AGENT.format(index=0))
    (arena.folder / "in" / "empty").mkdir()
    (arena.folder / "in" / "_helper.py").write_text("")
    ran = arena("submit", "--all", "in", "in/nowhere.py", "--json")
    assert ran.code == 1
    found = {one["source"]: one for one in json.loads(ran.out)}
    assert set(found) == {"in/My Bot.py", "in/random.py", "in/nowhere.py"}
    assert found["in/nowhere.py"]["why_not"] == "no file or folder 'in/nowhere.py'"
    assert "is the name of a bundled agent" in found["in/random.py"]["why_not"]
    assert all(one["version"] is None for one in found.values())


def test_a_class_is_told_who_has_no_owner_who_is_missing_and_which_files_are_no_agents(arena: Any) -> None:
    folder = arena.folder / "in"
    (folder / "empty").mkdir(parents=True)
    for name in ("b.py", "Ada.py", "c d.py", "slides.zip", ".hidden.zip"):
        (folder / name).write_text(AGENT.format(index=0))
    (arena.folder / "owners.csv").write_text("name,owner\nAda.py,Ada Lovelace\nzoe,Zoe\n")
    ran = arena("submit", "--all", "in", "--owners", "owners.csv", "--game", "microchess:turns=2")
    rows = ran.out.splitlines()[2:5]
    assert [row.split()[0] for row in rows] == ["ada", "b", "c"]  # whatever the case of the names
    assert rows[2].endswith("with a letter or digit first; for example c_d")
    assert sorted(line.split("  ")[-1] for line in ran.err.splitlines()[:3]) == [
        "ada: passed",
        "b: passed",
        "c d: failed",
    ]
    assert [line.split()[0] for line in ran.err.splitlines()[:3]] == ["1/3", "2/3", "3/3"]
    assert "has the same code as" in ran.err.splitlines()[3]
    assert ran.err.splitlines()[4:] == [
        "left out, neither a Python file nor a folder with one: empty, slides.zip",
        "no owner is listed for b, c d",
        "listed with an owner, but not handed in: zoe",
    ]
    assert [one["owner"] for one in json.loads(arena("submissions", "--json").out)["submissions"]] == [
        "Ada Lovelace",
        "",
    ]
    one = arena("submit", "in/Ada.py", "--owners", "owners.csv", "--game", "microchess:turns=2")
    assert "zoe" not in one.err  # it is not the whole class


def test_a_table_with_reasons_fits_into_the_terminal() -> None:
    rows = [("봇", "passed"), ("ada", "failed: it breaks the rule `time`: it gave no answer for 20 s in its 1st move")]
    lines = wrapped_table(rows, ["name", "check"], width=50).splitlines()
    assert max(map(display_width, lines)) <= 50
    assert lines[2:] == [
        "봇      passed",
        "ada     failed: it breaks the rule `time`: it gave",
        "        no answer for 20 s in its 1st move",
    ]
    assert len(wrapped_table(rows, ["name", "check"], width=None).splitlines()) == 4


def test_an_interrupted_class_is_told_how_far_it_was(arena: Any) -> None:
    (arena.folder / "in").mkdir()
    (arena.folder / "in" / "a.py").write_text(AGENT.format(index=0))
    (arena.folder / "in" / "hangs.py").write_text(AGENT.format(index=0).replace("return", "while True: pass; "))
    process = arena.start("submit", "--all", "in", "--game", "microchess:turns=2")
    assert process.stderr.readline() == "1/2  a: passed\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err == "interrupted: 1 of 2 are submitted; give the same command again\n"


def test_the_names_alone_are_the_words_of_a_league(arena: Any) -> None:
    home = arena.folder / "home"
    for index, name in ((0, "ada"), (1, "ada"), (2, "bob")):
        keep(home, index, name=name)
    names = arena("submissions", "--names").out
    assert names == "ada\nbob\n"
    assert arena("league", *names.split(), "--dry-run").code == 0


def test_who_was_checked_on_another_game_is_pointed_out_once(arena: Any) -> None:
    home = arena.folder / "home"
    keep(home, 0)
    Submissions(home).add(
        "othello_bot", stage_hash=keep(home, 1, name="x"), entry="x.py", needs=(), owner=None, about=None,
        date="2026-05-03", report={"game": "othello"},
    )  # fmt: skip
    cup = ("league", "my_bot", "othello_bot", "--turns", "2", "--name", "cup", "--workers", "1")
    said = "othello_bot was checked on othello, not on microchess; `arena check` with --game tries it\n"
    assert arena(*cup).err.count(said) == 1
    assert said not in arena(*cup).err
    assert said.replace("bot ", "bot#2 ", 1) in arena("enter", "cup", "othello_bot").err


def test_an_impossible_name_or_version_is_refused(tmp_path: Path) -> None:
    keep(tmp_path / "home", 0)
    with pytest.raises(UnknownAgent, match="there is no version 'x' of 'my_bot'; there are 1"):
        Submissions(tmp_path / "home").version("my_bot", "x")
    with pytest.raises(BadSettings):
        Submissions(tmp_path / "home").add(
            "my_bot@1", stage_hash="", entry="", needs=(), owner=None, about=None, date="", report={}
        )
