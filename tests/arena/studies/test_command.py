"""`arena study` with real games: run, interrupted, continued."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from results.store.store import Store

IsGone = Callable[[Path], bool]

HEAD = """
title = "Tiny"
question = "Is greedy better?"
claim = "It is."
game = "microchess:turns=12"
opening-turns = 2
time = 20
"""


def league(name: str, label: str, entrants: list[str], *, rounds: int, short: int) -> str:
    """A part that is a league, with its rounds in the full and in the short form."""
    names = json.dumps(entrants)
    return f"""
[[parts]]
name = "{name}"
label = "{label}"
rounds = {rounds}
entrants = {names}
short = {{ rounds = {short} }}
"""


MATCH = league("match", "greedy against random", ["greedy", "random"], rounds=20, short=2)
THREE = league("three", "three of them", ["uct:simulations=20", "alphabeta:depth=1", "random"], rounds=2, short=1)
GROWTH = """
[[parts]]
name = "growth"
label = "positions"
module = "agents.microchess_growth"
arguments = ["--depth", 3]
short = { arguments = ["--depth", 2] }
"""
TINY = HEAD + MATCH + THREE + GROWTH
#: Runs the study in this folder and kills itself when the fifth game is stored.
KILLS_ITSELF = """
import os, signal
from arena.competition.events import GameStored
from arena.studies.run import RunOptions, run
from arena.studies.study import load

def stop(event):
    if isinstance(event, GameStored) and event.done == 5:
        os.kill(os.getpid(), signal.SIGKILL)

