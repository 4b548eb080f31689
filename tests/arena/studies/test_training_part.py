"""Training parts of studies: how they are read, trained, measured, continued and shown."""

import json
import runpy
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from agents.self_learning.recipe import Recipe, shipped
from arena.cli import run as run_command
from arena.errors import BadSettings, TrainingFailed, UnknownAgent
from arena.studies import study as study_file
from arena.studies.report import as_dict, html, markdown
from arena.studies.result import LearningPoint, StudyResult, TrainingPartResult
from arena.studies.run import PartFinished, RunOptions, StudyEvent, TrainingStarted, run
from arena.studies.study import Study, load
from arena.studies.tables import report_tables
from arena.studies.training import generation_at
from arena.studies.training_part import Variant
from arena.training.events import GenerationTrained, LadderGame, LadderPlayed, RunStarted
from arena.training.runs import CurvePoint, TrainingRun

TINY_FOLDER = Path(__file__).parents[2] / "agents" / "self_learning"
HEAD = """
title = "A study"
question = "Does it learn?"
claim = "It does."
"""
TRAINING = """
[[parts]]
name = "curve"
label = "two variants"
train = "microchess"
learner = "learned_alphabeta"
minutes = 5
seeds = [1, 2]
points = [0, 1, 5]
anchors = ["random", "alphabeta:depth=4"]
player = "nodes=100"
games = 20
settings = { passes = 4.0, anchors = ["random"] }
short = { minutes = 0.01, points = [0.01], seeds = [3], games = 2 }

[parts.variants]
"as shipped" = {}
"result share 0.3" = { result_share = 0.3 }
"""
TINY = (
    HEAD
    + """
[[parts]]
name = "learn"
label = "a tiny learner"
train = "gomoku:size=5"
learner = "tiny_learner:TinyLearner"
minutes = 0.0001
seeds = [1]
anchors = ["random"]
games = 2
settings = { chunks = 2, memory = 1000, batch = 32, passes = 2, games = 4 }
short = false

[[parts]]
short = {}
name = "growth"
module = "agents.microchess_growth"
arguments = ["--depth", 1]
label = "positions"
"""
)


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., Study]:
    """Write a study file with this text and read it."""

    def read(text: str, *, short: bool = False) -> Study:
        (tmp_path / "mine.toml").write_text(text)
        return load(str(tmp_path / "mine.toml"), short=short)

    return read


def test_a_training_part_has_a_run_for_each_variant_and_seed(study: Callable[..., Study]) -> None:
    (part,) = study(HEAD + TRAINING).trainings
    assert (part.game, part.learner, part.player) == ("microchess", "learned_alphabeta", "nodes=100")
    assert part.variants == (
        Variant(name="as shipped"),
        Variant(name="result share 0.3", settings={"result_share": 0.3}),
    )
    assert [part.run_name(variant, seed) for variant, seed in part.runs] == [
        "curve-as-shipped-5m-seed1", "curve-as-shipped-5m-seed2", "curve-result-share-0.3-5m-seed1",
        "curve-result-share-0.3-5m-seed2",
    ]  # fmt: skip
    assert part.points == (0.0, 1.0, 5.0)


def test_the_games_and_minutes_of_both_forms_are_known(study: Callable[..., Study]) -> None:
    full, short = study(HEAD + TRAINING), study(HEAD + TRAINING, short=True)
    assert (full.games, full.minutes) == (4 * 3 * 2 * 20, 20.0)
    assert (short.games, short.minutes) == (2 * 1 * 2 * 2, 0.02)


def test_without_points_a_run_is_measured_at_its_end(study: Callable[..., Study]) -> None:
    text = TRAINING.replace("points = [0, 1, 5]\n", "").replace(" points = [0.01],", "")
    assert study(HEAD + text).trainings[0].points == (5.0,)
    assert study(HEAD + text, short=True).trainings[0].points == (0.01,)


def test_a_part_without_variants_has_one_without_a_name(study: Callable[..., Study]) -> None:
    (part,) = study(HEAD + TRAINING.partition("[parts.variants]")[0]).trainings
    assert part.variants == (Variant(),)
    assert part.run_name(part.variants[0], 2) == "curve-5m-seed2"


