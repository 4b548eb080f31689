"""The conformance tests of executors: each test runs on every executor."""

import importlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Player
from arena.entrants.entrant import Entrant, resolve
from arena.errors import OutputError
from arena.execution import executor as executors
from arena.execution.executor import Executor, Failed, Lost, Ok, Setup, cores, open_executor
from arena.referee.players import PlayerFactory
from arena.referee.referee import Job
from arena.referee.scripted_player import ScriptedPlayer
from arena.referee.task import GameTask, Rehearsal
from arena.sandbox.launch import Rules
from arena.sandbox.level import level
from games.base import load
from results.record import GameRecord, Seat

GAME = load("microchess:turns=4")

#: The number of workers of each executor; None is the executor inside this process.
EXECUTORS = {"inline": None, "one worker": 1, "two workers": 2}


@pytest.fixture(scope="module")
def chores(faulty: Path) -> Iterator[Any]:
    """The tasks, in a module that workers can import. There are always two cores."""
    two = (cores() * 2)[:2]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(faulty))
        patch.setattr(executors, "cores", lambda: two)
        yield importlib.import_module("chores")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the code of entrants is staged."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module", params=EXECUTORS)
def executor(chores: Any, home: Path, request: pytest.FixtureRequest) -> Iterator[Executor]:
    """One executor for all tests: using it again is part of its contract."""
    with open_executor(Setup(GAME, None, home=home), workers=EXECUTORS[request.param]) as opened:
        yield opened


def test_every_task_has_one_outcome(chores: Any, executor: Executor) -> None:
    tasks = [chores.Adds(number, 1) for number in range(20)]
    outcomes: list[Any] = list(executor.run(iter(tasks)))
    assert all(isinstance(outcome, Ok) for outcome in outcomes)
    assert sorted(outcome.task.one for outcome in outcomes) == list(range(20))
    assert all(outcome.result == outcome.task.one + 1 for outcome in outcomes)
    assert {id(outcome.task) for outcome in outcomes} == {id(task) for task in tasks}


def test_an_exception_is_a_failure_with_its_reason_and_traceback(chores: Any, executor: Executor) -> None:
    (failed,) = executor.run(iter([chores.Raises()]))
    (starved,) = executor.run(iter([chores.Raises(starved=True)]))
    assert isinstance(failed, Failed)
    assert (failed.reason, failed.starved) == ("not today", False)
    assert "ValueError: not today" in failed.detail
    assert "in perform" in failed.detail
    assert isinstance(starved, Failed)
    assert (starved.reason, starved.starved) == ("no CPU", True)


def test_after_a_failure_the_other_tasks_are_performed(chores: Any, executor: Executor) -> None:
    tasks = [chores.Raises(), chores.Adds(1), chores.Raises(), chores.Adds(2)]
    outcomes = list(executor.run(iter(tasks)))
    assert sorted(outcome.result for outcome in outcomes if isinstance(outcome, Ok)) == [1, 2]
    assert len(outcomes) == 4


def test_a_run_without_tasks_ends_at_once(chores: Any, executor: Executor) -> None:
    assert list(executor.run(iter([]))) == []
    assert list(executor.run(iter([None]))) == []


def test_none_means_that_there_is_no_task_before_another_outcome(chores: Any, executor: Executor) -> None:
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


