"""`arena train` on the command line: a person's view of a run."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import pytest

from arena.cli import run
from arena.cli.chart import chart
from arena.cli.live import print_notice
from arena.cli.train import command
from arena.cli.training_view import TrainingView, curve_lines, event_text
from arena.competition.events import Notice
from arena.training import events as happened
from arena.training.runs import CurvePoint, LadderPoint, TrainingRun
from results.pages.curve import CurveMark, Series

TINY_FOLDER = Path(__file__).parents[2] / "agents" / "self_learning"
#: A run of the command line; the last words are settings.
RUN = ["train", "run", "gomoku:size=5", "--learner", "tiny_learner:TinyLearner", "--name", "small", "--workers", "1"]
SETTINGS = ["generations=2", "chunks=2", "memory=1000", "batch=32", "passes=2", "games=4"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a run that the command line trained, with what it printed."""
    from click.testing import CliRunner

    from arena.cli import cli

    home = tmp_path_factory.mktemp("train")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TINY_FOLDER))
        words = [*RUN, "--home", str(home), "--ladder-minutes", "0", "--profile"]
        ran = CliRunner().invoke(cli, [*words, *(word for text in SETTINGS for word in ("--set", text))])
        assert ran.exit_code == 0, ran.output
        (home / "printed.txt").write_text(ran.stdout)
        (home / "errors.txt").write_text(ran.stderr)
        yield home


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process."""

    def call(*words: str) -> Ran:
        code = run(words)
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def home(small: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be changed."""
    return Path(shutil.copytree(small, tmp_path / "training"))


def test_a_run_prints_a_line_for_each_generation_and_a_curve(small: Path) -> None:
    errors, printed = (small / "errors.txt").read_text(), (small / "printed.txt").read_text()
    assert errors.startswith("small: gomoku:size=5, learner tiny_learner:TinyLearner\ngeneration 1: ")
    assert "generation 2: " in errors
    assert "finished: generation 2" in errors
    assert "CPU-minutes" in printed
    assert "● training  ▲ validation" in printed
    assert "idle (workers)" in printed


def test_status_shows_a_run_and_lists_all(home: Path, arena: Any) -> None:
    ran = arena("train", "status", "small", "--home", str(home))
    assert ran.out.startswith("small: gomoku:size=5, learner tiny_learner:TinyLearner, not running\ngeneration 2: ")
    found = json.loads(arena("train", "status", "small", "--home", str(home), "--json").out)
    assert found["generation"] == 2
    assert len(found["curve"]) == 2
    rows = json.loads(arena("train", "status", "--home", str(home), "--json").out)
    assert [(row["run"], row["game"]) for row in rows] == [("small", "gomoku:size=5")]
    assert "small" in arena("train", "status", "--home", str(home)).out
    assert "there are no runs in" in arena("train", "status", "--home", str(home / "none")).out


@pytest.mark.parametrize("name", ["status", "resume", "report", "ladder", "set", "export", "compare"])
def test_a_run_that_is_not_there_is_one_line(home: Path, arena: Any, name: str) -> None:
    more = {"set": ["lr=1"], "export": ["--name", "x"], "compare": ["small"]}.get(name, [])
    ran = arena("train", name, "smal", *more, "--home", str(home))
    assert ran.code == 2
    assert ran.err == f"arena: there is no training run 'smal' in {home}; did you mean 'small'?\n"


def test_set_records_a_change(home: Path, arena: Any) -> None:
    ran = arena("train", "set", "small", "lr=1e-4", "noise=0.5", "--trust-file", "--home", str(home))
    assert ran.out == "small: lr=0.0001, noise=0.5 when the run goes on\n"
    ran = arena("train", "set", "small", "memory=500", "--trust-file", "--home", str(home))
    assert ran.code == 2
    assert ran.err.startswith("arena: memory cannot change while a run goes on; these can: anchors, ")


