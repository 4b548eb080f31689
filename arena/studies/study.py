"""Study files: TOML with a question, an earlier claim, and the leagues, measures and training runs that test it."""

import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from arena.competition.settings import nearest, shown, unknown_key
from arena.competition.values import TEXT
from arena.errors import BadSettings
from arena.studies.leagues import SETTING_KEYS, LeagueFile, count_games, read_settings
from arena.studies.training_part import TRAINING_KEYS, TrainingPart, read_training
from results.text import plain

__all__ = ["MAX_CHARACTERS", "LeaguePart", "MeasurePart", "Part", "Study", "find", "load", "names"]

#: Limit of a question or a claim; reports show them in full.
MAX_CHARACTERS: Final = 1000

_SHIPPED: Final = Path(__file__).parent / "shipped"
_TEXT_KEYS: Final = ("title", "question", "claim")
_PART_KEYS: Final = ("name", "label", "short")
_Kind: TypeAlias = Literal["league", "measure", "training"]
#: The keys of each kind of part, and the one that tells it from the others.
_KEYS: Final[Mapping[_Kind, tuple[str, ...]]] = {
    "league": SETTING_KEYS, "measure": ("module", "arguments"), "training": TRAINING_KEYS,
}  # fmt: skip
_MARKS: Final[Mapping[_Kind, str]] = {"league": "entrants", "measure": "module", "training": "train"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePart:
    """A league of a study. `name` identifies the part within the study, `label` is shown to people."""

    name: str
    label: str
    settings: LeagueFile

    @property
    def games(self) -> int:
        """The number of games, without the extra games of a knockout."""
        return count_games(self.settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePart:
    """A module that is run with these arguments and prints a table.

    A module outside `agents` is looked up in `folder` first: the folder of the study file, None for a bundled study.
    """

    name: str
    label: str
    module: str
    arguments: tuple[str, ...]
    folder: Path | None = None

    @property
    def is_bundled(self) -> bool:
        """Whether the module belongs to the package `agents`."""
        return self.module.startswith("agents.")

    @property
    def is_harmless(self) -> bool:
        """Whether the module only measures, whatever its arguments are. Training writes files where it is told to."""
        return self.is_bundled and self.module.split(".")[1] != "self_learning"

    @property
    def command(self) -> str:
        """The module and its arguments in one line."""
        return " ".join([self.module, *self.arguments])


Part: TypeAlias = LeaguePart | MeasurePart | TrainingPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A question, what was claimed earlier, and the parts that answer it, in the full or in the short form."""

    name: str
    title: str
    question: str
    claim: str
    is_short: bool
    parts: tuple[Part, ...]

    @property
    def stem(self) -> str:
        """The name of its leagues and files; the two forms have different ones, so neither overwrites the other."""
        return f"{self.name}-short" if self.is_short else self.name

    @property
    def leagues(self) -> list[LeaguePart]:
        """The parts that are leagues."""
        return [part for part in self.parts if isinstance(part, LeaguePart)]

    @property
    def measures(self) -> list[MeasurePart]:
        """The parts that are measures."""
        return [part for part in self.parts if isinstance(part, MeasurePart)]

    @property
    def trainings(self) -> list[TrainingPart]:
        """The parts that train."""
        return [part for part in self.parts if isinstance(part, TrainingPart)]

    @property
    def games(self) -> int:
        """The number of games of all leagues, and of trained agents against their anchors."""
        return sum(part.games for part in self.leagues) + sum(part.games for part in self.trainings)

    @property
    def minutes(self) -> float:
        """CPU time of all training, in minutes."""
        return sum(part.total_minutes for part in self.trainings)


def names() -> list[str]:
    """The names of the bundled studies."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def find(name_or_path: str) -> Path:
    """The file of a bundled study, or the path of another file; `BadSettings` suggests the nearest known name."""
    if name_or_path in names():
        return _SHIPPED / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if path.suffix == ".toml" or os.sep in name_or_path:
        return path
    if name_or_path and os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
        raise BadSettings(_missing(name_or_path, "it is a folder"))
    near = nearest(name_or_path, names(), otherwise="these ship with arena:")
    raise BadSettings(f"no study {name_or_path!r}; {near}")


def load(name_or_path: str, *, short: bool = False) -> Study:
    """Read a study by name or path, in its full or its short form; `BadSettings` describes a mistake in the file."""
    path = find(name_or_path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadSettings(_missing(name_or_path, "there is no such file")) from error
    except IsADirectoryError as error:
        raise BadSettings(_missing(name_or_path, "it is a folder")) from error
    except (OSError, ValueError, RecursionError) as error:  # broken TOML, text that is not UTF-8, an impossible path
        raise BadSettings(f"cannot read {str(path)!r}: {plain(str(error))}") from error
    try:
        return _study(document, path, short=short)
    except ValueError as error:
        raise BadSettings(f"{plain(str(path))}: {error}") from error


def _missing(name: str, reason: str) -> str:
    return f"no study file {name!r}: {reason}"


def _study(document: Mapping[str, object], path: Path, *, short: bool) -> Study:
    _check_keys(document, (*_TEXT_KEYS, "parts", *SETTING_KEYS))
    texts = {key: _text(document, key) for key in _TEXT_KEYS}
    for key in ("question", "claim"):
        if len(texts[key]) > MAX_CHARACTERS:
            raise ValueError(f"{key} has {len(texts[key])} characters; at most {MAX_CHARACTERS} are allowed")
    tables = document.get("parts")
    if not isinstance(tables, list) or not tables:
        raise ValueError("a study needs [[parts]]")
    shared = {key: value for key, value in document.items() if key in SETTING_KEYS}
    # Both forms are read, so that a mistake in the other form is found as well.
    full = [_part(number, table, shared, path.parent, short=False) for number, table in enumerate(tables, 1)]
    brief = [_part(number, table, shared, path.parent, short=True) for number, table in enumerate(tables, 1)]
    if repeated := _repeated(part.name for part in full if part is not None):
        raise ValueError(f"two parts have the name {repeated!r}")
    for form in (full, brief):
        trainings = [part for part in form if isinstance(part, TrainingPart)]
        if repeated := _repeated(part.run_name(*run) for part in trainings for run in part.runs):
            raise ValueError(f"two runs would be stored as {repeated!r}; give parts and variants clearer names")
    parts = tuple(part for part in (brief if short else full) if part is not None)
    if not parts:
        raise ValueError("the short form has no part")
    return Study(name=path.stem, is_short=short, parts=parts, **texts)


def _part(number: int, table: object, shared: Mapping[str, object], folder: Path, *, short: bool) -> Part | None:
    """One part in the wanted form; None if the short form leaves it out."""
    try:
        if not isinstance(table, dict):
            raise ValueError(f"must be a table, not {shown(table)}")
        kind = _kind(table)
        changeable = [key for key in _KEYS[kind] if key not in ("module", "train")]
        values = _values(table, ("label", *changeable), short=short)
        if values is None:
            return None
        if kind == "league":
            return _league(number, {**shared, **values}, folder)
        if kind == "measure":
            return _measure(number, values, folder)
        return read_training(values, folder, name=_name(number, values), label=_text(values, "label"))
    except ValueError as error:
        raise ValueError(f"part {number}: {error}") from error


def _kind(table: Mapping[str, object]) -> _Kind:
    """What a part is. It must not have keys of another kind of part."""
    kind: _Kind = "training" if "train" in table else "measure" if "module" in table else "league"
    short = table.get("short")
    used = {*table, *(short if isinstance(short, dict) else ())}
    for other, keys in _KEYS.items():
        mixed = [key for key in keys if key in used] if other != kind else []
        if mixed and kind == "league":
            raise ValueError(f"{mixed[0]} belongs to a part with {_MARKS[other]}; {_MARKS[other]} is missing")
        if mixed:
            raise ValueError(
                f"a part has only one of entrants, module and train: {mixed[0]} belongs to {_MARKS[other]}"
            )
    _check_keys(table, (*_PART_KEYS, *_KEYS[kind], *(_MARKS.values() if kind == "league" else ())))
    return kind


def _values(table: Mapping[str, object], changeable: Sequence[str], *, short: bool) -> dict[str, object] | None:
    """The keys of a part with the changes of the short form applied; None if the short form leaves the part out."""
    if "short" not in table:
        raise ValueError("short is missing: write a table of the keys that differ, or false to leave the part out")
    changes = table["short"]
    if changes is False and short:
        return None
    changes = {} if changes is False else changes
    if not isinstance(changes, dict):
        raise ValueError(f"short must be a table of the keys that differ, or false, not {shown(changes)}")
    _check_keys(changes, changeable, where=" in short")
    full = {key: value for key, value in table.items() if key != "short"}
    return {**full, **changes} if short else full


def _league(number: int, values: Mapping[str, object], folder: Path) -> LeaguePart:
    settings = read_settings({key: value for key, value in values.items() if key in SETTING_KEYS}, folder)
    return LeaguePart(name=_name(number, values), label=_text(values, "label"), settings=settings)


def _measure(number: int, values: Mapping[str, object], folder: Path) -> MeasurePart:
    module = _text(values, "module")
    if not all(word.isidentifier() for word in module.split(".")):
        raise ValueError(f"module must be a dotted name, not {shown(module)}")
    arguments = values.get("arguments", [])
    if not isinstance(arguments, list):
        raise ValueError(f"arguments must be a list, not {shown(arguments)}")
    for argument in arguments:
        if isinstance(argument, bool) or not isinstance(argument, int | float | str):
            raise ValueError(f"arguments must be texts and numbers, not {shown(argument)}")
        if not str(argument).isprintable():
            raise ValueError(f"arguments must have visible characters only, not {shown(argument)}")
    return MeasurePart(
        name=_name(number, values), label=_text(values, "label"), module=module, arguments=tuple(map(str, arguments)),
        folder=None if folder == _SHIPPED else folder.absolute(),
    )  # fmt: skip


def _repeated(texts: Iterable[str]) -> str:
    """A text that occurs twice; empty if there is none."""
    counts = Counter(texts)
    return next((text for text, count in counts.items() if count > 1), "")


def _name(number: int, values: Mapping[str, object]) -> str:
    return _text(values, "name") if "name" in values else str(number)


def _text(values: Mapping[str, object], key: str) -> str:
    if key not in values:
        raise ValueError(f"{key} is missing")
    try:
        return str(TEXT.read(values[key]))
    except ValueError as error:
        raise ValueError(f"{key} {error}, not {shown(values[key])}") from error


def _check_keys(values: Mapping[str, object], known: Sequence[str], *, where: str = "") -> None:
    for key in values:
        if key not in known:
            raise ValueError(unknown_key(key, known) + where)
