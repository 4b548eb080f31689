"""Training runs as `arena` sees them: started, watched, changed, measured, exported, reported."""

import json
import os
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import arena as api
from arena.errors import BadSettings, TrainingFailed
from arena.training import events as happened
from arena.training import ladder as ladders
from arena.training.comparison import compare
from arena.training.ladder import Ladder, decide, opening_options
from arena.training.learning_process import LearningProcess, call
from arena.training.report import as_dict, profile, report_page
from arena.training.runs import LadderPoint, TrainingRun, check_name, find, runs, training_folder
from arena.training.session import TrainOptions, change, recipe_of, train
from results.api import load

Trained = tuple[TrainingRun, list[happened.TrainingEvent]]
Options = Callable[..., TrainOptions]


def test_a_run_says_what_happens(trained: Trained) -> None:
    run, events = trained
    kinds = Counter(type(event) for event in events)
    assert kinds == {
        happened.RunStarted: 1,
        happened.ChunkPlayed: 6,
        happened.GenerationTrained: 3,
        happened.RunEnded: 1,
    }
    assert isinstance(events[0], happened.RunStarted)
    assert events[0].recipe["game"] == "gomoku:size=5"
    points = [event.point for event in events if isinstance(event, happened.GenerationTrained)]
    assert points == run.curve()
    assert [point.generation for point in points] == [1, 2, 3]
    assert points[-1].total_games == 24
    assert not run.is_running


def test_the_same_call_finds_nothing_left_to_do(run: TrainingRun, tiny_options: Options) -> None:
    events: list[happened.TrainingEvent] = []
    train(tiny_options(run.folder.parent), on_event=events.append)
    assert [type(event) for event in events] == [happened.RunStarted, happened.RunEnded]
    assert len(run.curve()) == 3


def test_python_continues_a_run_of_the_command_line(run: TrainingRun, with_tiny_learner: None) -> None:
    """The settings are the same, also as Python values; others would be refused."""
    events: list[happened.TrainingEvent] = []
    settings = {
        "generations": 3, "chunks": 2, "memory": 2000, "batch": 32, "passes": 2.0, "games": 4, "ladder_games": 4,
        "anchors": ["random"],
    }  # fmt: skip
    found = api.train(
        "gomoku:size=5", learner="tiny_learner:TinyLearner", settings=settings, minutes=None, workers=1, name="tiny",
        home=run.folder.parent, ladder_minutes=0, on_event=events.append,
    )  # fmt: skip
    assert found == run
    assert [type(event) for event in events] == [happened.RunStarted, happened.RunEnded]
    with pytest.raises(api.ArenaError, match="unknown setting 'lrr'"):
        api.train("gomoku:size=5", settings={"lrr": 1}, name="tiny", home=run.folder.parent)


def test_a_change_is_made_when_the_run_goes_on(run: TrainingRun, tiny_options: Options) -> None:
    assert change(run, ["lr=0.5", "noise=0.25"]) == {"lr": 0.5, "noise": 0.25}
    events: list[happened.TrainingEvent] = []
    train(tiny_options(run.folder.parent), on_event=events.append)
    changed = happened.Changed(generation=4, changes={"lr": 0.5, "noise": 0.25})
    assert [event for event in events if isinstance(event, happened.Changed)] == [changed]
    assert run.recipe["lr"] == 0.5


def test_a_wrong_change_is_one_line(run: TrainingRun) -> None:
    with pytest.raises(BadSettings, match=r"^unknown setting 'lrr'; did you mean 'lr'\?$"):
        change(run, ["lrr=1"])


def test_other_settings_under_the_same_name_are_refused(run: TrainingRun, tiny_options: Options) -> None:
    with pytest.raises(BadSettings, match=r"the run tiny has other settings \(seed was 1, is 2\)"):
        train(tiny_options(run.folder.parent, "seed=2"), on_event=lambda _: None)


def test_a_process_that_is_killed_is_named(run: TrainingRun) -> None:
    with LearningProcess(["run", str(run.folder)]) as process:
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(TrainingFailed, match="killed by signal 9"):
            list(process.lines())


def test_a_run_is_found_by_name(run: TrainingRun) -> None:
    folder = run.folder.parent
    assert find("tiny", folder=folder) == run
    assert [each.name for each in runs(folder)] == ["tiny"]
    with pytest.raises(BadSettings, match=r"there is no training run 'tinny' in .*; did you mean 'tiny'\?"):
        find("tinny", folder=folder)
    with pytest.raises(BadSettings, match="runs are tiny"):
        find("zzz", folder=folder)
    with pytest.raises(BadSettings, match="there are none"):
        find("zzz", folder=folder / "empty")
    with pytest.raises(BadSettings, match="cannot be the name of a run"):
        check_name("../x")


