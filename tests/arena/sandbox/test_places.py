"""Players cannot read results or the code of others, wherever Python is installed."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadSettings
from arena.sandbox.launch import check_hidden, readable


@pytest.fixture
def environment_here(arena: Any) -> Path:
    """The program of a virtual environment that was made in the folder of the league; it has our packages."""
    run = subprocess.run([sys.executable, "-m", "venv", "--without-pip", arena.folder], check=False)
    assert run.returncode == 0
    packages = next((arena.folder / "lib").glob("python*")) / "site-packages"
    packages.rmdir()
    packages.symlink_to(sysconfig.get_path("purelib"))
    return arena.folder / "bin" / "python"


@pytest.mark.parametrize("name", ["arena.db", "pyvenv.cfg", "secret.txt"])
def test_an_environment_in_the_folder_of_the_league_does_not_open_it(
    arena: Any, faulty: Path, environment_here: Path, name: str
) -> None:
    (arena.folder / "secret.txt").write_text("secret")
    agent = f"{faulty}/hostile_files.py:ReadsPath:path={arena.folder / name}"
    process = subprocess.run(
        [environment_here, "-P", "-m", "arena", "play", agent, "first_move", "--turns", "2"],
        cwd=arena.folder, env=arena.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert "faulted: file" in process.stdout
    assert "learnt" not in process.stdout


def test_a_results_file_that_players_can_read_is_refused(arena: Any) -> None:
    place = Path(sysconfig.get_path("purelib")).resolve()
    ran = arena("league", "random", "first_move", "--db", str(place / "arena.db"))
    assert ran.code == 2
    assert ran.error.startswith(f"arena: the results file (--db) is {place}/arena.db, which players can read")
    assert not (place / "arena.db").exists()


def test_a_folder_of_agents_that_players_can_read_is_refused(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Path(sysconfig.get_path("stdlib")).resolve()
    ran = arena("play", "random", "first_move", before=["env", f"ARENA_HOME={place}"])
    assert ran.code == 2
    assert ran.error.startswith(f"arena: the folder of agents ($ARENA_HOME) is {place}, which players can read")


def test_an_engine_may_not_read_the_folder_of_the_results(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for granted in (tmp_path, tmp_path / "inner"):
        with pytest.raises(BadSettings, match="which players can read"):
            check_hidden({"the results": tmp_path / "inner" / "arena.db"}, game="microchess", granted=[str(granted)])
    check_hidden({"the results": tmp_path / "arena.db"}, game="microchess", granted=[str(tmp_path / "inner")])


def test_a_link_to_a_readable_folder_does_not_hide_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(sysconfig.get_path("purelib"))
    with pytest.raises(BadSettings, match="which players can read"):
        check_hidden({"the results": tmp_path / "link" / "arena.db"}, game="microchess")


def test_a_player_may_read_the_libraries_of_python_but_not_its_prefix() -> None:
    places = [Path(place) for place in readable("microchess")]
    for prefix in {sys.prefix, sys.base_prefix} - {"/usr"}:
        assert not any(Path(prefix).is_relative_to(place) for place in places)
    assert Path(os.__file__).parent in places
    assert Path(sysconfig.get_path("purelib")) in places


LEAGUE = """
if __name__ == "__main__":
    import arena
    arena.league(["random", "first_move"], game="microchess:turns=2", workers=1)
"""


@pytest.mark.parametrize("how", ["script", "module", "command"])
def test_files_beside_a_league_are_not_run_as_libraries(arena: Any, how: str) -> None:
    """Python runs `sitecustomize` whenever it starts, and takes other modules first from the folder of a script."""
    trace, league = arena.folder / "trace", arena.folder / "play.py"
    (arena.folder / "sitecustomize.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    league.write_text(LEAGUE)
    words = {
        "script": [league], "module": ["-m", "arena", "league", "random", "first_move", "--turns", "2"],
        "command": ["-P", "-m", "arena", "league", "random", "first_move", "--turns", "2"],
    }  # fmt: skip
    process = subprocess.run(
        [sys.executable, *words[how]], cwd=arena.folder, env=arena.environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert (arena.folder / "arena.db").exists()
    assert not trace.exists()