def test_the_report_is_written(home: Path, arena: Any, tmp_path: Path) -> None:
    ran = arena("train", "report", "small", "--home", str(home), "-o", str(tmp_path / "x.html"))
    assert ran.code == 0
    assert "</html>" in (tmp_path / "x.html").read_text()
    assert json.loads(arena("train", "report", "small", "--home", str(home), "--json").out)["run"] == "small"


def test_an_agent_is_exported(home: Path, arena: Any, tmp_path: Path) -> None:
    ran = arena(
        "train", "export", "small", "--name", "net", "--out", str(tmp_path), "--trust-file", "--home", str(home)
    )
    assert ran.out.startswith(f"written to {tmp_path / 'net'}: generation 2")
    ran = arena("train", "export", "small", "--name", "random", "--out", str(tmp_path), "--home", str(home))
    assert ran.code == 2
    assert "is the name of a bundled agent" in ran.err
    (tmp_path / "mine").mkdir()
    ran = arena("train", "export", "small", "--name", "mine", "--out", str(tmp_path), "--home", str(home))
    assert ran.code == 2
    assert "exists and is not an exported agent" in ran.err


def test_runs_are_compared(home: Path, arena: Any) -> None:
    shutil.copytree(home / "small", home / "twin")
    for name in ("small", "twin"):
        TrainingRun(home / name).add_to_ladder(
            LadderPoint(generation=2, minutes=1.0, anchor="random", games=4, score=0.5, error=0.2)
        )
    ran = arena("train", "compare", "small", "twin", "--home", str(home))
    assert ran.code == 0
    assert "0.500 ± 0.200" in ran.out
    assert json.loads(arena("train", "compare", "small", "twin", "--home", str(home), "--json").out)["settings"] == {}
    assert arena("train", "compare", "small", "--home", str(home)).code == 2


def test_a_recipe_is_printed_as_toml(arena: Any, tmp_path: Path) -> None:
    import tomllib

    found = tomllib.loads(arena("train", "recipe", "microchess").out)
    assert found["game"] == "microchess"
    assert found["lr"] == 2e-3
    ran = arena("train", "recipe", "no_such_game")
    assert ran.code == 2
    assert "no_such_game" in ran.err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["microchess", "--set", "lrr=1"], "unknown setting 'lrr'; did you mean 'lr'?"),
        (["microchess", "--learner", "alphazero"], "unknown learner 'alphazero'"),
        (["no_such_game"], "no_such_game"),
        (["microchess", "--name", "a/b"], "cannot be the name of a run"),
    ],
)
def test_mistakes_are_one_line(arena: Any, tmp_path: Path, words: list[str], text: str) -> None:
    ran = arena("train", "run", *words, "--home", str(tmp_path))
    assert ran.code == 2
    assert text in ran.err
    assert ran.err.count("\n") == 1