def test_runs_live_in_the_home_of_arena(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path))
    assert training_folder() == tmp_path / "training"
    assert training_folder(tmp_path / "x") == tmp_path / "x"
    assert TrainOptions(game="gomoku:size=5", learner="a.b:C").run.name == "gomoku-size-5-a.b-C"
    assert TrainOptions(game="microchess").run.folder == tmp_path / "training" / "microchess"


def check_openings(run: TrainingRun) -> None:
    """See that no game of a run ended by a fault, and that each opening was played twice, with sides swapped."""
    records = [game.record for game in load(run.db).games(None)]
    assert {record.fault for record in records} == {None}
    openings = Counter((record.start, record.opening) for record in records)
    assert set(openings.values()) == {2}
    for opening in openings:
        seats = {record.first.name for record in records if (record.start, record.opening) == opening}
        assert len(seats) == 2


def test_pitfall_17_the_ladder_plays_each_opening_twice_with_sides_swapped(
    run: TrainingRun, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    games: list[Any] = []
    (point,) = Ladder(run=run, workers=1, on_game=games.append).play(3)
    assert (point.generation, point.anchor, point.games) == (3, "random", 4)
    assert point.minutes == run.curve()[-1].minutes
    assert games[-1] == happened.LadderGame(generation=3, anchor="random", done=4, total=4)
    check_openings(run)
    assert run.ladder() == [point]
    assert Ladder(run=run, on_game=games.append).play(3) == [point]
    assert len(games) == 4  # nothing was played again


def test_the_ladder_is_read_in_the_order_of_the_anchors(run: TrainingRun) -> None:
    with run._open("configuration") as notes:
        notes["recipe"] = notes["recipe"] | {"anchors": ["random", "alphabeta"]}
    for generation, anchor in ((2, "alphabeta"), (2, "another"), (2, "random"), (1, "alphabeta")):
        run.add_to_ladder(LadderPoint(generation=generation, minutes=1.0, anchor=anchor, games=2, score=0.5, error=0.1))
    found = [(point.generation, point.anchor) for point in run.ladder()]
    assert found == [(1, "alphabeta"), (2, "random"), (2, "alphabeta"), (2, "another")]


def test_the_ladder_needs_a_generation_that_is_there(run: TrainingRun) -> None:
    with pytest.raises(BadSettings, match="has no generation 9; the last is 3"):
        Ladder(run=run).play(9)


def test_a_fault_of_the_trained_agent_is_an_error_and_not_a_score(
    run: TrainingRun, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    (run.folder / "weights" / "000002.bin").write_bytes(b"not weights")
    with pytest.raises(TrainingFailed, match=r"the trained agent broke the rule exception: .*arena why \d"):
        Ladder(run=run, games=2, workers=1).play(2)
    assert run.ladder() == []


def test_microchess_starts_from_level_openings_and_other_games_from_random_turns() -> None:
    path = opening_options("microchess")["openings"]
    positions = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert len(positions) == len(set(positions)) == 200
    assert opening_options("microchess:turns=60") == {"opening_turns": 4}
    assert opening_options("othello") == {"opening_turns": 4}


@pytest.mark.parametrize(("kind", "wanted"), [("score", 0.0), ("score", 1.01), ("sprt", 0.6)])
def test_pitfall_17_a_gate_is_a_match_of_the_two_nets_from_paired_openings(
    run: TrainingRun, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, wanted: float
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    places = [tmp_path / "new", tmp_path / "old"]
    for place, generation in zip(places, (3, 1), strict=True):
        run.export(place, generation=generation)
    challenge = {
        "generation": 3, "candidate": str(places[0]), "best": str(places[1]), "kind": kind, "score": wanted,
        "games": 2, "player": "",
    }  # fmt: skip
    verdict = decide(run, challenge, workers=1)
    assert verdict["games"] == 2
    assert verdict["accepted"] == (kind == "score" and wanted == 0.0)
    check_openings(run)


class ScriptedProcess:
    """A learning process that says what a test wants, and takes note of the answers."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self._lines = lines
        self.answers: list[Any] = []

    def __call__(self, _arguments: Any) -> "ScriptedProcess":
        return self

    def __enter__(self) -> "ScriptedProcess":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def lines(self) -> Iterator[dict[str, Any]]:
        return iter(self._lines)

    def answer(self, value: Any) -> None:
        self.answers.append(value)


def test_the_gate_and_the_ladder_are_played_during_a_run(
    trained: Trained, tiny_options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    def play(_ladder: Ladder, generation: int) -> list[LadderPoint]:
        played.append(generation)
        return [LadderPoint(generation=generation, minutes=0, anchor="x", games=2, score=1.0, error=0.1)]

    def answer(_run: TrainingRun, challenge: Any, **_: Any) -> dict[str, Any]:
        return {"accepted": challenge["generation"] == 1, "score": 0.25, "games": 4}

    chunk = {"event": "chunk", "number": 0, "of": 1, "games": 4, "positions": 40, "seconds": 0.1}
    recipe = {"game": "gomoku:size=5", "learner": "tiny_learner:TinyLearner", "anchors": ["random"]}
    script: list[dict[str, Any]] = [{"event": "started", "run": "x", "recipe": recipe, "generation": 0}]
    for point in trained[0].curve()[:2]:
        number = {"generation": point.generation}
        script += [chunk | number, {"event": "gate"} | number, {"event": "generation", **asdict(point), "player": 1}]
    process = ScriptedProcess([*script, {"event": "finished", "generation": 2, "seconds": 1.0}])
    monkeypatch.setattr(Ladder, "play", play)
    monkeypatch.setattr("arena.training.session.decide", answer)
    monkeypatch.setattr("arena.training.session.LearningProcess", process)
    events: list[happened.TrainingEvent] = []
    train(tiny_options(tmp_path, ladder_minutes=1e-9), on_event=events.append)
    assert [each["accepted"] for each in process.answers] == [True, False]
    verdicts = [event for event in events if isinstance(event, happened.GateDecided)]
    assert verdicts[1] == happened.GateDecided(generation=2, accepted=False, score=0.25, games=4)
    assert played == [0, 1, 1, 1]  # the net that knows nothing, then the one that plays after each generation
    assert len([event for event in events if isinstance(event, happened.LadderPlayed)]) == 4


def test_an_exported_agent_plays_in_the_sandbox_without_torch(
    run: TrainingRun, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arena: Any
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    made = run.export(tmp_path / "my_net")
    assert made["generation"] == 3
    assert not re.search(r"\btorch\b", (tmp_path / "my_net" / "agent.py").read_text())
    ran = arena("submit", str(tmp_path / "my_net"), "--game", "gomoku:size=5", "--name", "my_net", "--json")
    assert ran.code == 0, ran.err
    ran = arena("benchmark", "my_net", "random", "--game", "gomoku:size=5", "--games", "4", "--json", "--db", "x.db")
    assert ran.code == 0, ran.err
    assert "torch" not in json.dumps(ran.out)


def test_the_report_is_one_page(run: TrainingRun) -> None:
    run.add_to_ladder(LadderPoint(generation=2, minutes=0.1, anchor="<random>", games=4, score=0.5, error=0.2))
    run.add_to_ladder(LadderPoint(generation=3, minutes=0.2, anchor="<random>", games=4, score=0.75, error=0.2))
    page = report_page(run)
    assert page.startswith("<!DOCTYPE html>")
    assert "<random>" not in page
    for text in ("0.750 ± 0.200", "generation 3, game 1", "tiny_learner:TinyLearner", "weight_decay", "numpy"):
        assert text in page
    assert page.count("<svg") > 3
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_run_without_a_generation_has_a_report_too(run: TrainingRun, tmp_path: Path) -> None:
    new = TrainingRun(tmp_path / "new")
    new.folder.mkdir()
    with new._open("configuration") as notes:
        notes.update(run.configuration())
    assert "no generation is finished yet" in report_page(new)
    assert as_dict(new)["generation"] == 0


def test_the_profile_adds_up(run: TrainingRun) -> None:
    found = profile(run.curve())
    assert set(found) == {"search", "other self-play", "training", "idle (workers)"}
    whole = sum(point.play_seconds + point.train_seconds for point in run.curve())
    assert found["search"] + found["other self-play"] + found["training"] == pytest.approx(whole)


def test_runs_are_compared_at_the_same_cpu_time(run: TrainingRun) -> None:
    other = TrainingRun(Path(shutil.copytree(run.folder, run.folder.with_name("other"))))
    with other._open("configuration") as notes:
        notes["recipe"] = notes["recipe"] | {"seed": 2}
    for one, minutes in ((run, (1.0, 2.0, 5.0)), (other, (1.5, 3.0))):
        for number, at in enumerate(minutes):
            one.add_to_ladder(
                LadderPoint(generation=number, minutes=at, anchor="random", games=4, score=at / 10, error=0.1)
            )
    found = compare([run, other])
    assert found["settings"] == {"seed": [1, 2]}
    assert [one["run"] for one in found["runs"]] == ["tiny", "other"]
    (line,) = found["ladder"]
    assert line["cpu_minutes"] == 3.0
    assert [score["score"] for score in line["scores"]] == [0.2, 0.3]


def test_the_recipe_of_options_is_explained() -> None:
    found = recipe_of(TrainOptions(game="microchess", settings=["lr=0.25"]))
    assert found["recipe"]["lr"] == 0.25
    assert "help" in found["settings"]["lr"]


def test_a_command_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(BadSettings, match="invalid choice: 'no-such-command'"):
        call("no-such-command")


def test_the_openings_are_shipped() -> None:
    assert (Path(ladders.__file__).parent / "openings" / "microchess.txt").exists()