def test_anchors_beside_the_study_are_found(study: Callable[..., Study], tmp_path: Path) -> None:
    (part,) = study(HEAD + TRAINING.replace('["random", "alpha', '["./mine.py", "alpha')).trainings
    assert part.anchors[0] == f"{tmp_path}/./mine.py"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("minutes = 5", "minute = 5", "part 1: unknown key 'minute'; did you mean 'minutes'?"),
        ("{ minutes = 0.01,", "{ minute = 0.01,", "part 1: unknown key 'minute'; did you mean 'minutes'? in short"),
        ("{ minutes = 0.01,", '{ train = "go",', "part 1: unknown key 'train'"),
        ("minutes = 5", "", "part 1: minutes is missing"),
        ("minutes = 5", "minutes = 0", "part 1: minutes must be a number of CPU-minutes above 0, not 0"),
        ("minutes = 0.01", "minutes = -1", "part 1: minutes must be a number of CPU-minutes above 0, not -1"),
        ("minutes = 5", "minutes = true", "part 1: minutes must be a number of CPU-minutes above 0, not True"),
        ("seeds = [1, 2]", "", "part 1: seeds is missing"),
        ("seeds = [1, 2]", "seeds = []", "part 1: seeds must be a list that is not empty"),
        ("seeds = [1, 2]", "seeds = 1", "part 1: seeds must be a list that is not empty, not 1"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "part 1: seeds must differ"),
        ("seeds = [1, 2]", "seeds = [1, -2]", "part 1: each of the seeds must be a whole number from 0 to"),
        ("[0, 1, 5]", "[1, 6]", "part 1: points must be rising CPU-minutes from 0 to 5, not [1, 6]"),
        ("[0, 1, 5]", "[2, 1]", "part 1: points must be rising CPU-minutes"),
        ("[0, 1, 5]", '["1"]', "part 1: points must be rising CPU-minutes"),
        ("points = [0.01]", "points = [1]", "part 1: points must be rising CPU-minutes from 0 to 0.01, not [1]"),
        ('["random", "alphabeta:depth=4"]', "[]", "part 1: anchors must be a list that is not empty"),
        ('["random", "alphabeta:depth=4"]', '["random", "random"]', "part 1: anchors must be a list of different"),
        ("games = 20", "games = 21", "part 1: games must be an even number from 2 to 100000: each opening is played"),
        ("games = 20", "games = 0", "part 1: games must be an even number"),
        ("games = 20", "rounds = 20", "part 1: a part has only one of entrants, module and train: rounds belongs"),
        ("{ passes = 4.0", "{ seed = 4", "part 1: settings must not have a seed; write seeds = [1, 2] in the part"),
        ("{ passes = 4.0", "{ passes = {}", "part 1: settings: passes must be a number, a text, true or false, or"),
        ("{ result_share = 0.3 }", "0.3", "part 1: variant 'result share 0.3' must be a table of settings"),
        ('"as shipped" = {}', '"" = {}', "part 1: the name of a variant must be a text with visible characters"),
        ('"as shipped" = {}', '"result-share 0.3" = {}', "two runs would be stored as 'curve-result-share"),
        ('train = "microchess"', "", "part 1: learner belongs to a part with train; train is missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_the_nearest_key(
    study: Callable[..., Study], old: str, new: str, message: str
) -> None:
    assert old in TRAINING
    with pytest.raises(BadSettings) as caught:
        study(HEAD + TRAINING.replace(old, new, 1))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("name", ["learning-microchess", "learning-ablations", "earlier-recipe"])
def test_the_settings_of_bundled_studies_can_be_trained(name: str, short: bool) -> None:
    """What `python -m agents.self_learning check` does, in this process."""
    for part in load(name, short=short).trainings:
        for variant in part.variants:
            path = shipped(part.game, part.learner)
            assert path is not None
            values = {**tomllib.loads(path.read_text()), **part.settings, **variant.settings}
            Recipe.of(values, game=part.game, learner=part.learner).make_learner()


