"""The report of a run: one HTML page with its curves, ladder, games, settings and origin; and the same as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from arena.training.runs import CurvePoint, LadderPoint, TrainingRun
from games.base import load_stored
from results.pages.curve import CurveMark, Series, curve
from results.pages.example_games import SCRIPTS, ExampleGame, example_games
from results.pages.page import Page, section, shown, standalone, table
from results.store import utc

__all__ = ["as_dict", "ladder_series", "loss_series", "profile", "report_content", "report_page"]

_MINUTES: Final = "CPU-minutes of self-play and training"
#: Generations of which games are shown.
_SHOWN_GENERATIONS: Final = 12


def as_dict(run: TrainingRun) -> dict[str, Any]:
    """Everything that is stored about a run, for JSON."""
    points = run.curve()
    return {
        "run": run.name,
        "running": run.is_running,
        "recipe": run.recipe,
        "created": run.configuration().get("created"),
        "made_with": run.configuration().get("made_with"),
        "generation": points[-1].generation if points else 0,
        "cpu_minutes": points[-1].minutes if points else 0.0,
        "games": points[-1].total_games if points else 0,
        "positions": points[-1].total_positions if points else 0,
        "changes": run.changes(),
        "gates": run.gates(),
        "curve": [asdict(point) for point in points],
        "ladder": [asdict(point) for point in run.ladder()],
        "profile": profile(points),
    }


def profile(points: Sequence[CurvePoint]) -> dict[str, float]:
    """Where the time went: CPU seconds of each stage of self-play and of training; seconds that workers waited."""
    found: dict[str, float] = {}
    for point in points:
        for stage, seconds in point.stages.items():
            found[stage] = found.get(stage, 0.0) + seconds
    played = sum(point.play_seconds for point in points)
    found["other self-play"] = max(0.0, played - sum(found.values()))
    found["training"] = sum(point.train_seconds for point in points)
    found["idle (workers)"] = sum(point.workers_waited for point in points)
    return found


def loss_series(points: Sequence[CurvePoint]) -> list[Series]:
    """The total loss over the CPU time, on samples that were trained on and on others."""
    trained = tuple(CurveMark(point.minutes, point.losses["loss"]) for point in points if point.losses)
    unseen = tuple(CurveMark(point.minutes, point.validation["loss"]) for point in points if point.validation)
    return [Series("training", trained), Series("validation", unseen)]


def ladder_series(points: Sequence[LadderPoint]) -> list[Series]:
    """The score against each anchor over the CPU time, with error bars."""
    names = list(dict.fromkeys(point.anchor for point in points))
    return [
        Series(
            name,
            tuple(
                CurveMark(point.minutes, point.score, point.error)
                for point in sorted(points, key=lambda point: point.minutes)
                if point.anchor == name
            ),
        )
        for name in names
    ]


def report_page(run: TrainingRun) -> str:
    """The page; it is one file and loads nothing."""
    return standalone(report_content(run))


def report_content(run: TrainingRun) -> Page:
    """The page without its frame."""
    points, ladder = run.curve(), run.ladder()
    done = points[-1] if points else None
    summary = (
        f"generation {done.generation}, {done.minutes:.1f} CPU-minutes, {done.total_games:,} games of self-play"
        if done
        else "no generation is finished yet"
    )
    examples = _examples(run)
    body = [
        "<header>",
        f"<h1>{shown(run.name)}</h1>",
        f"<p>{shown(str(run.recipe['game']))}, learner {shown(str(run.recipe['learner']))}: {summary}</p>",
        "</header>",
        "<main>",
        *section("Strength", _ladder(ladder), name="ladder"),
        *section("Losses", [curve(loss_series(points), title="Losses", x_label=_MINUTES)], name="losses"),
        *section("Speed", [_speed(points)], name="speed"),
        *(section("Games of self-play", example_games(load_stored(run.recipe["game"]), examples), name="games")
          if examples else []),
        *section("Where the time went", [_profile(points)], name="profile"),
        *section("Settings", list(_settings(run)), name="settings"),
        *section("How this was made", [_facts(run)], name="how"),
        "</main>",
    ]  # fmt: skip
    return Page(f"{run.name}: training run", body, SCRIPTS if examples else ())


def _ladder(points: Sequence[LadderPoint]) -> Iterator[str]:
    if not points:
        yield "<p>The ladder was not played yet.</p>"
        return
    yield curve(ladder_series(points), title="Score against anchors", x_label=_MINUTES, y_range=(0.0, 1.0))
    rows = [
        (
            str(point.generation), f"{point.minutes:.1f}", shown(point.anchor), shown(point.player), str(point.games),
            f"{point.score:.3f} ± {point.error:.3f}", _share(point.as_first), _share(point.as_second),
        )
        for point in points
    ]  # fmt: skip
    headers = ("generation", "CPU-minutes", "against", "with", "games", "score", "as first", "as second")
    caption = "Points per game with half of the 95 % interval; each opening is played twice, with sides swapped."
    yield table(caption, headers, rows, words=("against", "with"))


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _speed(points: Sequence[CurvePoint]) -> str:
    series = [
        Series("positions a second", tuple(
            CurveMark(point.minutes, point.positions / max(point.wall, 1e-9)) for point in points
        )),
    ]  # fmt: skip
    return curve(series, title="Positions of self-play a second of wall time", x_label=_MINUTES)


def _examples(run: TrainingRun) -> list[ExampleGame]:
    found = run.examples()
    stride = max(1, -(-len(found) // _SHOWN_GENERATIONS))
    chosen = sorted(found)[::-1][::stride][::-1]
    return [
        ExampleGame(f"generation {generation}, game {number}", tuple(game["moves"]), game["start"])
        for generation in chosen
        for number, game in enumerate(found[generation], 1)
    ]


def _profile(points: Sequence[CurvePoint]) -> str:
    found = profile(points)
    whole = sum(found.values()) or 1.0
    rows = [(shown(name), f"{seconds:.1f}", f"{seconds / whole:.1%}") for name, seconds in found.items()]
    return table("Seconds of CPU time; idle is wall time", ("stage", "seconds", "share"), rows, words=("stage",))


def _settings(run: TrainingRun) -> Iterator[str]:
    rows = [(shown(key), shown(str(value), 300)) for key, value in run.recipe.items()]
    yield table("The settings in force", ("setting", "value"), rows, words=("setting", "value"))
    if changes := run.changes():
        lines = [(str(one["generation"]), shown(_pairs(one["changes"]), 300), shown(one["asked"])) for one in changes]
        headers = ("from generation", "change", "asked")
        yield table("Changed while it ran", headers, lines, words=("change", "asked"))


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())


def _facts(run: TrainingRun) -> str:
    about = run.configuration()
    facts = {"run": run.name, "started": str(about.get("created", "")), "page made": utc.stamp(utc.now())}
    facts |= {str(name): str(version) for name, version in about.get("made_with", {}).items()}
    items = "".join(f"<dt>{shown(name)}</dt><dd>{shown(text)}</dd>" for name, text in facts.items() if text)
    return f'<dl class="facts">{items}</dl>'
