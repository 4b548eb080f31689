"""Shim until the execution room is merged."""
from typing import Any

from arena.execution.executor import Inline
from arena.execution.link import Setup
from arena.execution.workers import Workers
from arena.referee.player_factory import PlayerFactory

__all__ = ["Setup", "open_executor"]

class _InlineExecutor:
    def __init__(self, setup, players=None):
        self._f = PlayerFactory(setup.game, setup.rules, needs=setup.needs)
        self.level = self._f.level
    def __enter__(self): return self
    def __exit__(self, *a): self._f.__exit__(*a)
    def run(self, tasks): return Inline(self._f).run(tasks)

def open_executor(setup: Setup, *, workers: int | None, players: Any = None) -> Any:
    if workers is None:
        return _InlineExecutor(setup, players)
    return Workers(setup.game, setup.rules, needs=setup.needs, workers=workers)
