"""League files: TOML that says what the command line could say."""

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, get_args

from agents.names import ENGINES
from arena.competition import config_values as values
from arena.competition.config_values import Reader
from arena.errors import BadSettings
from arena.formats.round_robin import FORMATS, Format
from arena.process.charge import Charge
from games.base import join_parameters, split_parameters
from games.errors import BadParameters
from results.text import plain

__all__ = ["KEYS", "Config", "EntrantLine", "hint", "load", "names", "read", "shown", "unknown_key"]

_SHIPPED: Final = Path(__file__).parent / "leagues"
_SHOWN: Final = 60
_PATHS: Final = ("command", "path", "read")  # options of engines that name files


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant as the command line names it, and the name it bears in the league; None for the agent's own."""

    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a league file says; None where it says nothing. `suspend_after` is a text: 10%, or never."""

    name: str | None = None
    game: str | None = None
    format: Format | None = None
    rounds: int | None = None
    time: float | None = None
    turns: int | None = None
    opening_turns: int | None = None
    openings: Path | None = None
    position: str | None = None
    seed: str | None = None
    clock: Charge | None = None
    memory: int | None = None
    scratch: int | None = None
    needs: tuple[str, ...] | None = None
    suspend_after: str | None = None
    workers: int | None = None
    trust_agents: bool | None = None
    entrants: tuple[EntrantLine, ...] = ()

    def options(self) -> dict[str, object]:
        """The options that the file gives, under the names that the commands take them by."""
        said = ((option.name, getattr(self, option.name)) for option in fields(self) if option.name != "entrants")
        return {name: value for name, value in said if value is not None}


_READERS: Final[Mapping[str, Reader]] = {
    "name": values.text,
    "game": values.text,
    "format": values.one_of(FORMATS),
    "rounds": values.whole(least=1, most=values.MOST_ROUNDS),
    "time": values.seconds,
    "turns": values.whole(least=0),
    "opening-turns": values.whole(least=0),
    "openings": values.text,
    "position": values.text,
    "seed": values.seed,
    "clock": values.one_of(get_args(Charge)),
    "memory": values.memory,
    "scratch": values.size,
    "needs": values.libraries,
    "suspend-after": values.share,
    "workers": values.whole(least=1),
    "trust-agents": values.flag,
}
#: What can stand in a league file.
KEYS: Final = (*_READERS, "entrants")
_ENTRANT_READERS: Final[Mapping[str, Reader]] = {
    "agent": values.text,
    "name": values.text,
    "threads": values.whole(least=1),
    "memory": values.memory,
    "needs": values.libraries,
    "read": values.text,
    "trusted": values.flag,
}


def names() -> list[str]:
    """The leagues that ship."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def load(name_or_path: str) -> Config:
    """The league file of this name or path; `BadSettings` says what is wrong with it."""
    path = _SHIPPED / f"{name_or_path}.toml" if name_or_path in names() else Path(name_or_path)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError) as error:
        near = hint(name_or_path, names(), otherwise="those that ship are")
        raise BadSettings(f"no league file {name_or_path!r}; {near}") from error
    except (OSError, ValueError) as error:  # broken TOML, text that is not UTF-8, a path that cannot be one
        raise BadSettings(f"cannot read {str(path)!r}: {plain(str(error))}") from error
    try:
        return read(told, path.parent)
    except ValueError as error:
        raise BadSettings(f"{plain(str(path))}: {error}") from error


def read(told: Mapping[str, object], folder: Path) -> Config:
    """What a league file tells; paths in it start from the folder. `ValueError` says what is wrong."""
    found: dict[str, Any] = {
        key.replace("-", "_"): value
        for key, value in _read({key: told[key] for key in told if key != "entrants"}, _READERS, "entrants").items()
    }
    if "openings" in found:
        found["openings"] = folder / found["openings"]
        if not found["openings"].is_file():
            raise ValueError(f"no file {str(found['openings'])!r} for openings")
    entrants = told.get("entrants", [])
    if not isinstance(entrants, list):
        raise ValueError(f"entrants must be a list, not {shown(entrants)}")
    lines = [_entrant(number, line, folder) for number, line in enumerate(entrants, 1)]
    given = [line.name for line in lines if line.name is not None]
    if twice := [name for name in given if given.count(name) > 1]:
        raise ValueError(f"two entrants have the name {twice[0]!r}")
    return Config(**found, entrants=tuple(lines))


