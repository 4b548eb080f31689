"""READMEs are run, so that they stay true."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """Every `arena` line of the README in its order, with the agent it tells to write; short budgets throughout."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (agent,) = [block for block in blocks(text, "python") if "class MyAgent" in block]
    (tmp_path / "my_agent.py").write_text(agent)
    environment = os.environ | {
        "ARENA_HOME": str(tmp_path / "home"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    commands = [line for block in blocks(text, "sh") for line in block.splitlines() if line.startswith("arena ")]
    assert len(commands) >= 8
    for command in commands:
        words = command.partition("#")[0].strip()
        if "human" in words:
            continue
        ran = subprocess.run(
            words, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, f"{words}: {ran.stderr}"


@pytest.mark.parametrize("module", ["games.base", "results.score", "results.text", "results.utc"])
def test_the_examples_in_docstrings_are_true(module: str) -> None:
    loaded = __import__(module, fromlist=["_"])
    tried = doctest.testmod(loaded)
    assert (tried.failed, tried.attempted > 0) == (0, True)
