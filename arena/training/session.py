"""Training: a learning process is started and watched, its gates and its ladder are played."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.training.events import (
    Changed,
    ChunkPlayed,
    GateDecided,
    GenerationTrained,
    LadderPlayed,
    OnTraining,
    RunEnded,
    RunStarted,
)
from arena.training.ladder import Ladder, decide
from arena.training.learning_process import LearningProcess, Line, call
from arena.training.runs import CurvePoint, TrainingRun, check_name, training_folder
from arena.training.stored import checked

__all__ = ["TrainOptions", "change", "check", "recipe_of", "setting_texts", "train"]

#: Parts of a run after which its ladder is played, if the caller does not say how often.
_PARTS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions:
    """What to train, how long and where; see `arena train run`.

    `minutes` is CPU time of self-play and training; None: until the generations of the recipe are done. The ladder is
    played by the net that knows nothing (generation 0), after each `ladder_minutes` of CPU time (None: a sixth of
    `minutes`, 0: never), and at the end. With `trust_file` the folder of a stored run may name code to run.
    """

    game: str | None = None
    learner: str | None = None
    recipe: Path | None = None
    settings: Sequence[str] = ()
    minutes: float | None = 60.0
    workers: int = 2
    name: str | None = None
    home: Path | None = None
    ladder_minutes: float | None = None
    trust_file: bool = False

    @property
    def run(self) -> TrainingRun:
        """The run: its name is the given one, else made of game and learner."""
        name = self.name or "-".join(filter(None, [_file_name(self.game or ""), _file_name(self.learner or "")]))
        run = TrainingRun(training_folder(self.home) / check_name(name))
        if self.trust_file and run.exists:
            run = run.trusted()
        return run.giving(filter(None, [self.game, self.learner]))

    @property
    def ladder_seconds(self) -> float:
        """CPU seconds between two points of the ladder; 0 for none."""
        if self.ladder_minutes is not None:
            return 60 * self.ladder_minutes
        return 60 * self.minutes / _PARTS if self.minutes else 0.0

    def arguments(self) -> list[str]:
        """The arguments of the learning process."""
        minutes = [] if self.minutes is None else ["--minutes", str(self.minutes)]
        return ["run", *self.run.place(), *self.recipe_arguments(), *minutes, "--workers", str(self.workers)]

    def recipe_arguments(self) -> list[str]:
        """Those of them that name the recipe."""
        given = {"--game": self.game, "--learner": self.learner, "--recipe": self.recipe}
        words = [word for key, value in given.items() if value is not None for word in (key, str(value))]
        return words + [word for text in self.settings for word in ("--set", text)]


def train(options: TrainOptions, *, on_event: OnTraining) -> TrainingRun:
    """Start a run or continue it until its time is used; the same call continues after any interruption."""
    run = options.run
    with LearningProcess(options.arguments()) as process:
        _Session(run, options, process, on_event).watch()
    return run


def check(options: TrainOptions) -> Mapping[str, Any]:
    """See that these options could start or continue a run, without starting it; returns its recipe.

    `BadSettings` names a wrong setting or a stored run with other settings, `TrainingFailed` a missing PyTorch.
    """
    recipe: Mapping[str, Any] = options.run.call("check", *options.recipe_arguments())["recipe"]
    return recipe


def change(run: TrainingRun, changes: Sequence[str]) -> Mapping[str, Any]:
    """Change settings (`key=value`) of a run, while it runs or before it goes on; returns the checked values."""
    found: Mapping[str, Any] = run.call("set", *changes)["changes"]
    return found


def recipe_of(options: TrainOptions) -> Line:
    """The recipe that these options mean, with the help text of every setting."""
    return call("recipe", *options.recipe_arguments())


def setting_texts(settings: Mapping[str, object]) -> list[str]:
    """Settings as `--set` has them: `key=value`, a list separated by semicolons."""
    return [
        f"{key}={';'.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for key, value in settings.items()
    ]  # fmt: skip


class _Session:
    """One call of `train`."""

    def __init__(self, run: TrainingRun, options: TrainOptions, process: LearningProcess, on_event: OnTraining) -> None:
        self._run = run
        self._options = options
        self._process = process
        self._on_event = on_event
        self._next_ladder = 0.0
        self._is_new = False
        self._last: CurvePoint | None = None

    def watch(self) -> None:
        """Pass on what happens until the process ends."""
        for line in self._process.lines():
            self._handle(line)

    def _handle(self, line: Line) -> None:
        kind, facts = line["event"], {key: value for key, value in line.items() if key != "event"}
        if kind == "started":
            self._start(facts)
        elif kind == "chunk":
            self._chunk(ChunkPlayed(total=facts.pop("of"), **facts))
        elif kind == "generation":
            self._generation(checked(CurvePoint, facts, where=self._run.folder))
        elif kind == "changed":
            self._on_event(Changed(generation=facts["generation"], changes=facts["changes"]))
        elif kind == "gate":
            self._decide(line)
        elif kind == "finished":
            self._end(facts)

    def _start(self, facts: Mapping[str, Any]) -> None:
        if self._options.game is not None:  # then the stored recipe is the one that the user has given
            given = facts["recipe"]
            self._run = self._run.giving([given["game"], given["learner"], *given["anchors"]])
        curve = self._run.curve()
        self._last = curve[-1] if curve else None
        every = self._options.ladder_seconds
        done = self._last.total_seconds if self._last else 0.0
        self._next_ladder = every * (1 + done // every) if every else 0.0
        self._is_new = not done
        self._on_event(RunStarted(**facts, minutes=self._options.minutes))

    def _chunk(self, played: ChunkPlayed) -> None:
        self._on_event(played)
        if self._is_new and self._options.ladder_seconds:
            self._play_ladder(0)  # its weights are there since games were played with them: the curve begins here
        self._is_new = False

    def _generation(self, point: CurvePoint) -> None:
        self._last = point
        self._on_event(GenerationTrained(point))
        every = self._options.ladder_seconds
        if every and point.total_seconds >= self._next_ladder:
            self._next_ladder = every * (1 + point.total_seconds // every)
            self._play_ladder(point.player)

    def _decide(self, challenge: Line) -> None:
        verdict = decide(self._run, challenge, workers=self._options.workers)
        self._process.answer(verdict)
        self._on_event(GateDecided(generation=challenge["generation"], **verdict))

    def _end(self, facts: Mapping[str, Any]) -> None:
        if self._options.ladder_seconds and self._last is not None:
            self._play_ladder(self._last.player)
        self._on_event(RunEnded(generation=facts["generation"], seconds=facts["seconds"]))

    def _play_ladder(self, generation: int) -> None:
        """The learning goes on meanwhile; what it says is shown afterwards."""
        for point in Ladder(run=self._run, workers=self._options.workers, on_game=self._on_event).play(generation):
            self._on_event(LadderPlayed(point))


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text)
