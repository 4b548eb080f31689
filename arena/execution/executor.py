"""Who performs the tasks of a league: this process, worker processes, one day a cluster."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from arena.errors import OutputError, Starved
from arena.referee.player_factory import PlayerFactory

__all__ = ["Executor", "Failed", "Inline", "Lost", "Ok", "Outcome", "Task", "attempt"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Task(Protocol[T_co]):
    """Something to be done with players; what crosses to another process can be pickled."""

    def perform(self, factory: PlayerFactory) -> T_co:
        """Do it; every exception is a failure of ours."""
        ...


@dataclass(frozen=True, slots=True)
class Ok(Generic[T]):
    """It was done."""

    task: Task[T]
    result: T


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """We failed at it: why in one line, and the traceback. `starved`: only because the machine withheld the CPU."""

    task: Task[T]
    reason: str
    detail: str
    starved: bool = False


@dataclass(frozen=True, slots=True)
class Lost(Generic[T]):
    """Who performed it died."""

    task: Task[T]
    reason: str


Outcome: TypeAlias = Ok[T] | Failed[T] | Lost[T]


class Executor(Protocol):
    """Performs tasks, several at a time if it can."""

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """One outcome for each task, in the order in which they end.

        Tasks are taken one by one as there is room for them. None means that there is no task until another outcome
        is known.
        """
        ...


class Inline:
    """Performs one task after the other in this process."""

    def __init__(self, factory: PlayerFactory) -> None:
        self._seating = factory

    def run(self, tasks: Iterator[Task[T] | None]) -> Iterator[Outcome[T]]:
        """One outcome for each task, in their order."""
        for task in tasks:
            if task is not None:
                yield attempt(task, self._seating)


def attempt(task: Task[T], factory: PlayerFactory) -> Ok[T] | Failed[T]:
    """Perform a task; what goes wrong is a failure of ours, which playing again may mend."""
    try:
        return Ok(task, task.perform(factory))
    except OutputError:
        raise  # nobody sees what we say: no use in playing again
    except Exception as error:  # noqa: BLE001 - the border between our failures and a player's
        return Failed(task, str(error), traceback.format_exc(), isinstance(error, Starved))
