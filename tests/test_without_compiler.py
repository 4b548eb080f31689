"""Without a compiler everything works by the Python rules, and says so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import live, names
from results.store.store import Store

ROOT = Path(__file__).parent.parent
PARTS = ("agents", "arena", "games", "results", "stockfish_bridge")
FILES = ("setup.py", "setup.cfg", "pyproject.toml", "README.md")
#: An editable installation would find the kernels of the real project.
NO_EDITABLE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Editable" not in getattr(finder, "__name__", "")]
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, built in a folder of its own with a compiler that always fails."""
    folder = tmp_path_factory.mktemp("bare")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for file in FILES:
        shutil.copy(ROOT / file, folder)
    (folder / "sitecustomize.py").write_text(NO_EDITABLE)
    ran = run(folder, "setup.py", "-q", "build_ext", "--inplace", CXX="/bin/false", CC="/bin/false")
    assert ran.returncode == 0, ran.stderr
    assert list(folder.rglob("*.so")) == []
    return folder


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "ARENA_HOME": str(folder / "home")} | environment
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def test_the_doctor_says_so(bare: Path) -> None:
    ran = run(bare, "-P", "-m", "arena", "doctor", "--brief")
    assert ran.returncode == 0
    assert f"forbidden actions were stopped, Python rules of {', '.join(names())}" in ran.stdout


def test_players_need_not_compile_the_agents(bare: Path) -> None:
    sources = {path.stem for path in (bare / "agents").rglob("*.py")}
    assert {path.name.partition(".")[0] for path in (bare / "agents").rglob("__pycache__/*.pyc")} == sources


@pytest.mark.parametrize("game", ["microchess:turns=6", "gomoku:size=5"])
def test_a_league_says_so_and_plays(bare: Path, game: str) -> None:
    name = game.partition(":")[0]
    words = ["league", "alphabeta:depth=1", "uct:simulations=20", "--game", game, "--name", name, "--db", f"{name}.db"]
    ran = run(bare, "-P", "-m", "arena", *words)
    assert ran.returncode == 0, ran.stderr
    assert f"{name}, played with the Python rules" in ran.stderr
    with Store.read(bare / f"{name}.db") as store:
        records = list(store.records(name))
    assert [record.rules for record in records] == ["python"] * 2
    assert [record.fault for record in records] == [None] * 2
    assert all("Python" in record.output_first for record in records)


def test_here_every_game_has_its_kernel() -> None:
    assert [name for name in names() if live(name) == "python"] == []