def _entrant(number: int, line: object, folder: Path) -> EntrantLine:
    try:
        if isinstance(line, str):
            return EntrantLine(_text(values.text(line), {}, folder))
        if isinstance(line, dict):
            return _entrant_of(line, folder)
        raise ValueError(f"must be a text or a table with agent = …, not {shown(line)}")
    except (ValueError, BadParameters) as error:
        raise ValueError(f"entrant {number}: {error}") from error


def _entrant_of(line: Mapping[str, object], folder: Path) -> EntrantLine:
    found: dict[str, Any] = _read({key: line[key] for key in line if key != "options"}, _ENTRANT_READERS, "options")
    if "agent" not in found:
        raise ValueError("agent is missing")
    options = line.get("options", {})
    if not isinstance(options, dict):
        raise ValueError(f"options must be a table, not {shown(options)}")
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(f"option {key} must be a number or a text, not {shown(value)}")
    # As they are written, for the text becomes a name.
    grants: dict[str, Any] = {key: line[key] for key in ("threads", "memory") if key in found}
    grants |= {"read": line["read"]} if "read" in found else {}
    grants |= {"trusted": "yes"} if found.get("trusted") else {}
    if found.get("needs"):
        grants["needs"] = "+".join(found["needs"])
    if both := sorted(options.keys() & (_ENTRANT_READERS.keys() - {"agent", "name"})):
        raise ValueError(f"write {both[0]} beside options, not in them")
    return EntrantLine(_text(found["agent"], options | grants, folder), found.get("name"))


def _text(agent: str, options: Mapping[str, int | float | str], folder: Path) -> str:
    """The entrant as the command line has it, with files found from the folder of the league file."""
    where, own = split_parameters(agent)
    if both := sorted(own.keys() & options.keys()):
        raise ValueError(f"{both[0]} is given twice")
    wanted = own | dict(options)
    if where in ENGINES:
        wanted |= {key: _from_folder(folder, str(wanted[key])) for key in _PATHS if key in wanted}
    text = join_parameters(_from(folder, where), wanted)
    if not text.isprintable() or split_parameters(text)[1] != wanted:
        raise ValueError(f"options cannot be written as {shown(text)}")
    return text


def _from_folder(folder: Path, words: str) -> str:
    """Words of a command or a path, with those files that lie beside the league file found from its folder."""
    found = (str(folder / word) if (folder / word).exists() else word for word in words.split(" "))
    return " ".join(found)


def _from(folder: Path, where: str) -> str:
    path = where.partition(":")[0]
    is_file = path.endswith(".py") or os.sep in path or path in {".", ".."}
    if not is_file or Path(path).is_absolute() or folder == Path():
        return where
    return f"{folder}{os.sep}{where}"


def _read(told: Mapping[str, object], readers: Mapping[str, Reader], *others: str) -> dict[str, object]:
    """The values under known keys."""
    found = {}
    for key, value in told.items():
        if key not in readers:
            raise ValueError(unknown_key(key, [*readers, *others]))
        try:
            found[key] = readers[key](value)
        except ValueError as error:
            raise ValueError(f"{key} {error}, not {shown(value)}") from error
    return found


def unknown_key(key: str, known: Sequence[str]) -> str:
    """What to say of a key that there is not."""
    return f"unknown key {key!r}; {hint(key, known, otherwise='there are')}"


def hint(word: str, known: Sequence[str], *, otherwise: str) -> str:
    """The nearest of the known words, or all of them."""
    near = difflib.get_close_matches(word.replace("_", "-").lower(), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(known)}"


def shown(value: object) -> str:
    """A value as it is quoted to whoever wrote it."""
    return plain(repr(value), _SHOWN)