def test_the_ablations_change_one_setting_at_a_time_over_two_seeds() -> None:
    parts = load("learning-ablations").trainings
    assert sum(len(part.variants) - 1 for part in parts) >= 6
    for part in parts:
        first, *others = part.variants
        assert (dict(first.settings), part.settings) == ({}, {})
        assert (part.minutes, part.seeds) == (5.0, (1, 2))
        assert part.match_games >= 100
        assert others
        for variant in others:
            keys = set(variant.settings) - {"player"}  # which does not change what is learned
            assert len(keys) == 1 or keys == {"least_nodes", "most_nodes"}, variant


def curve(*minutes: float) -> list[CurvePoint]:
    values: dict[str, Any] = dict.fromkeys(CurvePoint.__slots__, 0)
    return [
        CurvePoint(**values | {"generation": number, "player": number, "total_seconds": 60 * at})
        for number, at in enumerate(minutes, 1)
    ]


@pytest.mark.parametrize(("minutes", "generation"), [(0.5, 1), (1.0, 1), (1.1, 2), (9.0, 3)])
def test_a_point_is_measured_with_the_first_generation_after_it(minutes: float, generation: int) -> None:
    found = generation_at(curve(1.0, 2.0, 3.0), minutes)
    assert found is not None
    assert found.generation == generation


def test_the_point_zero_is_the_net_that_has_learned_nothing() -> None:
    assert generation_at(curve(1.0), 0.0) is None