def test_a_broken_recipe_file_is_one_line(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("bach = 3\n")
    ran = arena("train", "run", "microchess", "--recipe", str(tmp_path / "mine.toml"), "--home", str(tmp_path))
    assert ran.code == 2
    assert "mine.toml: unknown setting 'bach'" in ran.err
    assert "did you mean 'batch'?" in ran.err


def subcommands() -> dict[str, click.Command]:
    return dict(command.commands)


@pytest.mark.parametrize("name", subcommands())
def test_every_subcommand_has_examples_help_and_json(name: str) -> None:
    found = subcommands()[name]
    assert found.help is not None
    assert f"arena train {name}" in found.help
    options = [parameter for parameter in found.params if isinstance(parameter, click.Option)]
    assert all(option.help for option in options)
    assert any(option.name == "as_json" for option in options)
    for line in found.help.splitlines():
        if line.strip().startswith("arena train"):
            words = line.partition(">")[0].split()[3:]
            if "mine.toml" not in words:
                found.make_context(name, words)


def point(generation: int, **changes: Any) -> CurvePoint:
    values: dict[str, Any] = {
        "generation": generation, "games": 10, "positions": 300, "nodes": 3000, "rows": 250, "steps": 20,
        "play_seconds": 1.0, "train_seconds": 0.5, "stages": {"net": 0.5}, "losses": {"loss": 1 / generation},
        "validation": {"loss": 2 / generation}, "memory": 250, "total_games": 10 * generation,
        "total_positions": 300 * generation, "total_seconds": 60.0 * generation, "rate": 1e-3, "player": generation,
        "waited": 0.1, "workers_waited": 0.2, "wall": 2.0, "workers": 1, "when": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip
    return CurvePoint(**values | changes)


def rung(generation: int, score: float) -> LadderPoint:
    minutes = float(generation)
    return LadderPoint(generation=generation, minutes=minutes, anchor="random", games=20, score=score, error=0.1)


def test_the_live_view_shows_speed_losses_ladder_and_time_left(tmp_path: Path) -> None:
    from rich.console import Console

    clock = iter([0.0, 0.0, *[60.0] * 10])
    view = TrainingView(TrainingRun(tmp_path), now=lambda: next(clock))
    events: list[happened.TrainingEvent] = [
        happened.RunStarted(run="x", recipe={"game": "g", "learner": "l"}, generation=0, minutes=4.0),
        happened.ChunkPlayed(generation=1, number=2, total=8, games=5, positions=100, seconds=1.0),
        happened.GenerationTrained(point(1)),
        happened.GenerationTrained(point(2)),
        happened.LadderPlayed(rung(1, 0.4)),
        happened.LadderPlayed(rung(2, 0.8)),
        happened.Changed(generation=3, changes={"lr": 0.1}),
        happened.GateDecided(generation=2, accepted=True, score=0.7, games=40),
        happened.LadderGame(generation=2, anchor="random", done=3, total=20),
    ]
    for event in events:
        view.update(event)
    console = Console(width=100)
    with console.capture() as captured:
        console.print(view.render())
    text = captured.get()
    for part in (
        "2.0 of 4 CPU-minutes", "about 0:01:00 left", "5 games/s", "150 positions/s", "loss 0.5000", "loss 1.0000",
        "learning rate 0.001", "0.800 ± 0.100", "points per game against", "game 3 of 20 against random",
        "from generation 3 on: lr=0.1", "generation 2 passed the gate: 0.700 in 40 games",
    ):  # fmt: skip
        assert part in text, part


def test_the_live_view_fits_into_a_small_terminal(tmp_path: Path) -> None:
    from rich.console import Console

    view = TrainingView(TrainingRun(tmp_path), height=lambda: 24)
    for anchor in ("a", "b", "c", "d"):
        for number in (1, 2):
            view.update(happened.LadderPlayed(replace(rung(number, 0.5), anchor=anchor)))
    view.update(happened.GenerationTrained(point(2)))
    console = Console(width=100)
    with console.capture() as captured:
        console.print(view.render())
    assert len(captured.get().splitlines()) < 24  # a view of the full height would leave its first line behind
    assert "● a  ▲ b  ■ c  ◆ d" in captured.get()


def test_a_notice_is_printed_above_the_live_table() -> None:
    """Through what stands for stderr meanwhile, and not past it."""
    from rich.console import Console
    from rich.file_proxy import FileProxy

    shown, past = io.StringIO(), io.TextIOWrapper(io.BytesIO())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", FileProxy(Console(file=shown), past))
        print_notice(Notice("played with the native kernel"))
    assert "native kernel" in shown.getvalue()
    past.flush()
    assert past.buffer.getvalue() == b""  # type: ignore[attr-defined]


def test_every_event_has_a_line_or_is_only_for_the_live_view() -> None:
    assert event_text(happened.RunEnded(generation=3, seconds=90.0)) == "finished: generation 3, 1.5 CPU-minutes"
    started = happened.RunStarted(run="x", recipe={"game": "g", "learner": "l"}, generation=2, minutes=None)
    assert event_text(started) == "x: g, learner l, continues after generation 2"
    assert event_text(happened.LadderPlayed(rung(2, 0.5))) == "generation 2 against random: 0.500 ± 0.100 (20 games)"
    refused = happened.GateDecided(generation=2, accepted=False, score=0.5, games=1)
    assert event_text(refused) == "generation 2 did not pass the gate: 0.500 in 1 game"
    assert event_text(happened.LadderGame(generation=1, anchor="a", done=1, total=2)) == ""


def test_a_curve_rises_from_left_to_right() -> None:
    marks = tuple(CurveMark(float(x), x / 10) for x in range(11))
    lines = chart([Series("score", marks)], width=21, height=5, y_range=(0.0, 1.0))
    columns = [line.index("●") for line in lines[:5]]
    assert columns == sorted(columns, reverse=True)
    assert lines[0].startswith("      1 ┤")
    assert lines[4].startswith("      0 ┤●")
    assert lines[-1].strip() == "● score"
    assert "10 CPU-minutes" in lines[-2]


def test_points_of_several_curves_at_one_place_stand_side_by_side() -> None:
    top = tuple(CurveMark(float(x), 1.0) for x in (0, 1))
    lines = chart([Series(name, top) for name in "abc"], width=21, height=3, y_range=(0.0, 1.0))
    assert lines[0] == "      1 ┤●▲■···············■▲●"
    assert lines[1].startswith("    0.5 ┤")


def test_a_flat_curve_and_an_empty_one_can_be_drawn() -> None:
    assert chart([Series("x", ())]) == []
    assert "●" in "".join(chart([Series("x", (CurveMark(0.0, 1.0),))]))


def test_the_curve_shows_the_ladder_as_soon_as_there_are_two_points() -> None:
    assert curve_lines([], []) == []
    assert curve_lines([point(1), point(2)], [rung(1, 0.5)])[0] == "loss"
    assert curve_lines([point(1)], [rung(1, 0.5), rung(2, 0.6)])[0] == "points per game against"


def test_events_are_json_lines(home: Path, arena: Any) -> None:
    ran = arena(
        "train", "resume", "small", "--trust-file", "--home", str(home), "--json", "--ladder-minutes", "0", "--profile"
    )
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["event"] for line in lines] == ["started", "finished", "profile"]


def test_ctrl_c_says_that_the_same_command_continues(small: Path, tmp_path: Path, processes: Any) -> None:
    words = [*RUN, "--home", str(tmp_path), "--ladder-minutes", "0", "--set", "chunks=2", "--set", "games=2"]
    path = os.pathsep.join([str(TINY_FOLDER), *filter(os.path.isabs, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "arena", *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": path},
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("small: gomoku:size=5")
    (learning,) = [child for child in processes.children(process.pid) if "agents.self_learning" in child.command]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.splitlines()[-1].startswith("interrupted: ")
    assert errors.endswith(" stored; the same command continues\n")
    assert processes.until(lambda: not learning.runs)


Invoke = Callable[..., Any]


@pytest.mark.soak
def test_make_learn_climbs_past_two_step_search(arena: Invoke, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path))
    assert arena("train", "run", "microchess", "--minutes", "5", "--name", "make-learn").code == 0
    assert arena("train", "export", "make-learn", "--name", "learned", "--out", str(tmp_path)).code == 0
    teachers = ["random", "one_step_search", "two_step_search", "abp_negamax:depth=3"]
    ran = arena(
        "league", f"{tmp_path / 'learned'}:nodes=2000", *teachers, "--rounds", "4", "--opening-turns", "4",
        "--db", str(tmp_path / "learn.db"),
    )  # fmt: skip
    assert ran.code == 0
    order = [line.split()[1] for line in ran.out.splitlines() if line.strip()[:1].isdigit()]
    names = [name.partition(":")[0] for name in order]
    assert names.index("learned") < names.index("two_step_search")