def test_tasks_are_taken_only_when_there_is_room_for_them(
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
    # One outcome more may be on its way: a worker gets its next task before its last outcome is yielded.
    allowed = {"inline": 1, "one worker": 1 + 1, "two workers": 2 + 1}
    assert most <= allowed[request.node.callspec.params["executor"]]


def test_results_of_any_size_arrive(chores: Any, executor: Executor) -> None:
    outcomes: list[Any] = list(executor.run(iter([chores.Fills(5_000_000)] * 3)))
    assert [len(outcome.result) for outcome in outcomes] == [5_000_000] * 3


def task_of(job: Callable[..., Job], first: Entrant, second: Entrant) -> GameTask:
    made = job("microchess:turns=4", first=first.record(), second=second.record(), start="")
    return GameTask(job=made, first=first, second=second, charge="wall")


def test_a_game_is_played_with_code_that_is_found_by_its_hash(
    executor: Executor, home: Path, faulty: Path, job: Callable[..., Job]
) -> None:
    first, second = resolve(f"{faulty}/steady.py:LastMove", home=home), resolve("first_move", home=home)
    task = task_of(job, first, second)
    assert str(home).encode() not in pickle.dumps(task)
    (outcome,) = executor.run(iter([task]))
    assert isinstance(outcome, Ok)
    record: GameRecord = outcome.result
    assert (record.fault, record.turns, record.sandbox) == (None, 4, "none")


def test_code_that_is_missing_or_changed_is_a_failure_of_ours(
    executor: Executor, tmp_path: Path, faulty: Path, job: Callable[..., Job]
) -> None:
    elsewhere = resolve(f"{faulty}/steady.py:Captures", home=tmp_path / "another home")
    unknown = Entrant("x", "x", elsewhere.path, True, {}, "", "0" * 64)
    (outcome,) = executor.run(iter([task_of(job, unknown, unknown)]))
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("the files of x are missing or were changed in ")


def test_a_rehearsal_says_why_an_agent_does_not_start(executor: Executor, home: Path, faulty: Path) -> None:
    names = ("misbehaving.py:Honest", "misbehaving.py:NotThere")
    tasks = [Rehearsal(resolve(f"{faulty}/{name}", home=home), GAME) for name in names]
    outcomes: list[Any] = list(executor.run(iter(tasks)))
    assert {outcome.task.entrant.name: outcome.result.why for outcome in outcomes} == {
        "Honest": "",
        "NotThere": "misbehaving.py has no class NotThere",
    }


def test_an_executor_knows_how_well_players_are_confined(chores: Any, executor: Executor, home: Path) -> None:
    assert executor.level == "none"
    for count in EXECUTORS.values():
        with open_executor(Setup(GAME, Rules(), home=home), workers=count) as confined:
            assert confined.level == level()


def test_people_play_only_where_a_factory_seats_them(executor: Executor, home: Path, job: Callable[..., Job]) -> None:
    (outcome,) = executor.run(iter([task_of(job, resolve("human", home=home), resolve("random", home=home))]))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "people can play only with `arena play`"


def test_players_can_be_replaced_in_this_process(home: Path, job: Callable[..., Job]) -> None:
    seated: list[tuple[str, Seat]] = []

    def scripted(default: PlayerFactory) -> PlayerFactory:
        def make(entrant: Entrant, seat: Seat) -> Player:
            seated.append((entrant.name, seat))
            return ScriptedPlayer() if entrant.is_human else default(entrant, seat)

        return make

    task = task_of(job, resolve("random", home=home), resolve("human", home=home))
    with open_executor(Setup(GAME, None, home=home), workers=None, players=scripted) as executor:
        (outcome,) = executor.run(iter([task]))
    assert isinstance(outcome, Ok)
    assert seated == [("random", "first"), ("human", "second")]


def test_players_of_this_process_cannot_play_on_workers() -> None:
    with pytest.raises(ValueError, match="cannot play on workers"):
        open_executor(Setup(GAME, None), workers=1, players=lambda default: default)


def test_output_that_cannot_be_written_ends_the_run() -> None:
    class Speaks:
        def perform(self, players: object) -> None:
            raise OutputError("nobody reads this")

    with open_executor(Setup(GAME, None), workers=None) as executor, pytest.raises(OutputError):
        list(executor.run(iter([Speaks()])))


def test_outcomes_are_told_apart_by_their_class(chores: Any) -> None:
    with open_executor(Setup(GAME, None), workers=2) as executor:
        found = {type(outcome) for outcome in executor.run(iter([chores.Adds(1), chores.Raises(), chores.Dies()]))}
    assert found == {Ok, Failed, Lost}
