"""The training parts of a study: what learns, how long, and against whom it is measured."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.competition import values
from arena.competition.settings import shown
from arena.competition.values import Kind
from arena.studies.leagues import read_agents

__all__ = ["TRAINING_KEYS", "TrainingPart", "Variant", "read_training"]

#: Keys of a training part, besides those of every part.
TRAINING_KEYS: Final = (
    "train", "learner", "settings", "variants", "minutes", "seeds", "points", "anchors", "player", "games",
)  # fmt: skip

_MOST_GAMES: Final = 100_000
_MOST_SEED: Final = 2**31 - 1
_RUN_NAME: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Settings that replace those of the part and of the recipe; `name` is empty if the part has no variants."""

    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    """Runs that learn a game by self-play, one for each variant and seed, and their matches against anchors.

    Each run trains for `minutes` of CPU time. At each of the `points`, which are CPU-minutes, it plays `match_games`
    games against each of the `anchors`. `settings` replace those of the recipe. `player` are the options of the
    trained agent. None as `player` or `learner` means: as the recipe says.
    """

    name: str
    label: str
    game: str
    learner: str | None
    settings: Mapping[str, object]
    variants: tuple[Variant, ...]
    seeds: tuple[int, ...]
    minutes: float
    points: tuple[float, ...]
    anchors: tuple[str, ...]
    player: str | None
    match_games: int

    @property
    def runs(self) -> list[tuple[Variant, int]]:
        """The variant and seed of each run, in the order in which they are trained."""
        return [(variant, seed) for variant in self.variants for seed in self.seeds]

    @property
    def games(self) -> int:
        """The number of games against anchors of all runs, without those of self-play."""
        return len(self.runs) * len(self.points) * len(self.anchors) * self.match_games

    @property
    def total_minutes(self) -> float:
        """CPU time of the training of all runs."""
        return len(self.runs) * self.minutes

    def run_name(self, variant: Variant, seed: int) -> str:
        """The name of a run. It has the minutes in it, since the learning rate depends on them from the start."""
        ending = f"-{self.minutes:g}m-seed{seed}"
        words = re.sub(r"[^A-Za-z0-9_.]+", "-", f"{self.name}-{variant.name}").strip("-_.")
        return f"{words[: _RUN_NAME - len(ending)]}{ending}".lstrip("-")


def read_training(given: Mapping[str, object], folder: Path, *, name: str, label: str) -> TrainingPart:
    """A training part; relative paths start at `folder`. `ValueError` describes a mistake."""
    minutes = _read(given, "minutes", _MINUTES)
    return TrainingPart(
        name=name, label=label, game=_read(given, "train", values.TEXT),
        learner=_read(given, "learner", values.TEXT) if "learner" in given else None,
        settings=_settings(given.get("settings", {}), "settings"), variants=tuple(_variants(given)),
        seeds=_seeds(given), minutes=minutes, points=_points(given, minutes), anchors=_anchors(given, folder),
        player=_read(given, "player", values.TEXT) if "player" in given else None,
        match_games=_read(given, "games", _GAMES),
    )  # fmt: skip


def _variants(given: Mapping[str, object]) -> Iterator[Variant]:
    variants = given.get("variants", {"": {}})
    if not isinstance(variants, dict) or not variants:
        raise ValueError(f"variants must be a table of names with their settings, not {shown(variants)}")
    for name, own in variants.items():
        if "variants" in given:
            _read({"the name of a variant": name}, "the name of a variant", values.TEXT)
        yield Variant(name=name, settings=_settings(own, f"variant {shown(name)}"))


def _settings(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{what} must be a table of settings of the recipe, not {shown(value)}")
    if "seed" in value:
        raise ValueError(f"{what} must not have a seed; write seeds = [1, 2] in the part")
    for key, one in value.items():
        for item in one if isinstance(one, list) else [one]:
            if not isinstance(item, str | int | float):
                raise ValueError(f"{what}: {key} must be a number, a text, true or false, or a list of texts")
    return value


def _anchors(given: Mapping[str, object], folder: Path) -> tuple[str, ...]:
    anchors = _list(given, "anchors")
    if not all(isinstance(anchor, str) for anchor in anchors) or len(set(anchors)) < len(anchors):
        raise ValueError(f"anchors must be a list of different agents, not {shown(anchors)}")
    return read_agents(anchors, folder)


def _seeds(given: Mapping[str, object]) -> tuple[int, ...]:
    kind = values.whole(least=0, most=_MOST_SEED)
    seeds = [_read({"each of the seeds": seed}, "each of the seeds", kind) for seed in _list(given, "seeds")]
    if len(set(seeds)) < len(seeds):
        raise ValueError("seeds must differ")
    return tuple(seeds)


def _points(given: Mapping[str, object], minutes: float) -> tuple[float, ...]:
    if "points" not in given:
        return (minutes,)
    points = _list(given, "points")
    numbers = [float(point) for point in points if _is_number(point) and 0 <= point <= minutes]
    if len(numbers) < len(points) or numbers != sorted(set(numbers)):
        raise ValueError(f"points must be rising CPU-minutes from 0 to {minutes:g}, not {shown(points)}")
    return tuple(numbers)


def _list(given: Mapping[str, object], key: str) -> list[Any]:
    if key not in given:
        raise ValueError(f"{key} is missing")
    value = given[key]
    if not isinstance(value, list) or not value:
        raise ValueError(f"{key} must be a list that is not empty, not {shown(value)}")
    return value


def _read(given: Mapping[str, object], key: str, kind: Kind) -> Any:
    if key not in given:
        raise ValueError(f"{key} is missing")
    try:
        return kind.read(given[key])
    except ValueError as error:
        raise ValueError(f"{key} {error}, not {shown(given[key])}") from error


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _read_minutes(value: Any) -> float:
    if not _is_number(value) or value <= 0:
        raise ValueError("must be a number of CPU-minutes above 0")
    return float(value)


def _read_games(value: Any) -> int:
    if not _is_number(value) or value not in range(2, _MOST_GAMES + 1, 2):
        raise ValueError(f"must be an even number from 2 to {_MOST_GAMES}: each opening is played twice")
    return int(value)


_MINUTES: Final = Kind(read=_read_minutes)
_GAMES: Final = Kind(read=_read_games)
