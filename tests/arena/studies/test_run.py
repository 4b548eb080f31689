"""Studies run from Python: values and events, without the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.competition.events import Finished, GameStored
from arena.errors import BadSettings
from arena.studies.result import LeaguePartResult, MeasurePartResult
from arena.studies.run import MeasureReused, PartFinished, PartStarted, RunOptions, StudyEvent, StudyStarted, run
from arena.studies.study import Study, load

STUDY = """
title = "Tiny"
question = "Is greedy better?"
claim = "It is."
game = "microchess:turns=8"
opening-turns = 2

[[parts]]
name = "match"
label = "greedy against random"
rounds = 2
entrants = ["greedy", "random"]
short = {}

[[parts]]
name = "growth"
label = "positions"
module = "agents.microchess_growth"
arguments = ["--depth", 2]
short = {}
"""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    (tmp_path / "tiny.toml").write_text(STUDY)
    return load(str(tmp_path / "tiny.toml"))


@pytest.fixture
def options(tmp_path: Path) -> RunOptions:
    return RunOptions(db=tmp_path / "arena.db", folder=tmp_path / "studies", workers=1)


def kinds(events: list[StudyEvent]) -> list[type]:
    wanted = StudyStarted | PartStarted | GameStored | Finished | MeasureReused | PartFinished
    return [type(event) for event in events if isinstance(event, wanted)]


def test_a_run_returns_the_results_and_emits_events(study: Study, options: RunOptions) -> None:
    events: list[StudyEvent] = []
    result = run(study, options, on_event=events.append)
    match, growth = result.parts
    assert isinstance(match, LeaguePartResult)
    assert (match.league.name, match.first.games) == ("study-tiny-match", 4)
    assert isinstance(growth, MeasurePartResult)
    assert growth.table.rows[1][:2] == (2, 110)
    assert (result.name, result.unplayed) == ("tiny", ())
    assert kinds(events) == [
        StudyStarted, PartStarted, *[GameStored] * 4, Finished, PartFinished, PartStarted, PartFinished,
    ]  # fmt: skip


def test_an_interrupted_run_continues_with_the_next_call(study: Study, options: RunOptions) -> None:
    stored: list[str] = []

    def interrupt(event: StudyEvent) -> None:
        if isinstance(event, GameStored):
            stored.append(event.record.key)
            if len(stored) == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(study, options, on_event=interrupt)
    events: list[StudyEvent] = []
    run(study, options, on_event=events.append)
    stored += [event.record.key for event in events if isinstance(event, GameStored)]
    assert len(set(stored)) == len(stored) == 4
    (finished,) = [event for event in events if isinstance(event, Finished)]
    assert (finished.summary.done, finished.summary.total) == (4, 4)


def test_a_finished_run_is_read_again_without_playing_or_measuring(study: Study, options: RunOptions) -> None:
    first = run(study, options)
    events: list[StudyEvent] = []
    again = run(study, options, on_event=events.append)
    assert again.measures == first.measures
    assert again.leagues[0].meetings == first.leagues[0].meetings
    assert kinds(events) == [
        StudyStarted, PartStarted, Finished, PartFinished, PartStarted, MeasureReused, PartFinished,
    ]  # fmt: skip


def test_a_name_must_be_a_file_name() -> None:
    with pytest.raises(BadSettings, match="must not contain '/'"):
        RunOptions(name="a/b")


def test_studies_need_no_command_line() -> None:
    code = "import sys, arena.studies.run, arena.studies.report; print('click' in sys.modules)"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
