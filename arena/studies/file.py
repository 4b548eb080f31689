"""Study files: TOML that says what is asked, what was claimed, and which leagues and measures are to answer."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from arena.competition import config
from arena.competition import config_values as values
from arena.competition.config import Config
from arena.errors import BadSettings
from arena.formats.round_robin import expected
from arena.formats.swiss import swiss_rounds
from results.text import plain

__all__ = ["MOST_CHARACTERS", "LeaguePart", "MeasurePart", "Part", "Study", "find", "load", "names"]

#: Of a question or a claim; all of it is shown.
MOST_CHARACTERS: Final = 1000

_SHIPPED: Final = Path(__file__).parent / "shipped"
_TEXTS: Final = ("title", "question", "claim")
#: What a league file may say and a part may not: the study names its leagues, the command line its workers.
_NOT_HERE: Final = ("name", "workers")
_LEAGUE_KEYS: Final = tuple(key for key in config.KEYS if key not in _NOT_HERE)
_MEASURE_KEYS: Final = ("module", "arguments")
_PART_KEYS: Final = ("name", "label", "short")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePart:
    """A league of a study; its name is told apart by `name`, people read `label`."""

    name: str
    label: str
    config: Config

    @property
    def games(self) -> int:
        """How many games it has; the extra ones of a knockout come on top."""
        entrants, wanted = len(self.config.entrants), self.config.format or "round-robin"
        usual = swiss_rounds(entrants) if wanted == "swiss" else 1
        return expected(wanted, entrants, self.config.rounds or usual)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePart:
    """A module that is run with these arguments and prints a table.

    A module that is not ours is looked for in `folder` first, that of the study's file; None if the study ships.
    """

    name: str
    label: str
    module: str
    arguments: tuple[str, ...]
    folder: Path | None = None

    @property
    def is_ours(self) -> bool:
        """Whether the module is one of `agents`."""
        return self.module.startswith("agents.")


Part: TypeAlias = LeaguePart | MeasurePart


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is asked, what was claimed before, and what is to be played and measured: in full, or the short form."""

    name: str
    title: str
    question: str
    claim: str
    is_short: bool
    parts: tuple[Part, ...]

    @property
    def stem(self) -> str:
        """What its leagues and files are called after: the short form never stands in the way of the full one."""
        return f"{self.name}-short" if self.is_short else self.name

    @property
    def leagues(self) -> list[LeaguePart]:
        """The parts that are played."""
        return [part for part in self.parts if isinstance(part, LeaguePart)]

    @property
    def measures(self) -> list[MeasurePart]:
        """The parts that are measured."""
        return [part for part in self.parts if isinstance(part, MeasurePart)]

    @property
    def games(self) -> int:
        """How many games there are to be played in all."""
        return sum(part.games for part in self.leagues)


def names() -> list[str]:
    """The studies that ship."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def find(name_or_path: str) -> Path:
    """The file of a study that ships, or a file of one's own; `BadSettings` names the nearest that there is."""
    if name_or_path in names():
        return _SHIPPED / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if path.suffix == ".toml" or os.sep in name_or_path:
        return path
    if name_or_path and os.path.isdir(path):  # noqa: PTH112 - a name too long for a file is no folder, no error
        raise BadSettings(_no_file(name_or_path, "it is a folder"))
    raise BadSettings(f"no study {name_or_path!r}; {config.hint(name_or_path, names(), otherwise='there are')}")


