"""A recipe: all settings of a run, read from TOML and frozen; some of them may change while it runs."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from agents.self_learning.errors import BadRecipe
from agents.self_learning.given import give, is_given
from agents.self_learning.learner import LEARNERS, Learner, learner_class, make_learner
from agents.self_learning.settings import Settings, did_you_mean, parse, read, setting, settings_of
from games import base

__all__ = ["Recipe", "RunSettings", "shipped", "shipped_names"]

_FOLDER: Final = Path(__file__).parent / "recipes"
_DEFAULT_LEARNER: Final = "self_learning"


@dataclass(frozen=True, kw_only=True)
class RunSettings(Settings):
    """The settings of every run, whatever it learns."""

    seed: int = setting(1, "Random seed of the run: the same seed and recipe give the same net.", least=0)
    generations: int = setting(
        0, "Number of generations. 0: as many as fit into the CPU time (`--minutes`).", live=True, least=0
    )
    chunks: int = setting(8, "Chunks of self-play in a generation. A worker plays one chunk at a time.", least=1)
    lag: int = setting(
        1, "Generations by which the players are behind. 1: the next games are played while the net is trained; "
        "0: games and training alternate.", least=0, most=4,
    )  # fmt: skip
    memory: int = setting(400_000, "Samples that the memory holds; the oldest are replaced.", least=100)
    window: int = setting(0, "Newest samples that are trained on. 0: all in the memory.", live=True, least=0)
    validation: float = setting(
        0.05, "Share of the samples that is never trained on and gives the validation losses.", least=0, most=0.5
    )
    passes: float = setting(
        8.0, "How often a sample is trained on, on average, in the generation in which it is new: the ratio of "
        "training to self-play.", live=True, least=0,
    )  # fmt: skip
    batch: int = setting(512, "Samples in a batch.", live=True, least=1)
    optimiser: str = setting("adamw", "Optimiser: adamw or sgd.", choices=("adamw", "sgd"))
    momentum: float = setting(0.9, "Momentum of sgd.", least=0, most=1)
    lr: float = setting(2e-3, "Learning rate; with the cosine schedule, the one at the start.", live=True, least=0)
    lr_end: float = setting(1e-4, "Learning rate at the end of the cosine schedule.", live=True, least=0)
    schedule: str = setting(
        "cosine", "Learning rate over the run: cosine (from lr to lr_end) or constant (lr).", live=True,
        choices=("cosine", "constant"),
    )  # fmt: skip
    schedule_length: float = setting(
        0.0, "Length of the cosine schedule; after it the learning rate stays at lr_end. In generations if the run was "
        "started with a number of them, else in CPU-minutes. 0: as long as the run was first meant to be.", live=True,
        least=0,
    )  # fmt: skip
    weight_decay: float = setting(1e-4, "Weight decay.", live=True, least=0)
    clip: float = setting(5.0, "Largest norm of the gradient; 0 for no limit.", live=True, least=0)
    device: str = setting(
        "auto", "Where the net is trained: auto (CUDA, then MPS, then CPU), cpu, cuda or mps.",
        choices=("auto", "cpu", "cuda", "mps"),
    )  # fmt: skip
    gate: str = setting(
        "none", "Who plays the next games. none: the newest net; score: a new net replaces the old one if it scores "
        "gate_score against it; sprt: if a sequential test finds it stronger.", choices=("none", "score", "sprt"),
    )  # fmt: skip
    gate_score: float = setting(0.6, "Share of the points that a new net needs.", live=True, least=0, most=1)
    gate_games: int = setting(40, "Games of a gate; with sprt the most.", live=True, least=2)
    player: str = setting("", "Options of the trained agent in gates and on the ladder, such as nodes=2000.", live=True)
    ladder_games: int = setting(20, "Games against each anchor of the ladder.", live=True, least=2)
    anchors: tuple[str, ...] = setting(("random",), "Agents that the ladder plays against.", live=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is trained and how: `run` holds the settings of every run, `own` those of the learner."""

    game: str
    learner: str
    run: RunSettings
    own: Settings

    @classmethod
    def of(cls, values: Mapping[str, object], *, game: str | None = None, learner: str | None = None) -> Self:
        """A recipe from the keys of a TOML file; `game` and `learner` override the file. Raises `BadRecipe`.

        What it names is imported: the values must come from the user. For others there is `stored`.
        """
        given = dict(values)
        game = _text(given, "game", game)
        learner = _text(given, "learner", learner) or _DEFAULT_LEARNER
        if not game:
            raise BadRecipe('the recipe names no game; add a line such as: game = "microchess"')
        give(learner)
        give(game)
        own_class = learner_class(learner).settings_class
        own_keys, run_keys = settings_of(own_class), settings_of(RunSettings)
        for key in given:
            if key not in own_keys and key not in run_keys:
                known = (*run_keys, *own_keys)
                hint = did_you_mean(key, known, otherwise="known settings are")
                raise BadRecipe(f"unknown setting {key!r} for learner {learner}; {hint}")
        own = own_class.of({key: value for key, value in given.items() if key in own_keys})
        run = RunSettings.of({key: value for key, value in given.items() if key in run_keys})
        base.load(game)
        return cls(game=game, learner=learner, run=run, own=own)

    @classmethod
    def stored(cls, values: Mapping[str, object]) -> Self:
        """The recipe in the folder of a run, which can name only learners and games of the arena or of the user."""
        learner, game = (str(values.get(key, "")) for key in ("learner", "game"))
        if learner not in LEARNERS and not is_given(learner):
            raise BadRecipe(
                f"the folder of the run names the learner {learner!r}, which is not part of arena; "
                f"if you trust the folder, add --trust-file"
            )
        if not is_given(game):
            base.load_stored(game)
        return cls.of(values)

    @classmethod
    def from_file(cls, path: Path, *, game: str | None = None, learner: str | None = None) -> Self:
        """A recipe from a TOML file; every error names the file."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadRecipe(f"cannot read the recipe {path}: {error}") from error
        except tomllib.TOMLDecodeError as error:
            raise BadRecipe(f"the recipe {path} is not TOML: {error}") from error
        try:
            return cls.of(values, game=game, learner=learner)
        except BadRecipe as error:
            raise BadRecipe(f"{path}: {error}") from error

    def as_dict(self) -> dict[str, object]:
        """All keys and values, as JSON has them; `of` reads them again."""
        return {"game": self.game, "learner": self.learner, **self.run.as_dict(), **self.own.as_dict()}

    def make_learner(self) -> Learner:
        """The learner with these settings."""
        return make_learner(self.learner, self.game, self.own)

    def parse_changes(self, changes: Mapping[str, str]) -> dict[str, object]:
        """The checked values of `key=value` texts; `BadRecipe` for a setting that cannot change while a run goes on."""
        found: dict[str, object] = {}
        for key, text in changes.items():
            kind = self._kind(key)
            value = parse(kind, key, text)
            if not settings_of(kind)[key].live:
                live = ", ".join(sorted(self.live_keys()))
                raise BadRecipe(f"{key} cannot change while a run goes on; these can: {live}")
            found[key] = list(value) if isinstance(value, tuple) else value
        return found

    def with_texts(self, texts: Mapping[str, str]) -> "Recipe":
        """This recipe with values given as `key=value` texts, before a run is started with it."""
        return self.changed({key: parse(self._kind(key), key, text) for key, text in texts.items()})

    def changed(self, changes: Mapping[str, object]) -> "Recipe":
        """This recipe with other values."""
        run: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for key, value in changes.items():
            kind = self._kind(key)
            (run if kind is RunSettings else own)[key] = read(kind, key, value)
        return replace(self, run=replace(self.run, **run), own=replace(self.own, **own))

    def live_keys(self) -> list[str]:
        """The settings that may change while the run goes on."""
        known = {**settings_of(RunSettings), **settings_of(type(self.own))}
        return [key for key, about in known.items() if about.live]

    def differences(self, stored: "Recipe") -> list[str]:
        """The settings that differ from those of a stored run, one text for each."""
        before = stored.as_dict()
        return [
            f"{key} was {before[key]}, is {value}" if key in before else f"{key} is new"
            for key, value in self.as_dict().items()
            if key not in before or before[key] != value
        ]

    def _kind(self, key: str) -> type[Settings]:
        if key in settings_of(RunSettings):
            return RunSettings
        if key in settings_of(type(self.own)):
            return type(self.own)
        known = (*settings_of(RunSettings), *settings_of(type(self.own)))
        raise BadRecipe(f"unknown setting {key!r}; {did_you_mean(key, known, otherwise='known settings are')}")


def shipped_names() -> list[str]:
    """The recipes that come with the arena."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def shipped(game: str, learner: str | None = None) -> Path | None:
    """The recipe that comes with the arena for a game, and a learner if one is named; None if there is none."""
    name, _ = base.split_parameters(game)
    names = [f"{name}-{learner}"] if learner else []
    for path in (_FOLDER / f"{each}.toml" for each in [*names, name]):
        if path.exists() and (learner is None or tomllib.loads(path.read_text("utf-8")).get("learner") == learner):
            return path
    return None


def _text(given: dict[str, object], key: str, override: str | None) -> str:
    value = given.pop(key, "")
    if not isinstance(value, str):
        raise BadRecipe(f"{key} must be a text, not {value!r}")
    if override and value and key == "game" and _base(override) != _base(value):
        raise BadRecipe(f"the recipe is for {value}, not for {override}")
    return override or value


def _base(game: str) -> str:
    return base.split_parameters(game)[0]
