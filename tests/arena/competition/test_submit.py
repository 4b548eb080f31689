"""Handing an agent in, and playing it by its name."""

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.entrants.entrant import resolve, resolve_all
from arena.entrants.submissions import Submissions, check_name
from arena.errors import BadSettings, UnknownAgent
from results.errors import StoreError

HONEST = """
from agents import BaseAgent

class Mine(BaseAgent):
    def __init__(self, name, color, depth=1):
        super().__init__(name, color)

    def act(self, state):
        return state.legal_moves[0]
"""
SPY = HONEST.replace("        return state", "        open('/etc/passwd')\n        return state")


def write(arena: Any, name: str, text: str) -> Path:
    path: Path = arena.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def listed(arena: Any) -> list[Any]:
    rows: list[Any] = json.loads(arena("agents", "--json").out)
    return [row for row in rows if row["kind"] == "submitted"]


def add(home: Path, name: str, *, stage_hash: str = "0" * 64, **changes: Any) -> Any:
    values: dict[str, Any] = {
        "entry": "my_bot.py", "needs": ("numpy",), "owner": None, "about": None, "date": "", "report": {},
    }  # fmt: skip
    return Submissions(home).add(name, stage_hash=stage_hash, **values | changes)


def test_a_submitted_agent_plays_by_its_name(arena: Any) -> None:
    write(arena, "My_Bot.py", HONEST)
    ran = arena("submit", "My_Bot.py", "--owner", "Ada", "--about", "plays the first move")
    assert ran.code == 0
    assert "start-up   " in ran.out
    assert "against itself: " in ran.out
    assert "against random, as second: " in ran.out
    assert ran.out.endswith("verdict    passed: it broke no rule\nsubmitted  my_bot, version 1\n")
    league = ("league", "my_bot:depth=3", "random", "--turns", "4", "--workers", "1", "--json")
    *games, _ = arena(*league).json  # two workers may end the second game first: then that is record 1
    assert [game["fault"] for game in games] == [None, None]
    shown = json.loads(arena("show", "1", "--format", "json").out)["entrants"]["first"]
    assert (shown["name"], shown["version"], shown["options"]) == ("my_bot:depth=3", "1", {"depth": 3})
    (row,) = listed(arena)
    assert shown["hash"] == row["hash"]
    assert (row["name"], row["owner"], row["about"]) == ("my_bot", "Ada", "plays the first move")
    assert row["report"]["passed"]


def test_the_same_name_again_is_a_new_version_and_records_keep_their_hash(arena: Any) -> None:
    file = write(arena, "my_bot.py", HONEST)
    arena("submit", "my_bot.py")
    arena("play", "my_bot", "random", "--turns", "4")
    file.write_text(HONEST + "# better\n")
    assert arena("submit", "my_bot.py", "--owner", "Ada").out.endswith("submitted  my_bot, version 2\n")
    arena("play", "my_bot", "random", "--turns", "4")
    first, second = (
        json.loads(arena("show", number, "--format", "json").out)["entrants"]["first"] for number in ("1", "2")
    )
    assert (first["version"], second["version"]) == ("1", "2")
    assert first["hash"] != second["hash"] == listed(arena)[0]["hash"]
    table = arena("agents").out
    assert second["hash"][:12] in table
    assert first["hash"][:12] not in table


def test_an_agent_that_breaks_a_rule_is_refused_with_the_reason(arena: Any) -> None:
    write(arena, "spy.py", SPY)
    ran = arena("submit", "spy.py")
    assert ran.code == 1
    assert ran.err == "Error: spy is not submitted\n"
    assert ran.out.count("it breaks the rule `file`: it tried to open /etc/passwd for reading in its 1st move") == 1
    assert "game       against itself: 0-1, spy faulted: file" in ran.out
    assert listed(arena) == []
    assert "unknown agent 'spy'" in arena("play", "spy", "random").err


def test_a_refused_version_leaves_the_earlier_one_in_place(arena: Any) -> None:
    file = write(arena, "my_bot.py", HONEST)
    arena("submit", "my_bot.py")
    file.write_text(SPY)
    report = json.loads(arena("submit", "my_bot.py", "--json").out)
    assert (report["version"], report["passed"]) == (None, False)
    assert listed(arena)[0]["version"] == 1
    assert arena("play", "my_bot", "random", "--turns", "4").code == 0


