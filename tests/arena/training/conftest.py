"""A small run that was trained, for tests that only look at it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.training.events import TrainingEvent
from arena.training.runs import TrainingRun
from arena.training.session import TrainOptions, train

TINY_FOLDER = Path(__file__).parents[2] / "agents" / "self_learning"
TINY = [
    "generations=3", "chunks=2", "memory=2000", "batch=32", "passes=2", "games=4", "ladder_games=4", "anchors=random",
]  # fmt: skip


@pytest.fixture(scope="session")
def with_tiny_learner() -> Iterator[None]:
    """Let learning processes find the tiny learner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TINY_FOLDER))
        yield


@pytest.fixture(scope="session")
def tiny_options(with_tiny_learner: None) -> Callable[..., TrainOptions]:
    """The options of a small run."""

    def make(home: Path, *settings: str, name: str = "tiny", ladder_minutes: float = 0.0) -> TrainOptions:
        return TrainOptions(
            game="gomoku:size=5", learner="tiny_learner:TinyLearner", settings=[*TINY, *settings], minutes=None,
            workers=1, name=name, home=home, ladder_minutes=ladder_minutes,
        )  # fmt: skip

    return make


@pytest.fixture(scope="session")
def trained(
    tmp_path_factory: pytest.TempPathFactory, tiny_options: Callable[..., TrainOptions]
) -> tuple[TrainingRun, list[TrainingEvent]]:
    """A run of three generations, and what happened in it."""
    events: list[TrainingEvent] = []
    folder = tmp_path_factory.mktemp("training")
    return train(tiny_options(folder), on_event=events.append), events


@pytest.fixture
def run(trained: tuple[TrainingRun, list[TrainingEvent]], tmp_path: Path) -> TrainingRun:
    """A copy of the run, to be changed."""
    return TrainingRun(Path(shutil.copytree(trained[0].folder, tmp_path / "training" / "tiny"))).trusted()
