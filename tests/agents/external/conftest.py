"""Real processes for tests of dialects."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.seat import Channel


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Sequence[str]], Channel]]:
    """Starts a process and gives the channel to it; all of them are killed after the test."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    real = importlib.import_module("real")
    with ExitStack() as running:
        yield lambda command: running.enter_context(real.PipeChannel(command))
