"""`arena.train`: what `arena train run` does, from Python."""

from collections.abc import Mapping
from pathlib import Path

from arena.training.events import OnTraining
from arena.training.runs import TrainingRun
from arena.training.session import TrainOptions, setting_texts
from arena.training.session import train as train_with

__all__ = ["train"]


def train(
    game: str, *, learner: str | None = None, recipe: str | Path | None = None,
    settings: Mapping[str, object] | None = None, minutes: float | None = 60.0, workers: int = 2,
    name: str | None = None, ladder_minutes: float | None = None, home: str | Path | None = None,
    on_event: OnTraining | None = None,
) -> TrainingRun:  # fmt: skip
    """Train an agent for a game from zero, or continue the run of this name; returns the run.

    The keywords are the options of `arena train run`; `settings` are those of `--set`, such as `{"lr": 1e-3}`. Nothing
    is printed: events are sent to `on_event`. The same call continues after an interruption.
    """
    options = TrainOptions(
        game=game,
        learner=learner,
        recipe=None if recipe is None else Path(recipe),
        settings=setting_texts(settings or {}),
        minutes=minutes,
        workers=workers,
        name=name,
        home=None if home is None else Path(home),
        ladder_minutes=ladder_minutes,
    )
    return train_with(options, on_event=on_event or (lambda _: None))
