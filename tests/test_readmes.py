"""READMEs are run, so that they stay true."""

import doctest
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.training.runs import TrainingRun
from results.store.store import Store

ROOT = Path(__file__).parent.parent


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def run_commands(text: str, folder: Path, *, least: int) -> None:
    """Every command in the blocks of a README, in their order."""
    environment = os.environ | {
        "ARENA_HOME": str(folder / "home"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    commands = [
        line for block in blocks(text, "sh") for line in block.splitlines() if line.startswith(("arena ", "g++ "))
    ]
    assert len(commands) >= least
    for command in commands:
        words = command.partition("#")[0].strip()
        if "human" in words:
            continue
        ran = subprocess.run(
            words,
            shell=True,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{words}: {ran.stderr}"


def excluded_in(folder: Path, league: str) -> list[str]:
    """The reasons why games of a league do not count."""
    with Store.read(folder / "arena.db") as store:
        return [exclusion.because for exclusion in store.exclusions(league).values()]


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """With the agent that it tells to write; short budgets throughout."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (agent,) = [block for block in blocks(text, "python") if "class MyAgent" in block]
    (tmp_path / "my_agent.py").write_text(agent)
    (file,) = blocks(text, "toml")
    (tmp_path / "friday.toml").write_text(file)
    run_commands(text, tmp_path, least=8)
    run_commands(f"```sh\n{file.splitlines()[0].partition(': ')[2]}\n```\n", tmp_path, least=1)
    assert "power cut" in excluded_in(tmp_path, "thursday")
    (program,) = [block for block in blocks(text, "python") if "import arena" in block]
    environment = os.environ | {"ARENA_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "my_agent" in ran.stdout


def test_the_engines_of_the_readme_of_protocols_play(tmp_path: Path) -> None:
    protocols = ROOT / "agents" / "external"
    shutil.copytree(protocols / "examples", tmp_path, dirs_exist_ok=True)
    text = (protocols / "README.md").read_text(encoding="utf-8")
    assert blocks(text, "sh")[0].startswith("cd agents/external/examples\n")
    run_commands(text, tmp_path, least=7)


def test_the_commands_of_the_readme_of_the_bridge_run(tmp_path: Path) -> None:
    run_commands((ROOT / "stockfish_bridge" / "README.md").read_text(encoding="utf-8"), tmp_path, least=1)


def test_the_commands_of_the_readme_of_self_learning_train_an_agent_that_beats_random(tmp_path: Path) -> None:
    """Microchess, from zero, in some seconds: the short form of `make learn`."""
    text = (ROOT / "agents" / "self_learning" / "README.md").read_text(encoding="utf-8")
    run_commands(text, tmp_path, least=8)
    (point,) = TrainingRun(tmp_path / "home" / "training" / "mine").ladder()
    assert (point.anchor, point.games) == ("random", 10)
    assert point.score >= 0.8
    assert "</html>" in (tmp_path / "mine.html").read_text()


def modules_with_examples() -> list[str]:
    """The modules of our packages whose source holds an example for doctest."""
    packages = ("games", "agents", "stockfish_bridge", "results", "arena")
    files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
    found = [file.relative_to(ROOT).with_suffix("") for file in files if ">>> " in file.read_text(encoding="utf-8")]
    return [".".join(path.parts).removesuffix(".__init__") for path in found]


def test_some_modules_have_examples() -> None:
    assert modules_with_examples()


@pytest.mark.parametrize("module", modules_with_examples())
def test_the_examples_in_docstrings_are_true(module: str) -> None:
    tried = doctest.testmod(importlib.import_module(module))
    assert (tried.failed, tried.attempted > 0) == (0, True)
