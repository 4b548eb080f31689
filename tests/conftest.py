"""What tests of several packages share."""

import runpy
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def faulty() -> Path:
    """The folder of agents that misbehave."""
    return Path(__file__).parent / "faulty"


@pytest.fixture(scope="session")
def othello_study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The native module of an earlier study of Othello, which no shipped module needs."""
    build = runpy.run_path(str(Path(__file__).parent / "games" / "native" / "build.py"))["build"]
    return build("othello_study", tmp_path_factory.mktemp("native"))