run(load("tiny.toml"), RunOptions(workers=1), on_event=stop)
"""
#: Seconds after which a test that waits has failed: a guard against waiting for ever.
GUARD_SECONDS = 300.0


@pytest.fixture
def tiny(arena: Any) -> Callable[..., tuple[str, ...]]:
    """Write a study with this text; return the arguments that run it."""

    def write(text: str = TINY, *words: str) -> tuple[str, ...]:
        (arena.folder / "tiny.toml").write_text(text)
        return ("study", "tiny.toml", "--workers", "1", *words)

    return write


def read_until(process: subprocess.Popen[str], wanted: str) -> str:
    """Read stderr of a process until it contains a text."""
    assert process.stderr is not None
    text, deadline = "", time.monotonic() + GUARD_SECONDS
    while wanted not in text:
        ready, _, _ = select.select([process.stderr], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{wanted!r} is missing: {text}"
        read = os.read(process.stderr.fileno(), 1 << 16).decode()
        assert read, f"{wanted!r} is missing: {text}"
        text += read
    return text


@pytest.fixture
def measuring(processes: Any) -> Callable[[Path], list[Any]]:
    """The processes that measure something in a folder."""
    return lambda folder: [found for found in processes.within(folder) if "agents.microchess_growth" in found.command]


def keys(database: Path, league: str) -> list[str]:
    with Store.open(database, create=False) as store:
        return sorted(record.key for record in store.records(league))


def test_a_short_study_plays_measures_and_writes_a_report(arena: Any, tiny: Any) -> None:
    ran = arena(*tiny(TINY, "--short"))
    assert ran.code == 0, ran.err
    written = {path.name for path in (arena.folder / "studies").iterdir()}
    assert written == {"tiny-short.html", "tiny-short.md", "tiny-short.json", "tiny.measures.json"}
    assert ran.out == (arena.folder / "studies" / "tiny-short.md").read_text()
    found = json.loads((arena.folder / "studies" / "tiny-short.json").read_text())
    assert found["command"] == "arena study tiny.toml --short"
    assert ran.err.startswith("tiny-short: 10 games and 1 measure in 3 parts\n")
    match, three, growth = found["parts"]
    assert match["matches"][0]["games"] == 4
    assert [entry["games"] for entry in three["matches"]] == [2, 2, 2]
    assert [row[:2] for row in growth["rows"]] == [[1, 12], [2, 110]]
    page = (arena.folder / "studies" / "tiny-short.html").read_text()
    assert "<h1>Tiny</h1>" in page
    assert ran.err.splitlines()[-1] == "written to studies/tiny-short.html, .md and .json"
    assert "3/4  " in ran.err


def test_with_json_stdout_is_one_object(arena: Any, tiny: Any) -> None:
    ran = arena(*tiny(HEAD + MATCH, "--short", "--json", "--out", "deep/er", "--db", "other.db", "--name", "mine"))
    (found,) = ran.json
    assert found["parts"][0]["league"] == "mine-match"
    assert (arena.folder / "deep" / "er" / "mine.html").exists()
    assert keys(arena.folder / "other.db", "mine-match") == ["1:1-2", "1:2-1", "2:1-2", "2:2-1"]


def test_the_command_in_the_report_has_every_option_that_changes_the_results(arena: Any, tiny: Any) -> None:
    settings = ["--clock", "wall", "--memory=512M", "--needs", "numpy", "--trust-agents"]
    options = ["--short", "--name", "an other", *settings]
    (found,) = arena(*tiny(HEAD + MATCH, *options, "--json", "--out", "there", "--db", "other.db")).json
    assert found["command"] == (
        "arena study tiny.toml --short --name 'an other' --clock wall --memory 512M --needs numpy --trust-agents"
    )


def test_a_run_with_another_name_does_not_overwrite_the_report_of_the_study(arena: Any, tiny: Any) -> None:
    arena(*tiny(HEAD + GROWTH, "--short"))
    before = {path.name: path.read_bytes() for path in (arena.folder / "studies").iterdir()}
    ran = arena(*tiny(HEAD + GROWTH, "--short", "--name", "other"))
    assert ran.code == 0, ran.err
    after = {path.name: path.read_bytes() for path in (arena.folder / "studies").iterdir()}
    assert after.keys() - before.keys() == {"other.html", "other.md", "other.json", "other.measures.json"}
    assert before.items() <= after.items()
    assert ran.err.splitlines()[-1] == "written to studies/other.html, .md and .json"


@pytest.mark.parametrize("name", ["a/b", "x" * 201])
def test_a_name_that_is_not_a_file_name_is_refused_before_the_first_game(arena: Any, tiny: Any, name: str) -> None:
    ran = arena(*tiny(TINY, "--name", name))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: the report files are called after the name: it must not contain '/' and ")
    assert ran.err.count("\n") == 1
    assert not (arena.folder / "arena.db").exists()


def test_a_module_beside_the_study_is_found_and_measured_every_time(arena: Any) -> None:
    folder = arena.folder / "mine"
    folder.mkdir()
    (folder / "own.toml").write_text(HEAD + GROWTH.replace("agents.microchess_growth", "beside"))
    for number in (1, 2):
        # The files differ in size: within one second, Python's bytecode cache notices a change only by that.
        table = {"columns": ["number"], "rows": [[10**number]]}
        (folder / "beside.py").write_text(f"import json\nprint(json.dumps({table}))\n")
        ran = arena("study", "mine/own.toml", "--short", "--json", "--trust-modules")
        assert ran.code == 0, ran.err
        assert ran.json[0]["parts"][0]["rows"] == [[10**number]]
        assert "kept from an earlier run" not in ran.err


def test_a_missing_study_file_is_reported(arena: Any) -> None:
    ran = arena("study", "/nonexistent.toml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arena: no study file '/nonexistent.toml': there is no such file\n"


def test_a_killed_study_continues_where_it_stopped(arena: Any, tiny: Any, is_gone: IsGone) -> None:
    words = tiny()
    ran = subprocess.run(
        [sys.executable, "-P", "-c", KILLS_ITSELF], cwd=arena.folder, env=arena.environment, check=False
    )
    assert ran.returncode == -signal.SIGKILL
    assert is_gone(arena.folder)
    before = keys(arena.folder / "arena.db", "study-tiny-match")
    assert len(before) == 5
    assert not (arena.folder / "studies" / "tiny.html").exists()
    ran = arena(*words)
    assert ran.code == 0, ran.err
    assert "study-tiny-match: 5 of 40 games were already stored" in ran.err
    after = keys(arena.folder / "arena.db", "study-tiny-match")
    assert len(after) == len(set(after)) == 40
    assert set(before) < set(after)
    assert (arena.folder / "studies" / "tiny.html").exists()


def test_an_interrupted_study_says_how_to_continue(arena: Any, tiny: Any, is_gone: IsGone) -> None:
    process = arena.start(*tiny(TINY.replace("rounds = 20", "rounds = 2000")))  # too many to end before the signal
    read_until(process, " 2/4000  ")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 130
    assert err.endswith("of 4000 games are stored; the same command continues\n")
    assert is_gone(arena.folder)


def test_a_finished_study_does_not_play_or_measure_again(arena: Any, tiny: Any) -> None:
    words = tiny(HEAD + MATCH + GROWTH, "--short")
    arena(*words)
    kept = arena.folder / "studies" / "tiny.measures.json"
    kept.write_text(kept.read_text().replace("110", "777"))
    ran = arena(*words, "--json")
    assert ran.json[0]["parts"][1]["rows"][1][1] == 777
    assert "1/4" not in ran.err
    assert "4 of 4 games were already stored" in ran.err
    assert "kept from an earlier run: positions\n" in ran.err


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"a": 1}', "\x00"])
def test_a_broken_measures_file_is_replaced(arena: Any, tiny: Any, broken: str) -> None:
    (arena.folder / "studies").mkdir()
    kept = arena.folder / "studies" / "tiny.measures.json"
    kept.write_text(broken)
    ran = arena(*tiny(HEAD + GROWTH, "--short", "--json"))
    assert ran.json[0]["parts"][0]["rows"][1][1] == 110
    assert len(json.loads(kept.read_text())) >= 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_measure_ends_with_the_study(
    arena: Any, tiny: Any, processes: Any, measuring: Callable[[Path], list[Any]], number: signal.Signals
) -> None:
    process = arena.start(*tiny(HEAD + GROWTH.replace("3]", "9]")))
    read_until(process, "part 1 of 1: positions")
    assert processes.until(lambda: measuring(arena.folder))
    process.send_signal(number)
    _, err = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    if number != signal.SIGKILL:
        assert err == "interrupted: all games before this measure are stored; the same command continues\n"
    assert processes.until(lambda: not measuring(arena.folder))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('["--depth", 77]', "--depth 77 failed: agents.microchess_growth: error: argument"),
        ('["--deep", 3]', "--deep 3 failed: agents.microchess_growth: error: unrecognized"),
        ('["--help"]', "--help printed no table: the output is not JSON; it begins with 'usage: "),
    ],
)
def test_a_failing_measure_is_one_line_and_exit_1(arena: Any, tiny: Any, arguments: str, message: str) -> None:
    ran = arena(*tiny(HEAD + GROWTH.replace('["--depth", 3]', arguments)))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[-1].startswith(f"arena: agents.microchess_growth {message}")
    assert ran.err.count("\n") == 3


def test_a_missing_module_is_one_line_and_exit_1(arena: Any, tiny: Any) -> None:
    ran = arena(*tiny(HEAD + GROWTH.replace("microchess_growth", "nothing")))
    assert ran.code == 1
    assert ran.err.splitlines()[-1].startswith("arena: ")
    assert ran.err.splitlines()[-1].endswith("No module named agents.nothing")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TINY.replace("rounds = 20", "ronds = 20"), "tiny.toml: part 1: unknown key 'ronds'; did you mean 'rounds'?"),
        (TINY.replace('"alphabeta:depth=1"', '"alphabet"'), "unknown agent 'alphabet'; did you mean 'alphabeta'?"),
        (TINY.replace('"greedy"', '"human"'), "greedy against random: a study cannot have human players"),
        (TINY.replace("microchess:turns=12", "checkers"), "no game called 'checkers'"),
    ],
)
def test_a_mistake_in_any_part_is_reported_before_the_first_game(
    arena: Any, tiny: Any, text: str, message: str
) -> None:
    ran = arena(*tiny(text))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (arena.folder / "arena.db").exists()


def test_the_error_for_an_unknown_study_suggests_the_nearest(arena: Any) -> None:
    ran = arena("study", "othelo-2")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arena: no study 'othelo-2'; did you mean 'othello-2'?\n"


def test_a_changed_study_is_not_mixed_with_the_stored_one(arena: Any, tiny: Any) -> None:
    arena(*tiny(HEAD + MATCH, "--short"))
    ran = arena(*tiny(HEAD.replace("turns=12", "turns=14") + MATCH, "--short"))
    assert ran.code == 2
    assert "league 'study-tiny-short-match' is stored with different settings: game was" in ran.err
    assert arena(*tiny(HEAD.replace("turns=12", "turns=14") + MATCH, "--short", "--name", "again")).code == 0


def test_a_folder_that_cannot_be_created_is_one_line_and_exit_1(arena: Any, tiny: Any) -> None:
    (arena.folder / "file").write_text("")
    ran = arena(*tiny(TINY, "--out", "file/studies"))
    assert ran.code == 1
    assert ran.err.startswith("arena: cannot write file/studies: ")
    assert ran.err.count("\n") == 1


def test_shells_complete_the_names_of_studies(arena: Any) -> None:
    words = "arena study othello-"
    environment = arena.environment | {
        "_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
    }  # fmt: skip
    command = [sys.executable, "-P", "-m", "arena"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "plain,othello-7" in ran.stdout.split()


def test_a_wrong_option_in_a_later_part_is_reported_before_the_first_game(arena: Any, tiny: Any) -> None:
    ran = arena(*tiny(TINY.replace("alphabeta:depth=1", "alphabeta:depht=1")))
    assert ran.code == 2
    assert "'depht'" in ran.err.splitlines()[-1]
    assert "greedy against random" not in ran.err


@pytest.mark.parametrize("module", ["evil", "agents.self_learning", "agents.self_learning.nothing"])
def test_a_study_file_runs_no_module_that_is_not_a_measure_of_arena(arena: Any, tiny: Any, module: str) -> None:
    (arena.folder / "evil.py").write_text("import pathlib\npathlib.Path('marker').touch()\n")
    words = tiny(HEAD + GROWTH.replace("agents.microchess_growth", module))
    ran = arena(*words)
    assert ran.code == 2
    assert ran.error.startswith(f"arena: the study runs the module {module}, which is not a measure of arena")
    assert ran.error.endswith("add --trust-modules")
    assert not (arena.folder / "marker").exists()
    if module == "evil":
        assert arena(*words, "--trust-modules").code == 1  # it prints no table
        assert (arena.folder / "marker").exists()
