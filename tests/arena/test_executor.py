"""What holds of every executor, whoever performs the tasks."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import OutputError
from arena.execution import workers
from arena.execution.executor import Executor, Failed, Inline, Lost, Ok
from arena.execution.workers import Workers, cores
from arena.referee.player_factory import PlayerFactory
from games.base import load


@pytest.fixture(scope="module")
def chores(faulty: Path) -> Iterator[Any]:
    """The tasks; workers find them where we do, and there are always two cores for them."""
    two = (cores() * 2)[:2]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(faulty))
        patch.setattr(workers, "cores", lambda: two)
        yield importlib.import_module("chores")


@pytest.fixture(scope="module", params=["inline", "one worker", "two workers"])
def executor(chores: Any, request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Each of them, for all tests: using it again is part of its contract."""
    if request.param == "inline":
        with PlayerFactory(load("microchess"), None) as factory:
            yield Inline(factory)
    else:
        with Workers(load("microchess"), None, workers=1 + (request.param == "two workers")) as opened:
            yield opened


def test_every_task_has_one_outcome(chores: Any, executor: Executor) -> None:
    tasks = [chores.Adds(number, 1) for number in range(20)]
    outcomes: list[Any] = list(executor.run(iter(tasks)))
    assert all(isinstance(outcome, Ok) for outcome in outcomes)
    assert sorted(outcome.task.one for outcome in outcomes) == list(range(20))
    assert all(outcome.result == outcome.task.one + 1 for outcome in outcomes)
    assert {id(outcome.task) for outcome in outcomes} == {id(task) for task in tasks}


def test_what_goes_wrong_is_a_failure_with_its_reason_and_traceback(chores: Any, executor: Executor) -> None:
    (failed,) = executor.run(iter([chores.Raises()]))
    (starved,) = executor.run(iter([chores.Raises(starved=True)]))
    assert isinstance(failed, Failed)
    assert (failed.reason, failed.starved) == ("not today", False)
    assert "ValueError: not today" in failed.detail
    assert "in perform" in failed.detail
    assert isinstance(starved, Failed)
    assert (starved.reason, starved.starved) == ("no CPU", True)


def test_after_a_failure_the_rest_is_done(chores: Any, executor: Executor) -> None:
    tasks = [chores.Raises(), chores.Adds(1), chores.Raises(), chores.Adds(2)]
    outcomes = list(executor.run(iter(tasks)))
    assert sorted(outcome.result for outcome in outcomes if isinstance(outcome, Ok)) == [1, 2]
    assert len(outcomes) == 4


def test_nothing_to_do_is_done_at_once(chores: Any, executor: Executor) -> None:
    assert list(executor.run(iter([]))) == []
    assert list(executor.run(iter([None]))) == []


def test_none_means_that_a_task_comes_when_more_is_known(chores: Any, executor: Executor) -> None:
    known: list[int] = []

    def tasks() -> Iterator[Any]:
        for number in range(5):
            yield chores.Adds(number, sum(known))
            while len(known) <= number:
                yield None

    for outcome in executor.run(tasks()):
        assert isinstance(outcome, Ok)
        known.append(outcome.result)
    assert known == [0, 1, 3, 7, 15]


def test_tasks_are_taken_only_when_somebody_is_there_to_do_them(
    chores: Any, executor: Executor, request: pytest.FixtureRequest
) -> None:
    given, ended, most = 0, 0, 0

    def tasks() -> Iterator[Any]:
        nonlocal given, most
        for number in range(12):
            given += 1
            most = max(most, given - ended)
            yield chores.Adds(number)

    for _ in executor.run(tasks()):
        ended += 1
    assert (given, ended) == (12, 12)
    # One outcome more may be on its way to us: whoever has done something goes on before we look at it.
    allowed = {"inline": 1, "one worker": 1 + 1, "two workers": 2 + 1}
    assert most <= allowed[request.node.callspec.params["executor"]]


def test_results_of_any_size_arrive(chores: Any, executor: Executor) -> None:
    outcomes: list[Any] = list(executor.run(iter([chores.Fills(5_000_000)] * 3)))
    assert [len(outcome.result) for outcome in outcomes] == [5_000_000] * 3


def test_output_that_nobody_reads_ends_it_all() -> None:
    class Speaks:
        def perform(self, factory: PlayerFactory) -> None:
            raise OutputError("nobody listens")

    with PlayerFactory(load("microchess"), None) as factory, pytest.raises(OutputError):
        list(Inline(factory).run(iter([Speaks()])))


def test_outcomes_are_told_apart_by_their_class(chores: Any) -> None:
    with Workers(load("microchess"), None, workers=2) as executor:
        found = {type(outcome) for outcome in executor.run(iter([chores.Adds(1), chores.Raises(), chores.Dies()]))}
    assert found == {Ok, Failed, Lost}
