"""The protocol of executors, the tasks that they perform and the outcomes of tasks."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

from arena.errors import OutputError, Starved
from arena.referee.players import ProcessPlayers
from arena.sandbox.level import Level

__all__ = ["Executor", "Failed", "Lost", "Ok", "Outcome", "Task", "attempt"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Task(Protocol[T_co]):
    """Something to do with players. It can be pickled, and it carries no path that matters on another machine."""

    def perform(self, players: ProcessPlayers) -> T_co:
        """Do it; every exception is a failure of ours."""
        ...


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """The task was performed."""

    task: Task[T]
    result: T


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """We failed: the reason in one line, and the traceback. `starved`: only because the machine withheld the CPU."""

    task: Task[T]
    reason: str
    detail: str
    starved: bool = False


@dataclass(frozen=True, slots=True)
class Lost(Generic[T]):
    """The process that performed the task ended."""

    task: Task[T]
    reason: str


Outcome: TypeAlias = Ok[T] | Failed[T] | Lost[T]


class Executor(Protocol):
    """Performs tasks, several at a time if it can. A context manager: leaving it ends every process."""

    @property
    def level(self) -> Level:
        """How well players are confined."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """Yield one outcome for each task, in the order in which they end.

        Tasks are taken one by one when there is room for them. None instead of a task means: there is no task before
        another outcome is known. An executor can run several times.
        """
        ...


def attempt(task: Task[T], players: ProcessPlayers) -> Ok[T] | Failed[T]:
    """Perform a task. An exception is a failure of ours; another attempt may succeed."""
    try:
        return Ok(task, task.perform(players))
    except OutputError:
        raise  # our output cannot be written: another attempt would not help
    except Exception as error:  # noqa: BLE001 - the border between our failures and a player's
        return Failed(task, str(error), traceback.format_exc(), isinstance(error, Starved))
