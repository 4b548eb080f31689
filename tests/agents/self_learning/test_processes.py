"""The commands of `python -m agents.self_learning`, its gate and its exports."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.self_learning.__main__ import main
from agents.self_learning.export import agent_source, export, newest_player
from agents.self_learning.recipe import Recipe
from agents.self_learning.run import Challenge, Verdict
from agents.self_learning.run_folder import RunFolder

Make = Callable[..., RunFolder]
Train = Callable[..., list[dict[str, Any]]]
Capture = pytest.CaptureFixture[str]


def test_a_setting_is_changed_by_a_command(make_run: Make, capsys: Capture) -> None:
    folder = make_run()
    assert main(["set", str(folder.path), "lr=1e-4", "noise = 0.1"]) == 0
    assert json.loads(capsys.readouterr().out) == {"event": "asked", "changes": {"lr": 1e-4, "noise": 0.1}}
    assert len(list((folder.path / "requests").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["lr"], "write a setting as key=value, not 'lr'\n"),
        (["seed=3"], "seed cannot change while a run goes on"),
        (["lrr=3"], "unknown setting 'lrr'; did you mean 'lr'?\n"),
    ],
)
def test_a_wrong_change_is_one_line(make_run: Make, capsys: Capture, words: list[str], line: str) -> None:
    assert main(["set", str(make_run().path), *words]) == 2
    assert capsys.readouterr().err.startswith(line)


def test_a_run_that_is_not_there_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    assert main(["run", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"there is no run in {tmp_path / 'none'}\n"


def test_another_recipe_under_the_same_name_is_refused(make_run: Make, capsys: Capture) -> None:
    folder = make_run()
    words = ["run", str(folder.path), "--game", "gomoku:size=5", "--learner", "tiny_learner:TinyLearner"]
    assert main(words) == 2
    text = capsys.readouterr().err
    assert "the run run has other settings (generations was 4, is 0; " in text
    assert "`arena train resume run`" in text


def test_missing_torch_is_one_line(make_run: Make, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run()
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["run", str(folder.path)]) == 1
    assert capsys.readouterr().err == (
        "self-learning needs PyTorch, which is not installed; in the folder of arena: pip install -e '.[learn]'\n"
    )


def test_a_check_finds_what_a_run_would_fail_with_and_changes_nothing(
    make_run: Make, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = ["check", str(tmp_path / "new"), "--game", "microchess", "--learner", "self_learning"]
    assert main([*new, "--set", "seed=7"]) == 0
    assert json.loads(capsys.readouterr().out)["recipe"]["seed"] == 7
    assert main([*new, "--set", "network=C64"]) == 2
    assert capsys.readouterr().err.startswith("unknown network 'C64'; ")
    assert not (tmp_path / "new").exists()
    tiny = ["--game", "gomoku:size=5", "--learner", "tiny_learner:TinyLearner"]
    assert main(["check", str(make_run().path), *tiny]) == 2
    assert "the run run has other settings (generations was 4, is 0; " in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(new) == 1
    assert "pip install -e '.[learn]'" in capsys.readouterr().err


def test_a_full_disk_is_one_line_and_the_run_goes_on(
    make_run: Make, train: Train, outcome: Any, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, folder = make_run("whole", generations=2), make_run(generations=2)
    train(whole)

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr("agents.self_learning.checkpoint.write_atomic", full)
        assert main(["run", str(folder.path)]) == 1
    text = "the disk is full; make room and run the same command again: the run goes on\n"
    assert capsys.readouterr().err == text
    assert main(["run", str(folder.path)]) == 0
    assert outcome(folder) == outcome(whole)


def test_the_recipe_of_a_game_is_printed_with_explanations(capsys: Capture) -> None:
    assert main(["recipe", "--game", "microchess", "--set", "lr=0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["recipe"]["learner"] == "learned_alphabeta"
    assert found["recipe"]["lr"] == 0.5
    assert set(found["settings"]) | {"game", "learner"} == set(found["recipe"])
    assert found["settings"]["lr"]["live"]


def test_an_exported_agent_plays_the_moves_that_its_weights_mean(make_run: Make, train: Train, tmp_path: Path) -> None:
    folder = make_run(generations=2)
    train(folder)
    assert main(["export", str(folder.path), str(tmp_path / "net")]) == 0
    assert {path.name for path in (tmp_path / "net").iterdir()} == {
        "README.md", "agent.py", "provenance.json", "weights.bin"
    }  # fmt: skip
    facts = json.loads((tmp_path / "net" / "provenance.json").read_text())
    assert facts["generation"] == 2
    assert facts["recipe"] == folder.known_recipe().as_dict()
    assert facts["cpu_minutes"] > 0
    assert facts["made_with"]["numpy"] == np.__version__
    assert "| seed | 1 |" in (tmp_path / "net" / "README.md").read_text()
    assert (tmp_path / "net" / "weights.bin").read_bytes() == folder.weights(2).read_bytes()


def test_an_export_needs_a_generation_that_is_there(make_run: Make, tmp_path: Path, capsys: Capture) -> None:
    folder = make_run()
    assert main(["export", str(folder.path), str(tmp_path / "net")]) == 1
    assert "has not finished its first generation" in capsys.readouterr().err
    assert main(["export", str(folder.path), str(tmp_path / "net"), "--generation", "7"]) == 1
    assert "has no weights of generation 7" in capsys.readouterr().err
    assert not (tmp_path / "net").exists()


def test_the_source_of_an_exported_agent_derives_from_a_bundled_one() -> None:
    text = agent_source("agents.basic.random_agent", "RandomAgent", about="Plays at random.")
    names: dict[str, Any] = {"__file__": "/somewhere/agent.py"}
    exec(compile(text, "agent.py", "exec"), names)
    assert names["Trained"].__mro__[1].__name__ == "RandomAgent"
    assert "torch" not in text


@pytest.mark.parametrize("verdicts", [[True, False, True], [False, False, False]])
def test_a_net_that_does_not_pass_the_gate_does_not_play(make_run: Make, train: Train, verdicts: list[bool]) -> None:
    folder = make_run(generations=3, gate="score", lag=0)
    asked: list[Challenge] = []

    def gate(challenge: Challenge) -> Verdict:
        asked.append(challenge)
        assert (Path(challenge.candidate) / "agent.py").exists()
        return Verdict(accepted=verdicts[challenge.generation - 1], score=0.5, games=4)

    events = train(folder, gate=gate)
    players = [event["player"] for event in events if event["event"] == "generation"]
    assert players == ([1, 1, 3] if verdicts[0] else [0, 0, 0])
    assert [one.generation for one in asked] == [1, 2, 3]
    assert newest_player(folder) == players[-1]
    assert [verdict["accepted"] for verdict in folder.notes.read("gates").values()] == verdicts


def test_a_verdict_is_not_asked_for_again(make_run: Make, train: Train) -> None:
    folder = make_run(generations=1, gate="score")
    folder.notes.write("gates", {"000001": {"accepted": False, "score": 0.1, "games": 4, "best": 0}})

    def gate(challenge: Challenge) -> Verdict:
        raise AssertionError(challenge)

    (row,) = [event for event in train(folder, gate=gate) if event["event"] == "generation"]
    assert row["player"] == 0


def test_an_export_replaces_an_earlier_one(make_run: Make, train: Train, tmp_path: Path) -> None:
    folder = make_run(generations=2)
    train(folder)
    for generation in (1, 2):
        export(folder, generation=generation, target=tmp_path / "net")
        assert (tmp_path / "net" / "weights.bin").read_bytes() == folder.weights(generation).read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_recipe_of_a_run_contains_its_changes(make_run: Make) -> None:
    folder = make_run()
    folder.request({"lr": "0.5"})
    folder.take_requests(3)
    assert folder.recipe_at(2) == folder.recipe() == Recipe.of(folder.known_recipe().as_dict())
    assert folder.recipe_at(3).run.lr == 0.5
