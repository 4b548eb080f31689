"""Unusual options, streams and machines."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.entrants.staging import stage


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e10", "soon"])
def test_a_budget_must_be_a_sensible_number_of_seconds(arena: Any, value: str) -> None:
    ran = arena("play", "random", "random", "--time", value)
    assert ran.code == 2
    assert "--time" in ran.err
    assert not (arena.folder / "arena.db").exists()


def test_a_long_budget_is_accepted(arena: Any) -> None:
    assert arena("play", "random", "first_move", "--time", "999999", "--turns", "4").code == 0


def test_an_opening_that_is_too_long_is_an_error_before_anything_is_stored(arena: Any) -> None:
    ran = arena("league", "random", "first_move", "--opening-turns", "90")
    assert (ran.code, ran.err) == (2, "arena: after 90 opening turns the game is always over; use fewer\n")
    assert not (arena.folder / "arena.db").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "9" * 25), "is not the number of a game"),
        (("league", "random", "random", "--rounds", "100000000"), "must be a whole number from 1 to 100000"),
    ],
)
def test_numbers_that_are_too_large_are_an_error(arena: Any, words: tuple[str, ...], message: str) -> None:
    ran = arena(*words)
    assert ran.code == 2
    assert message in ran.err


@pytest.mark.parametrize("name", ["", "  ", "a\nb"])
def test_the_name_of_a_league_must_have_visible_characters(arena: Any, name: str) -> None:
    assert arena("league", "random", "first_move", "--name", name).code == 2


def test_an_empty_seed_is_accepted(arena: Any) -> None:
    words = ("league", "random", "first_move", "--turns", "4", "--seed", "", "--name", "cup")
    assert arena(*words).code == 0
    assert arena(*words).err.endswith("\ncup: 2 of 2 games were already stored\n")


def test_a_closed_pipe_does_not_make_a_game_void(arena: Any) -> None:
    process = arena.start("play", "random", "random")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=600) == 1
    assert "void" not in process.stderr.read()
    process.stderr.close()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("games",), ("agents",), ("play", "random", "random")])
def test_output_that_cannot_be_written_is_one_line(arena: Any, words: tuple[str, ...], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        process = arena.start(*words, stdout=full, before=("env", f"PYTHONUNBUFFERED={unbuffered}"))
        _, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert err == "arena: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_league_runs_with_a_closed_stream(arena: Any, closed: str) -> None:
    command = f"{sys.executable} -P -m arena league random first_move --turns 4 {closed}"
    ran = subprocess.run(command, shell=True, cwd=arena.folder, env=arena.environment, check=False, timeout=600)
    assert ran.returncode == 0
    assert "2 games" in arena("standings").out


def test_a_person_without_input_ends_the_game(arena: Any) -> None:
    command = f"{sys.executable} -P -m arena play human random <&-"
    ran = subprocess.run(
        command, shell=True, cwd=arena.folder, env=arena.environment, check=False, timeout=600, capture_output=True
    )
    assert ran.returncode == 130


def test_a_file_of_openings_may_have_a_byte_order_mark(arena: Any) -> None:
    (arena.folder / "openings").write_text("\ufeffk3/4/4/1R2/3K w - - 0 1\n", encoding="utf-8")
    assert arena("play", "random", "first_move", "--openings", "openings").code == 0


def test_a_player_that_loses_on_time_has_used_its_budget(arena: Any, faulty: Path) -> None:
    (game,) = arena("play", f"{faulty}/misbehaving.py:Hangs", "random", "--time", "0.3", "--json").json
    assert game["fault"]["rule"] == "time"
    assert game["seconds_first"] >= 0.3
    assert game["seconds_second"] == 0.0
    assert "of 0.3 s each" in arena("show", str(game["id"])).out


def test_an_agent_that_cannot_start_is_a_warning_before_the_league(arena: Any, faulty: Path) -> None:
    ran = arena("league", f"{faulty}/misbehaving.py:Typo", "random", "--turns", "4")
    assert ran.code == 0
    assert ran.err.splitlines()[0].startswith("warning: Typo does not start and will lose its games: ")
    assert "has no class Typo" in ran.err


def test_the_same_content_can_be_staged_at_the_same_time(tmp_path: Path) -> None:
    source = tmp_path / "mine"
    (source / "inner").mkdir(parents=True)
    for number in range(50):
        (source / "inner" / f"{number}.py").write_text(str(number))
    with ThreadPoolExecutor(8) as pool:
        for attempt in range(10):
            made = pool.map(lambda _, home=tmp_path / f"home{attempt}": stage(source, home=home), range(8))
            assert len({staged.folder for staged in made}) == 1
            assert len(list((tmp_path / f"home{attempt}" / "stages").iterdir())) == 1


#: Stages a folder, damages the copy, stages it again.
DAMAGES = """
import sys
from pathlib import Path
from arena.entrants.staging import content_hash, stage

source, home = map(Path, sys.argv[1:])
copy = stage(source, home=home).folder / "mine" / "inner" / "a.py"
copy.chmod(0o644)
copy.write_text("tampered")
again = stage(source, home=home)
assert content_hash(again.folder) == again.hash
assert len(list((home / "stages").iterdir())) == 1
"""


def test_a_damaged_stage_is_replaced_also_without_privileges(arena: Any) -> None:
    source = arena.folder / "mine"
    (source / "inner").mkdir(parents=True)
    (source / "inner" / "a.py").write_text("a")
    command = [*arena.UNPRIVILEGED, sys.executable, "-P", "-c", DAMAGES, str(source), str(arena.folder / "home")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_results_can_be_read_in_a_read_only_folder(arena: Any) -> None:
    arena("league", "random", "first_move", "--turns", "4", "--name", "cup")
    folder = arena.folder / "archive"
    folder.mkdir()
    (arena.folder / "arena.db").rename(folder / "arena.db")
    code = (
        "from pathlib import Path\nfrom results.errors import ReadOnly\nfrom results.store.store import Store\n"
        "def refuse(*a, **k): raise ReadOnly('read-only')\n"
        "Store.open = classmethod(refuse)\n"
        f"print(len(list(Store.read(Path({str(folder / 'arena.db')!r})).records('cup'))))"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "2\n"


def test_repeating_a_stored_game_prints_the_same_json(arena: Any) -> None:
    words = ("play", "random", "first_move", "--turns", "4", "--name", "once", "--json")
    first, second = arena(*words), arena(*words)
    assert json.loads(first.out) == json.loads(second.out)


def test_a_user_without_a_home_folder_can_play_bundled_agents(arena: Any) -> None:
    environment = {"PATH": os.environ["PATH"]}
    code = (
        "import os, pwd; pwd.getpwuid = lambda _: (_ for _ in ()).throw(KeyError('nobody'))\n"
        "import sys; sys.argv = ['arena', 'play', 'random', 'first_move', '--turns', '4', '--json']\n"
        "from arena.__main__ import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=arena.folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_too_little_memory_for_python_is_an_error(arena: Any) -> None:
    ran = arena("play", "random", "random", "--memory", "1M")
    assert ran.code == 2
    assert "must be at least 64M" in ran.err