def test_a_folder_is_submitted_with_all_it_holds(arena: Any) -> None:
    write(arena, "team/weights.txt", "7\n")
    write(
        arena,
        "team/__init__.py",
        "from pathlib import Path\n" + HONEST + "weights = int((Path(__file__).parent / 'weights.txt').read_text())\n",
    )
    ran = arena("submit", "team", "--name", "my-team", "--needs", "numpy")
    assert ran.code == 0, ran.out + ran.err
    (row,) = listed(arena)
    assert (row["name"], row["entry"], row["needs"]) == ("my-team", "team/__init__.py", ["numpy"])
    assert arena("play", "my-team", "random", "--turns", "4", "--json").json[0]["fault"] is None


def test_of_several_agents_in_a_file_one_is_named(arena: Any, faulty: Path) -> None:
    unnamed = arena("submit", str(faulty / "two_agents.py"))
    assert unnamed.code == 1
    assert "several agent classes" in unnamed.out
    write(arena, "two.py", HONEST + HONEST.replace("Mine", "Other"))
    assert arena("submit", "two.py:Other").code == 0
    assert listed(arena)[0]["entry"] == "two.py:Other"


def test_submitting_and_listing_run_no_agent_outside_the_sandbox(arena: Any) -> None:
    marker = arena.folder / "marker"
    write(arena, "trap/__init__.py", f"open({str(marker)!r}, 'w').write('I ran')\n{HONEST}")
    assert arena("submit", "trap").code == 1
    assert arena("check", "./trap/").code == 1
    assert arena("agents").code == 0
    assert not marker.exists()
    write(arena, "trap/__init__.py", f"try:\n    open({str(marker)!r}, 'w')\nexcept OSError:\n    pass\n{HONEST}")
    refused = arena("submit", "trap")
    assert "rule `file`" in refused.out
    assert not marker.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.py"], "no file or folder 'nowhere.py'"),
        (["notes.txt"], "is not a Python file"),
        (["random"], "'random' is a bundled agent and can play without a submission; submit a file or a folder"),
        (["my_bot.py:depth=3"], "submit the file without options"),
        (["my_bot.py:not-a-class"], "is not the name of a class"),
        (["my_bot.py", "--name", "random"], "is the name of a bundled agent or engine"),
        (["my_bot.py", "--name", "uci"], "is the name of a bundled agent or engine"),
        (["my_bot.py", "--name", "My_Bot"], "cannot be the name of a submission"),
        (["my_bot.py", "--name", "../x"], "cannot be the name of a submission"),
        (["my_bot.py", "--name", "x" * 33], "cannot be the name of a submission"),
        (["my bot.py"], "'my bot' cannot be the name of a submission"),
        (["my_bot.py", "--needs", "tensorflow"], "tensorflow"),
        (["my_bot.py", "--game", "checkers"], "no game called 'checkers'"),
        ([], "name a file or a folder"),
    ],
)
def test_a_mistake_gets_clear_words_and_exit_2(arena: Any, words: list[str], says: str) -> None:
    for name in ("my_bot.py", "my bot.py", "notes.txt"):
        write(arena, name, HONEST)
    ran = arena("submit", *words)
    assert ran.code == 2
    assert says in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("damage", ["gone", "changed"])
def test_a_stage_that_is_gone_or_changed_is_not_played(arena: Any, damage: str) -> None:
    write(arena, "my_bot.py", HONEST)
    arena("submit", "my_bot.py")
    (copy,) = (arena.folder / "home" / "stages").glob("*/my_bot.py")
    if damage == "gone":
        copy.unlink()
    else:
        copy.chmod(0o644)
        copy.write_text(SPY)
    ran = arena("play", "my_bot", "random")
    assert ran.code == 2
    assert ran.err == "arena: the files of 'my_bot' (version 1) are missing or changed; submit it again\n"


def test_a_name_close_to_a_submitted_one_is_suggested(arena: Any) -> None:
    add(arena.folder / "home", "my_bot")
    assert "did you mean 'my_bot'?" in arena("play", "my_bat", "random").err
    assert "write options as my_bot:key=value" in arena("play", "my_bot:Class", "random").err


def test_notes_are_json_and_never_pickles(tmp_path: Path) -> None:
    add(tmp_path, "my_bot")
    with sqlite3.connect(tmp_path / "submissions.db") as database:
        ((name, value),) = database.execute("SELECT key, value FROM submissions").fetchall()
    database.close()
    assert name == "my_bot"
    assert json.loads(value)[0]["version"] == 1


def test_nothing_is_created_by_looking(tmp_path: Path) -> None:
    submissions = Submissions(tmp_path / "home")
    assert submissions.latest("my_bot") is None
    assert submissions.all_latest() == []
    assert not (tmp_path / "home").exists()