def load(name_or_path: str, *, short: bool = False) -> Study:
    """The study of this name or file, in full or in its short form; `BadSettings` says what is wrong with it."""
    path = find(name_or_path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadSettings(_no_file(name_or_path, "there is no such file")) from error
    except IsADirectoryError as error:
        raise BadSettings(_no_file(name_or_path, "it is a folder")) from error
    except (OSError, ValueError) as error:  # broken TOML, text that is not UTF-8, a path that cannot be one
        raise BadSettings(f"cannot read {str(path)!r}: {plain(str(error))}") from error
    try:
        return _study(told, path, short=short)
    except ValueError as error:
        raise BadSettings(f"{plain(str(path))}: {error}") from error


def _no_file(name: str, why: str) -> str:
    return f"no study file {name!r}: {why}"


def _study(told: Mapping[str, object], path: Path, *, short: bool) -> Study:
    _check_keys(told, (*_TEXTS, "parts", *_LEAGUE_KEYS))
    texts = {key: _text(told, key) for key in _TEXTS}
    for key in ("question", "claim"):
        if len(texts[key]) > MOST_CHARACTERS:
            raise ValueError(f"{key} must have {MOST_CHARACTERS} characters at most, not {len(texts[key])}")
    listed = told.get("parts")
    if not isinstance(listed, list) or not listed:
        raise ValueError("a study needs [[parts]]")
    shared = {key: value for key, value in told.items() if key in _LEAGUE_KEYS}
    # Both forms are read, so that a slip in the one that is not wanted is found as well.
    full = [_part(number, line, shared, path.parent, short=False) for number, line in enumerate(listed, 1)]
    brief = [_part(number, line, shared, path.parent, short=True) for number, line in enumerate(listed, 1)]
    given = [part.name for part in full if part is not None]
    if twice := [name for name in given if given.count(name) > 1]:
        raise ValueError(f"two parts have the name {twice[0]!r}")
    parts = tuple(part for part in (brief if short else full) if part is not None)
    if not parts:
        raise ValueError("the short form has no part")
    return Study(name=path.stem, is_short=short, parts=parts, **texts)


def _part(number: int, line: object, shared: Mapping[str, object], folder: Path, *, short: bool) -> Part | None:
    """One part in one of its forms; None if the short form leaves it out."""
    try:
        if not isinstance(line, dict):
            raise ValueError(f"must be a table, not {config.shown(line)}")
        is_measure = "module" in line
        _check_kind(line, is_measure=is_measure)
        sized = _sized(line, ("label", *(_MEASURE_KEYS[1:] if is_measure else _LEAGUE_KEYS)), short=short)
        if sized is None:
            return None
        return _measure(number, sized, folder) if is_measure else _league(number, {**shared, **sized}, folder)
    except ValueError as error:
        raise ValueError(f"part {number}: {error}") from error


def _check_kind(line: Mapping[str, object], *, is_measure: bool) -> None:
    """Whether a part says only what a measure says, or only what a league says."""
    short = line.get("short")
    said = {*line, *(short if isinstance(short, dict) else ())}
    if is_measure and (both := [key for key in _LEAGUE_KEYS if key in said]):
        raise ValueError(f"either module or entrants: {both[0]} belongs to a league")
    _check_keys(line, (*_PART_KEYS, *_MEASURE_KEYS, *(() if is_measure else _LEAGUE_KEYS)))
    if "arguments" in line and not is_measure:
        raise ValueError("arguments belong to a module; module is missing")


def _sized(line: Mapping[str, object], changeable: Sequence[str], *, short: bool) -> dict[str, object] | None:
    """What a part says, with what it says otherwise of its short form."""
    if "short" not in line:
        raise ValueError("short is missing: a table of what is other there, or false to leave the part out")
    other = line["short"]
    if other is False:
        other = {}
        if short:
            return None
    if not isinstance(other, dict):
        raise ValueError(f"short must be a table of what is other there, or false, not {config.shown(line['short'])}")
    _check_keys(other, changeable, where=" in short")
    full = {key: value for key, value in line.items() if key != "short"}
    return {**full, **other} if short else full


def _league(number: int, told: Mapping[str, object], folder: Path) -> LeaguePart:
    found = config.read({key: value for key, value in told.items() if key in _LEAGUE_KEYS}, folder)
    if len(found.entrants) < 2:
        raise ValueError("a league needs at least two entrants")
    return LeaguePart(name=_name(number, told), label=_text(told, "label"), config=found)


def _measure(number: int, told: Mapping[str, object], folder: Path) -> MeasurePart:
    module = _text(told, "module")
    if not all(word.isidentifier() for word in module.split(".")):
        raise ValueError(f"module must be a dotted name, not {config.shown(module)}")
    arguments = told.get("arguments", [])
    if not isinstance(arguments, list):
        raise ValueError(f"arguments must be a list, not {config.shown(arguments)}")
    for word in arguments:
        if isinstance(word, bool) or not isinstance(word, int | float | str):
            raise ValueError(f"arguments must be texts and numbers, not {config.shown(word)}")
        if not str(word).isprintable():
            raise ValueError(f"arguments must have visible characters only, not {config.shown(word)}")
    return MeasurePart(
        name=_name(number, told), label=_text(told, "label"), module=module, arguments=tuple(map(str, arguments)),
        folder=None if folder == _SHIPPED else folder.absolute(),
    )  # fmt: skip


def _name(number: int, told: Mapping[str, object]) -> str:
    return _text(told, "name") if "name" in told else str(number)


def _text(told: Mapping[str, object], key: str) -> str:
    if key not in told:
        raise ValueError(f"{key} is missing")
    try:
        return values.text(told[key])
    except ValueError as error:
        raise ValueError(f"{key} {error}, not {config.shown(told[key])}") from error


def _check_keys(told: Mapping[str, object], known: Sequence[str], *, where: str = "") -> None:
    for key in told:
        if key not in known:
            raise ValueError(config.unknown_key(key, known) + where)
