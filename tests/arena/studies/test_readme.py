"""arena/studies/README.md is run, so that it stays true."""

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import arena.studies
from arena.studies import run
from arena.studies.leagues import SETTING_KEYS
from arena.studies.study import load
from arena.studies.training_part import TRAINING_KEYS

README = (Path(arena.studies.__file__).parent / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The only code block in this language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return str(text)


@pytest.fixture
def folder(arena: Any) -> Path:
    """A folder with the study file of the README."""
    path: Path = arena.folder
    (path / "mine.toml").write_text(block("toml"))
    return path


def test_the_commands_of_the_readme_run(arena: Any, folder: Path) -> None:
    commands = [shlex.split(line, comments=True) for line in block("sh").splitlines()]
    assert len(commands) == 4
    for program, *words in commands:
        assert program == "arena"
        ran = arena(*words)
        assert ran.code == 0, f"{words}: {ran.err}"
    assert (folder / "studies" / "mine-short.html").exists()
    assert arena("standings", "--league", "study-mine-short-match").code == 0


def test_the_python_example_runs(arena: Any, folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-c", block("python")], cwd=folder, env=arena.environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("greedy ")
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")
    assert (folder / "studies" / "mine-short.md").exists()


def test_the_training_part_of_the_readme_can_be_read(folder: Path) -> None:
    (text,) = re.findall(r"^    \[\[parts\]\]\n(?:    .*\n|\n)*", README, re.MULTILINE)
    path = folder / "share.toml"
    path.write_text('title = "a"\nquestion = "b"\nclaim = "c"\n' + textwrap.dedent(text))
    (part,) = load(str(path)).trainings
    assert ([variant.name for variant in part.variants], part.games) == (["as shipped", "result share 0.3"], 800)


def test_every_key_and_event_is_documented() -> None:
    keys = ("title", "question", "claim", "parts", "name", "label", "short", "entrants", "module", "arguments")
    for key in (*keys, *TRAINING_KEYS):
        assert f"`{key}`" in README
    assert {"name", "workers"}.isdisjoint(SETTING_KEYS)
    for name in run.__all__:
        if name not in ("StudyEvent", "run"):
            assert f"`{name}`" in README
