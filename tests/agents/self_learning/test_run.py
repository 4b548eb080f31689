"""A training run: it learns, and interruptions do not change what it learns."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.self_learning.__main__ import main
from agents.self_learning.errors import TrainingError
from agents.self_learning.recipe import RunSettings
from agents.self_learning.run_folder import RunFolder
from agents.self_learning.trainer import learning_rate

Make = Callable[..., RunFolder]
Train = Callable[..., list[dict[str, Any]]]
Start = Callable[..., Any]
Outcome = Callable[[RunFolder], dict[str, Any]]


def test_a_run_learns_to_tell_won_positions_from_lost_ones(make_run: Make, train: Train) -> None:
    folder = make_run(generations=6, games=10, passes=8.0)
    rows = [event for event in train(folder) if event["event"] == "generation"]
    assert rows[-1]["validation"]["loss"] < 0.9 * rows[0]["validation"]["loss"]
    assert [row["generation"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[-1]["rate"] < rows[0]["rate"]


@pytest.mark.parametrize("lag", [0, 1])
def test_the_number_of_workers_does_not_change_a_bit(make_run: Make, train: Train, outcome: Outcome, lag: int) -> None:
    one, two = make_run("one", lag=lag), make_run("two", lag=lag)
    train(one, workers=1)
    train(two, workers=2)
    assert outcome(one) == outcome(two)


def test_another_seed_gives_another_net(make_run: Make, train: Train, outcome: Outcome) -> None:
    one, two = make_run("one", generations=1), make_run("two", generations=1, seed=2)
    train(one)
    train(two)
    assert outcome(one)["arrays"] != outcome(two)["arrays"]


def test_pitfall_20_exact_resume_after_a_kill(make_run: Make, train: Train, start: Start, outcome: Outcome) -> None:
    whole, killed = make_run("whole"), make_run("killed")
    train(whole)
    trainee = start(killed)
    at = ("chunk", 2, 1)
    assert at in ((event["event"], event.get("generation"), event.get("number")) for event in trainee.events())
    trainee.kill()
    train(killed)
    assert outcome(killed) == outcome(whole)


class Stop(Exception):
    """Ends a run at an event."""


def test_a_run_that_stops_at_many_events_learns_the_same(make_run: Make, train: Train, outcome: Outcome) -> None:
    whole, stopped = make_run("whole", lag=0, chunks=2), make_run("stopped", lag=0, chunks=2)
    train(whole)
    for number in (1, 2, 3, 5, 4):
        left = iter(range(number - 1))

        def stop(_: Any, left: Any = left) -> None:
            if next(left, None) is None:
                raise Stop

        with pytest.raises(Stop):
            train(stopped, report=stop)
    train(stopped)
    assert outcome(stopped) == outcome(whole)


@pytest.mark.soak
def test_nothing_is_lost_or_counted_twice_in_twenty_kills(
    make_run: Make, train: Train, start: Start, outcome: Outcome
) -> None:
    whole, killed = make_run("whole", generations=12), make_run("killed", generations=12)
    train(whole)
    for number in range(20):
        trainee = start(killed, workers=2)
        for count, _ in enumerate(trainee.events()):
            if count > number % 5:
                break
        trainee.kill()
    train(killed, workers=2)
    assert outcome(killed) == outcome(whole)


def test_pitfall_16_two_workers_have_one_thread_each_and_die_with_their_run_which_then_resumes_exactly(
    make_run: Make, train: Train, start: Start, outcome: Outcome, processes: Any
) -> None:
    whole, killed = make_run("whole"), make_run("killed")
    train(whole)
    trainee = start(killed, workers=2)
    assert any(event["event"] == "generation" for event in trainee.events())
    workers = processes.children(trainee.pid)
    assert [worker.status["Threads"].strip() for worker in workers] == ["1", "1"]
    trainee.kill()
    assert processes.until(lambda: not any(worker.runs for worker in workers))
    train(killed, workers=2)
    assert outcome(killed) == outcome(whole)


def test_a_worker_that_dies_is_replaced_and_its_chunk_is_played_again(
    make_run: Make, train: Train, outcome: Outcome, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    whole, other = make_run("whole", crash=str(trap)), make_run("other", crash=str(trap))
    train(whole)
    trap.touch()
    train(other)
    assert not trap.exists()
    assert outcome(other) == outcome(whole)
    assert "crashed as the test wanted" in other.log.read_text()


def test_a_chunk_that_always_fails_ends_the_run_with_one_line(make_run: Make, train: Train) -> None:
    folder = make_run(crash="/")  # a folder that is always there and cannot be removed
    with pytest.raises(TrainingError, match=r"generation 1 failed 3 times: /: Is a directory \(more in .*log\.txt\)"):
        train(folder)


def test_only_one_process_trains_a_run(make_run: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run()
    with folder.locked():
        assert main(["run", str(folder.path)]) == 1
    assert capsys.readouterr().err == f"the run run is already running (PID {os.getpid()})\n"


def test_the_cpu_time_ends_a_run(make_run: Make, train: Train) -> None:
    folder = make_run(generations=0)
    events = train(folder, minutes=0.005)
    rows = [event for event in events if event["event"] == "generation"]
    assert rows[-1]["total_seconds"] >= 0.3
    assert all(row["total_seconds"] < 0.3 for row in rows[:-1])
    assert train(folder, minutes=0.005) == []  # nothing is left to do
    assert rows[0]["rate"] == 2e-3
    longer = [event for event in train(folder, minutes=0.007) if event["event"] == "generation"]
    # The schedule is as long as the run was first meant to be: more time does not raise the learning rate again.
    assert {row["rate"] for row in longer} == {1e-4}


def test_settings_change_while_it_runs_and_the_change_is_recorded(make_run: Make, train: Train) -> None:
    folder = make_run(generations=6, schedule="constant", lag=1)
    rates = {}

    def report(event: Any) -> None:
        if event["event"] == "generation":
            rates[event["generation"]] = event["rate"]
            if event["generation"] == 2:
                folder.request({"lr": "1e-4", "noise": "0.5"})

    train(folder, report=report)
    (change,) = folder.notes.read("changes").values()
    # While generation 2 ended, the games of generation 3 were already being played.
    assert change["generation"] == 4
    assert change["changes"] == {"lr": 1e-4, "noise": 0.5}
    assert rates == {1: 2e-3, 2: 2e-3, 3: 2e-3, 4: 1e-4, 5: 1e-4, 6: 1e-4}
    assert not list((folder.path / "requests").iterdir())


def test_a_change_asked_for_before_an_end_is_neither_lost_nor_made_twice(
    make_run: Make, train: Train, outcome: Outcome
) -> None:
    whole, stopped = make_run("whole"), make_run("stopped")
    for folder in (whole, stopped):
        folder.request({"noise": "0.9"})
    train(whole)

    def stop(event: Any) -> None:
        if event["event"] == "chunk":
            raise Stop

    with pytest.raises(Stop):
        train(stopped, report=stop)
    train(stopped)
    assert len(stopped.notes.read("changes")) == 1
    assert outcome(stopped) == outcome(whole)


def test_a_request_that_was_recorded_but_not_removed_is_not_made_again(make_run: Make) -> None:
    folder = make_run()
    folder.request({"noise": "0.9"})
    (path,) = (folder.path / "requests").iterdir()
    text = path.read_text()
    assert len(folder.take_requests(2)) == 1
    path.write_text(text)  # as if the process had been killed before it removed the file
    assert folder.take_requests(5) == []
    assert not path.exists()
    assert folder.recipe_at(2).own.as_dict()["noise"] == 0.9


def test_a_longer_run_goes_on_after_its_end(make_run: Make, train: Train, outcome: Outcome) -> None:
    whole, longer = (
        make_run("whole", generations=3, schedule="constant"),
        make_run("longer", generations=2, schedule="constant"),
    )
    train(whole)
    train(longer)
    longer.request({"generations": "3"})
    train(longer)
    assert outcome(longer) == outcome(whole)


def test_the_learning_rate_stays_low_in_a_longer_run_unless_the_schedule_is_changed(
    make_run: Make, train: Train, outcome: Outcome
) -> None:
    folder = make_run(generations=2, chunks=1)
    train(folder)
    folder.request({"generations": "3"})
    train(folder)
    folder.request({"generations": "5", "schedule_length": "8"})
    train(folder)
    rates = [row["rate"] for row in outcome(folder)["curve"]]
    assert rates[:3] == [2e-3, pytest.approx(1.05e-3), 1e-4]
    settings = RunSettings()
    assert rates[3:] == [learning_rate(settings, 3 / 8), learning_rate(settings, 4 / 8)]


def test_the_time_that_a_run_was_first_meant_to_take_is_stored_once(make_run: Make) -> None:
    folder, endless = make_run(), make_run("endless")
    assert [folder.planned_minutes(minutes) for minutes in (60.0, 120.0, None)] == [60.0, 60.0, 60.0]
    assert [endless.planned_minutes(minutes) for minutes in (None, 120.0)] == [None, None]