def test_anything_wrong_with_the_training_is_reported_before_the_first_game(
    study: Callable[..., Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    options = RunOptions(db=tmp_path / "arena.db", folder=tmp_path / "studies")
    with pytest.raises(
        BadSettings, match=r"^two variants: unknown setting 'result_shar'; did you mean 'result_share'\?$"
    ):
        run(study(HEAD + TRAINING.replace("{ result_share", "{ result_shar")), options)
    with pytest.raises(UnknownAgent, match="unknown agent 'alphabet'"):
        run(study(HEAD + TRAINING.replace("alphabeta:depth", "alphabet:depth")), options)
    assert not (tmp_path / "arena.db").exists()
    assert not (tmp_path / "studies").exists()


def test_a_wrong_option_of_an_anchor_is_reported_before_the_training(
    study: Callable[..., Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("arena.studies.training.check", lambda _: None)
    options = RunOptions(db=tmp_path / "arena.db", folder=tmp_path / "studies")
    with pytest.raises(UnknownAgent, match="depht"):
        run(study(HEAD + TRAINING.replace("alphabeta:depth", "alphabeta:depht")), options)
    assert not list((tmp_path / "studies").rglob("*"))


def test_without_torch_a_study_says_what_to_install(
    study: Callable[..., Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['torch'] = None\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    options = RunOptions(db=tmp_path / "arena.db", folder=tmp_path / "studies")
    with pytest.raises(TrainingFailed, match=r"^self-learning needs PyTorch, .*: pip install -e '.\[learn\]'$"):
        run(study(HEAD + TRAINING), options)
    assert not (tmp_path / "arena.db").exists()


@dataclass(frozen=True)
class Ran:
    """A tiny study that was interrupted after its first game against the anchor, and then continued."""

    folder: Path
    before: list[StudyEvent]
    after: list[StudyEvent]
    result: StudyResult


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """The only real training in this file."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "tiny.toml").write_text(TINY)
    options = RunOptions(db=folder / "arena.db", folder=folder / "studies", workers=1)
    before: list[StudyEvent] = []
    after: list[StudyEvent] = []

    def interrupt(event: StudyEvent) -> None:
        before.append(event)
        if isinstance(event, LadderGame):
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TINY_FOLDER))
        patch.setenv("ARENA_HOME", str(folder / "home"))
        study = load(str(folder / "tiny.toml"))
        with pytest.raises(KeyboardInterrupt):
            run(study, options, on_event=interrupt)
        result = run(study, options, on_event=after.append)
        yield Ran(folder, before, after, result)


def kinds(events: list[StudyEvent]) -> list[type]:
    wanted = TrainingStarted | RunStarted | GenerationTrained | LadderGame | LadderPlayed | PartFinished
    return [type(event) for event in events if isinstance(event, wanted)]


def test_an_interrupted_part_continues_without_training_again(ran: Ran) -> None:
    assert kinds(ran.before) == [TrainingStarted, RunStarted, GenerationTrained, LadderGame]
    assert kinds(ran.after) == [TrainingStarted, LadderGame, LadderPlayed, PartFinished, PartFinished]
    (game,) = [event for event in ran.after if isinstance(event, LadderGame)]
    assert (game.done, game.total) == (2, 2)


def test_a_point_has_the_cpu_time_and_the_games_of_its_run(ran: Ran) -> None:
    (training,) = ran.result.trainings
    (point,) = training.points
    stored = TrainingRun(ran.folder / "studies" / "tiny.training" / "learn-0.0001m-seed1")
    (generation,) = stored.curve()
    assert (point.seed, point.anchor, point.games, point.self_play_games) == (1, "random", 2, 8)
    assert point.minutes == generation.minutes >= point.point == 0.0001
    (rung,) = stored.ladder()
    assert (point.score, point.error, point.as_first) == (rung.score, rung.error, rung.as_first)
    assert training.learner == "tiny_learner:TinyLearner"


@pytest.fixture
def finished(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the finished study, in the current folder."""
    folder = Path(shutil.copytree(ran.folder, tmp_path / "copy"))
    monkeypatch.chdir(folder)
    return folder


def test_the_command_shows_the_runs_and_writes_their_tables(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["study", "tiny.toml", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("tiny: 2 games and 1 measure and 0.0001 CPU-minutes in 2 parts\n")
    assert "training run 1 of 1: seed 1\ngeneration 1 against random: " in err
    (row,) = [line for line in out.splitlines() if " random " in line]
    assert [cell.strip() for cell in row.split("|")][4:6] == ["random", "2"]
    assert "pip install" not in err
    page = (finished / "studies" / "tiny.html").read_text()
    assert "a tiny learner" in page
    stored = json.loads((finished / "studies" / "tiny.json").read_text())
    assert stored["parts"][0]["points"][0]["games"] == 2


def test_a_changed_setting_is_not_mixed_with_the_stored_run(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finished / "tiny.toml").write_text(TINY.replace("batch = 32", "batch = 64"))
    assert run_command(["study", "tiny.toml"]) == 2
    _, err = capsys.readouterr()
    assert err.startswith("arena: a tiny learner: the run learn-0.0001m-seed1 has other settings (batch was 32, is 64)")
    assert err.count("\n") == 1


def test_ctrl_c_says_that_everything_is_stored(
    finished: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.studies.training.train", stop)
    monkeypatch.setattr("arena.studies.training.check", lambda _: None)
    (finished / "tiny.toml").write_text(TINY.replace("seeds = [1]", "seeds = [2]"))
    assert run_command(["study", "tiny.toml", "--workers", "1"]) == 130
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "interrupted: everything that was trained and played is stored; the same command continues"


def point(variant: str, seed: int, score: float, **changes: Any) -> LearningPoint:
    values: dict[str, Any] = {
        "variant": variant, "seed": seed, "point": 5.0, "minutes": 5.0 + seed / 10, "self_play_games": 1000 * seed,
        "anchor": "random", "player": "nodes=100", "games": 100, "score": score, "error": 0.08, "as_first": score + 0.1,
        "as_second": score - 0.1,
    }  # fmt: skip
    return LearningPoint(**values | changes)


@pytest.fixture
def result(study: Callable[..., Study]) -> StudyResult:
    """Two variants with two seeds, at two points; no games were played for it."""
    made = study(HEAD + TRAINING)
    points = [
        replace(point(variant, seed, score), point=at, minutes=at)
        for variant, scores in {"as shipped": (0.4, 0.5), "result share 0.3": (0.6, 0.7)}.items()
        for seed, score in enumerate(scores, 1)
        for at in (1.0, 5.0)
    ]
    part = TrainingPartResult(part=made.trainings[0], learner="learned_alphabeta", points=tuple(points))
    return StudyResult(study=made, name="mine", parts=[part], command="", finished="2026-05-09T12:30:00.000Z")


def test_seeds_are_pooled_with_an_error_bar_and_compared_with_the_first_variant(result: StudyResult) -> None:
    first, _, other, _ = result.trainings[0].pooled
    assert (first.score, first.games, first.self_play_games) == (pytest.approx(0.45), 200, 1500)
    assert first.error == pytest.approx(0.08 / 2**0.5)
    assert (first.by_seed, first.difference, first.difference_error) == ((0.4, 0.5), None, None)
    assert other.difference == pytest.approx(0.2)
    assert other.difference_error == pytest.approx(0.08)
    assert other.as_first == pytest.approx(0.75)


def test_the_tables_have_the_pooled_scores_then_each_run(result: StudyResult) -> None:
    pooled, each, about, changes = report_tables(result)
    assert pooled.columns == (
        "variant", "CPU-minutes", "self-play", "against", "games", "score", "as first", "as second", "by seed",
        "difference",
    )  # fmt: skip
    assert pooled.rows[2] == (
        "result share 0.3", "1", "1,500", "random", "200", "0.650 ± 0.057", "0.750", "0.550", "0.600, 0.700",
        "+0.200 ± 0.080",
    )  # fmt: skip
    assert each.title == "two variants: each run"
    assert each.rows[1] == ("as shipped", "1", "5", "1,000", "random", "100", "0.400 ± 0.080", "0.500", "0.300")
    assert about.rows == (("two variants", "microchess", "learned_alphabeta", "4", "5", "nodes=100"),)
    assert changes.rows == (
        ("two variants", "all", "passes", "4.0"), ("two variants", "all", "anchors", "['random']"),
        ("two variants", "result share 0.3", "result_share", "0.3"),
    )  # fmt: skip


def test_a_single_run_has_one_table_without_variants(study: Callable[..., Study]) -> None:
    text = TRAINING.partition("[parts.variants]")[0].replace("seeds = [1, 2]", "seeds = [1]")
    made = study(HEAD + text)
    part = TrainingPartResult(part=made.trainings[0], learner="x", points=(point("", 1, 0.5),))
    found = StudyResult(study=made, name="mine", parts=[part], command="", finished="2026-05-09T12:30:00.000Z")
    table, *_ = report_tables(found)
    assert table.title == "two variants"
    assert table.columns[0] == "seed"


def test_the_page_has_a_curve_for_each_variant_and_escapes_their_names(result: StudyResult) -> None:
    page = html(result)
    assert page.count("<svg") == 2
    assert "<h3>result share 0.3</h3>" in page
    (training,) = result.trainings
    hostile = replace(training.part, variants=(Variant(name="<script>"),))
    points = tuple(replace(each, variant="<script>") for each in training.points)
    page = html(replace(result, parts=[replace(training, part=hostile, points=points)]))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_all_formats_have_the_figures(result: StudyResult) -> None:
    found: Any = as_dict(result)
    (part,) = found["parts"]
    assert part["variants"] == {"as shipped": {}, "result share 0.3": {"result_share": 0.3}}
    assert (part["seeds"], part["minutes"], part["settings"]["passes"]) == ([1, 2], 5.0, 4.0)
    assert part["points"][0]["score"] == 0.4
    assert part["pooled"][2]["difference"] == 0.2
    assert json.loads(json.dumps(found)) == found
    assert "| result share 0.3 |             5 |" in markdown(result)
    assert "microchess with native rules" in result.versions


def test_the_tables_of_stored_figures_can_be_printed(result: StudyResult) -> None:
    tables = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "studies.py"))
    text = tables["section"](json.loads(json.dumps(as_dict(result))))
    assert text.startswith(
        "Two variants:\n\n| variant | CPU-minutes | self-play | against | games | score | as first |"
    )
    assert (
        "| result share 0.3 | 5 | 1,500 | random | 200 | 0.650 ± 0.057 | 0.750 | 0.550 | 0.600, 0.700 | +0.200 ± "
        in text
    )
    assert "| as shipped | 5 | 1,500 | random | 200 | 0.450 ± 0.057 | 0.550 | 0.350 | 0.400, 0.500 | – |" in text  # noqa: RUF001


def test_bundled_studies_with_training_have_a_short_form_of_seconds() -> None:
    for name in study_file.names():
        for part in load(name, short=True).trainings:
            assert part.minutes <= 0.02
            assert part.match_games == 2
