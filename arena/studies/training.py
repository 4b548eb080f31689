"""Training parts of a study: their runs are checked, trained, and measured against anchors."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from arena.competition.events import Event
from arena.competition.run import Run
from arena.errors import BadSettings
from arena.studies.leagues import trial_plan
from arena.studies.result import LearningPoint, TrainingPartResult
from arena.studies.training_part import TrainingPart, Variant
from arena.training.events import LadderPlayed, TrainingEvent
from arena.training.ladder import Ladder
from arena.training.runs import CurvePoint, TrainingRun
from arena.training.session import TrainOptions, check, setting_texts, train
from results.store.store import Store

__all__ = ["Training", "TrainingStarted", "generation_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingStarted:
    """Run `number` of `total` of a training part starts or continues; `variant` is empty if the part has none."""

    run: TrainingRun
    variant: str
    seed: int
    number: int
    total: int


OnEvent: TypeAlias = Callable[[TrainingStarted | TrainingEvent | Event], None]


class Training:
    """A training part and its runs, which are stored in the folder `home`."""

    def __init__(self, part: TrainingPart, *, home: Path, workers: int | None, on_event: OnEvent) -> None:
        self._part = part
        self._home = home
        self._workers = workers
        self._on_event = on_event
        self._plan = trial_plan(part.anchors, game=part.game, label=part.label)

    def check(self) -> None:
        """See that every variant can be trained; seeds make no difference to that."""
        for variant in self._part.variants:
            try:
                check(self._options(variant, self._part.seeds[0]))
            except BadSettings as error:
                raise BadSettings(f"{self._part.label}: {error}") from error

    def rehearse(self, store: Store) -> None:
        """Start every anchor once if a run is new, so that mistakes show before hours of training."""
        if not all(self._options(*each).run.exists for each in self._part.runs):
            Run(store=store, plan=self._plan, on_event=self._on_event).rehearse()

    def result(self) -> TrainingPartResult:
        """Train and measure all runs; what is stored is not repeated."""
        points: list[LearningPoint] = []
        learner = ""
        for number, (variant, seed) in enumerate(self._part.runs, 1):
            options = self._options(variant, seed)
            started = TrainingStarted(
                run=options.run, variant=variant.name, seed=seed, number=number, total=len(self._part.runs)
            )
            self._on_event(started)
            if not self._is_over(options.run.curve()):
                train(options, on_event=self._on_event)
            points += self._measured(options.run, variant, seed)
            learner = str(options.run.recipe["learner"])
        return TrainingPartResult(part=self._part, learner=learner, points=tuple(points))

    def _options(self, variant: Variant, seed: int) -> TrainOptions:
        part = self._part
        return TrainOptions(
            game=part.game, learner=part.learner, minutes=part.minutes, home=self._home,
            settings=setting_texts({**part.settings, **variant.settings, "seed": seed}),
            name=part.run_name(variant, seed), ladder_minutes=0, workers=self._workers or TrainOptions().workers,
        )  # fmt: skip

    def _is_over(self, curve: Sequence[CurvePoint]) -> bool:
        return bool(curve) and curve[-1].minutes >= self._part.minutes

    def _measured(self, run: TrainingRun, variant: Variant, seed: int) -> Iterator[LearningPoint]:
        part, curve = self._part, run.curve()
        ladder = Ladder(
            run=run, games=part.match_games, anchors=part.anchors, player=part.player, workers=self._workers,
            on_game=self._on_event,
        )  # fmt: skip
        for point in part.points:
            reached = generation_at(curve, point)
            for found in ladder.play(reached.player if reached else 0):
                self._on_event(LadderPlayed(found))
                yield LearningPoint(
                    variant=variant.name, seed=seed, point=point, minutes=reached.minutes if reached else 0.0,
                    self_play_games=reached.total_games if reached else 0, anchor=found.anchor, player=found.player,
                    games=found.games, score=found.score, error=found.error, as_first=found.as_first,
                    as_second=found.as_second,
                )  # fmt: skip


def generation_at(curve: Sequence[CurvePoint], minutes: float) -> CurvePoint | None:
    """The first generation after this CPU time, else the last one; None for the net that has learned nothing."""
    if not minutes or not curve:
        return None
    return next((point for point in curve if point.minutes >= minutes), curve[-1])
