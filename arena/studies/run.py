"""Running a study: its leagues are played, its measures taken, its training runs trained, and the results returned."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from arena.competition.events import Event
from arena.competition.plan import open_results
from arena.competition.run import Run
from arena.errors import BadSettings
from arena.studies.files import make_folder
from arena.studies.leagues import make_plan
from arena.studies.measure import MeasureCache, measure
from arena.studies.result import MeasurePartResult, PartResult, StudyResult, league_result
from arena.studies.study import LeaguePart, MeasurePart, Part, Study
from arena.studies.training import Training, TrainingStarted
from arena.training.events import TrainingEvent
from results.store import utc
from results.text import plain

__all__ = [
    "MeasureReused", "PartFinished", "PartStarted", "RunOptions", "StudyEvent", "StudyStarted", "TrainingStarted",
    "run",
]  # fmt: skip

_MAX_NAME: Final = 200  # bytes; file systems allow 255, and endings are added


@dataclass(frozen=True, slots=True)
class StudyStarted:
    """The parts of the study were checked; playing starts now."""

    study: Study


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStarted:
    """Part `number` of `total` starts."""

    study: Study
    part: Part
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class MeasureReused:
    """The table of this measure is taken from an earlier run."""

    part: MeasurePart


@dataclass(frozen=True, slots=True)
class PartFinished:
    """A part has its result."""

    result: PartResult


StudyEvent: TypeAlias = (
    StudyStarted | PartStarted | MeasureReused | TrainingStarted | PartFinished | Event | TrainingEvent
)
OnEvent: TypeAlias = Callable[[StudyEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a study is run.

    `db` is the results file, `folder` the place of the report, of the measures kept for later runs and of training
    runs. Leagues and files are called after `name`; without it, after the study. `overrides` replace settings of every
    league. `workers` None: one per core for games, two for training.
    The report shows `command`, the command line that started the run; it is empty if there was none. Measures that are
    not part of arena run only if `trust_modules`: they are not confined.
    """

    db: Path = Path("arena.db")
    folder: Path = Path("studies")
    name: str | None = None
    workers: int | None = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    command: str = ""
    trust_modules: bool = False

    def __post_init__(self) -> None:
        if self.name is not None and (os.sep in self.name or len(os.fsencode(self.name)) > _MAX_NAME):
            raise BadSettings(
                f"the report files are called after the name: it must not contain {os.sep!r} "
                f"and have at most {_MAX_NAME} bytes"
            )


def run(study: Study, options: RunOptions | None = None, *, on_event: OnEvent = lambda _: None) -> StudyResult:
    """Run a study and return what it found; parts that are finished already are read instead of repeated.

    Every game and every generation of a training run is stored as it ends, so a call after an interruption continues
    where the last one stopped. Before the first game it raises `BadSettings` or `UnknownAgent` if a part cannot be
    played, and `TrainingFailed` if it cannot be trained. Raises `MeasureFailed` if a measure prints no table.
    """
    options = options or RunOptions()
    if not options.trust_modules:
        _refuse_foreign_modules(study)
    prefix = options.name or f"study-{study.stem}"
    given = {**options.overrides, "workers": options.workers}
    plans = {
        part.name: make_plan(part.settings, given, name=f"{prefix}-{part.name}", label=part.label)
        for part in study.leagues
    }
    home = (options.folder / f"{options.name or study.stem}.training").absolute()
    trainings = {
        part.name: Training(part, home=home, workers=options.workers, on_event=on_event) for part in study.trainings
    }
    for training in trainings.values():
        training.check()
    make_folder(options.folder)
    cache = MeasureCache(options.folder / f"{options.name or study.name}.measures.json")
    results: list[PartResult] = []
    unplayed: list[str] = []
    with open_results(options.db, *plans.values()) as store:
        on_event(StudyStarted(study))
        runs = {name: Run(store=store, plan=plan, on_event=on_event).rehearse() for name, plan in plans.items()}
        for training in trainings.values():
            training.rehearse(store)
        for number, part in enumerate(study.parts, 1):
            on_event(PartStarted(study=study, part=part, number=number, total=len(study.parts)))
            if isinstance(part, LeaguePart):
                summary = runs[part.name].on_workers()
                unplayed += summary.suspended
                results.append(league_result(part, store, summary.league))
            elif isinstance(part, MeasurePart):
                results.append(_measured(part, cache, on_event=on_event))
            else:
                results.append(trainings[part.name].result())
            on_event(PartFinished(results[-1]))
    return StudyResult(
        study=study, name=options.name or study.stem, parts=tuple(results), command=options.command,
        finished=utc.stamp(utc.now()), unplayed=tuple(unplayed),
    )  # fmt: skip


def _refuse_foreign_modules(study: Study) -> None:
    for part in study.measures:
        if not part.is_harmless:
            raise BadSettings(
                f"the study runs the module {plain(part.module)}, which is not a measure of arena, without the "
                f"sandbox; if you trust it, add --trust-modules"
            )


def _measured(part: MeasurePart, cache: MeasureCache, *, on_event: OnEvent) -> MeasurePartResult:
    table = cache.get(part)
    if table is not None:
        on_event(MeasureReused(part))
    else:
        table = measure(part)
        cache.put(part, table)
    return MeasurePartResult(part=part, table=table)
