"""Opens executors: the only place that chooses between them."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self, TypeVar

from arena.execution.executor import Executor, Outcome, Task, attempt
from arena.execution.workers import LocalWorkers
from arena.referee.players import PlayerFactory, ProcessPlayers, Setup
from arena.sandbox.level import Level

__all__ = ["Setup", "open_executor"]

T = TypeVar("T")


def open_executor(
    setup: Setup, *, workers: int | None, players: Callable[[PlayerFactory], PlayerFactory] | None = None
) -> Executor:
    """An executor with this many local worker processes; with None, one that performs tasks in this process.

    `players` wraps the factory of players, so that it can make some of them itself; only without workers.
    """
    if workers is None:
        return _InlineExecutor(ProcessPlayers(setup, wrap=players))
    if players is not None:
        raise ValueError("players that are made in this process cannot play on workers")
    return LocalWorkers(setup, workers=workers)


class _InlineExecutor:
    """Performs one task after the other in this process."""

    def __init__(self, players: ProcessPlayers) -> None:
        self._players = players

    @property
    def level(self) -> Level:
        return self._players.level

    def __enter__(self) -> Self:
        self._players.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._players.__exit__(kind, error, trace)

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        for task in tasks:
            if task is not None:
                yield attempt(task, self._players)