def test_a_new_version_keeps_owner_and_description_unless_told_otherwise(tmp_path: Path) -> None:
    add(tmp_path, "my_bot", owner="Ada", about="captures")
    kept = add(tmp_path, "my_bot", stage_hash="1" * 64)
    assert (kept.version, kept.owner, kept.about) == (2, "Ada", "captures")
    told = add(tmp_path, "my_bot", stage_hash="2" * 64, owner="Bob", about="")
    assert (told.version, told.owner, told.about) == (3, "Bob", "")


def test_the_same_agent_again_is_the_same_version(tmp_path: Path) -> None:
    add(tmp_path, "my_bot", owner="Ada", date="monday")
    again = add(tmp_path, "my_bot", about="captures", date="tuesday")
    assert (again.version, again.owner, again.about, again.date) == (1, "Ada", "captures", "monday")
    assert Submissions(tmp_path).latest("my_bot") == again
    assert Submissions(tmp_path).versions("my_bot") == [again]
    assert add(tmp_path, "my_bot", entry="my_bot.py:Other").version == 2
    assert add(tmp_path, "my_bot", needs=()).version == 3
    assert add(tmp_path, "other").version == 1


def test_who_submits_a_submitted_name_is_told_to_name_its_file(arena: Any) -> None:
    add(arena.folder / "home", "my_bot")
    ran = arena("submit", "my_bot@1")
    assert (ran.code, ran.err) == (
        2, "arena: 'my_bot' is submitted already (version 1); for a new version name its file\n"
    )  # fmt: skip


def test_who_submits_the_same_agent_again_is_told(arena: Any) -> None:
    write(arena, "my_bot.py", HONEST)
    arena("submit", "my_bot.py", "--owner", "Ada", "--about", "captures")
    assert arena("submit", "my_bot.py").out.endswith("submitted  my_bot, version 1 (no change: it is the same agent)\n")
    (row,) = listed(arena)
    assert (row["version"], row["owner"], row["about"]) == (1, "Ada", "captures")


def test_notes_that_cannot_be_read_are_mended_by_submitting_again(tmp_path: Path) -> None:
    add(tmp_path, "my_bot")
    with sqlite3.connect(tmp_path / "submissions.db") as database:
        database.execute("UPDATE submissions SET value = ?", (json.dumps([{"name": "my_bot"}]),))
    database.close()
    assert add(tmp_path, "my_bot") == Submissions(tmp_path).latest("my_bot")


def test_two_who_submit_the_same_name_at_once_get_two_versions(tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=add, args=(tmp_path, "my_bot"), kwargs={"stage_hash": f"{number:064}"})
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    latest = Submissions(tmp_path).latest("my_bot")
    assert latest is not None
    assert latest.version == 8


def test_a_file_that_holds_no_notes_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "submissions.db").write_text("my notes\n" * 1000)
    with pytest.raises(StoreError, match=r"submissions\.db"):
        Submissions(tmp_path).latest("my_bot")
    assert (tmp_path / "submissions.db").read_text() == "my notes\n" * 1000


def test_notes_of_another_shape_are_named(tmp_path: Path) -> None:
    add(tmp_path, "my_bot")
    with sqlite3.connect(tmp_path / "submissions.db") as database:
        database.execute("UPDATE submissions SET value = ?", (json.dumps([{"name": "my_bot"}]),))
    database.close()
    with pytest.raises(StoreError, match="the notes on 'my_bot' cannot be read"):
        Submissions(tmp_path).latest("my_bot")


@pytest.mark.parametrize("name", ["a", "0", "my-bot_2", "x" * 32])
def test_names_that_may_be_submitted(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", "-a", "_a", "A", "a.b", "a b", "Ä", "a\n", "x" * 33, "random", "human", "gtp"])
def test_names_that_may_not(name: str) -> None:
    with pytest.raises(BadSettings):
        check_name(name)


def test_needs_of_a_submission_and_of_an_entrant_add_up(arena: Any) -> None:
    home = arena.folder / "home"
    write(arena, "my_bot.py", HONEST)
    arena("submit", "my_bot.py", "--needs", "numpy")
    assert resolve("my_bot:needs=torch,memory=2G", home=home).grants.needs == ("numpy", "torch")
    names = [entrant.name for entrant in resolve_all(["my_bot", "my_bot", "my_bot:depth=2"], home=home)]
    assert names == ["my_bot", "my_bot#2", "my_bot:depth=2"]


def test_a_stage_without_notes_is_no_submission(tmp_path: Path) -> None:
    add(tmp_path, "my_bot", stage_hash="f" * 64)
    with pytest.raises(UnknownAgent, match="missing or changed"):
        resolve("my_bot", home=tmp_path)
