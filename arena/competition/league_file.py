"""League files: TOML with the settings of a league and its entrants."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from agents.base import BaseAgent
from agents.names import ENGINES
from arena.competition import settings, values
from arena.competition.settings import nearest, shown, unknown_key
from arena.competition.values import Kind
from arena.entrants.entrant import Agent, check_class
from arena.entrants.games import given_game
from arena.errors import BadSettings
from games.base import join_parameters, split_parameters
from games.errors import BadParameters
from results.text import plain

__all__ = ["KEYS", "EntrantLine", "LeagueFile", "entrant_line", "load", "names", "read"]

_SHIPPED: Final = Path(__file__).parent / "leagues"
_PATHS: Final = ("command", "path", "read")  # options of engines that name files
#: The keys of a league file.
KEYS: Final = (*(name.replace("_", "-") for name in settings.options()), "entrants")
_ENTRANT_KEYS: Final[Mapping[str, Kind]] = {
    "agent": values.TEXT,
    "name": values.TEXT,
    "threads": values.whole(least=1),
    "memory": values.MEMORY,
    "needs": values.LIBRARY_LIST,
    "read": values.TEXT,
    "trusted": values.FLAG,
}


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """An entrant as the command line names it, and its name in the league; None for the agent's own name.

    In Python the agent can be a class; then `text` is the name of the class with the options.
    """

    text: str
    name: str | None = None
    agent_class: type[BaseAgent] | None = None

    @property
    def given(self) -> str | type[BaseAgent]:
        """The agent for `entrant_of`."""
        return self.text if self.agent_class is None else self.agent_class


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """The settings that a league file gives, by field name, and its entrants."""

    settings: Mapping[str, Any]
    entrants: tuple[EntrantLine, ...] = ()


def names() -> list[str]:
    """The league files that ship with arena."""
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def load(name_or_path: str) -> LeagueFile:
    """The league file with this path, or the shipped one with this name; `BadSettings` says what is wrong with it."""
    path = _SHIPPED / f"{name_or_path}.toml" if name_or_path in names() else Path(name_or_path)
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError) as error:
        near = nearest(name_or_path, names(), otherwise="these ship with arena:")
        raise BadSettings(f"no league file {name_or_path!r}; {near}") from error
    except (OSError, ValueError, RecursionError) as error:  # broken TOML, text that is not UTF-8, an impossible path
        raise BadSettings(f"cannot read {str(path)!r}: {plain(str(error))}") from error
    try:
        return read(given, path.parent)
    except ValueError as error:
        raise BadSettings(f"{plain(str(path))}: {error}") from error


def read(given: Mapping[str, object], folder: Path) -> LeagueFile:
    """The content of a league file; paths in it are relative to the folder. `ValueError` says what is wrong."""
    given = dict(given)
    entrants = given.pop("entrants", [])
    if isinstance(openings := given.get("openings"), str):
        given["openings"] = folder / openings
    if isinstance(game := given.get("game"), str):
        given["game"] = given_game(game, folder=folder)
    found = settings.read(given, more=["entrants"])
    if not isinstance(entrants, list):
        raise ValueError(f"entrants must be a list, not {shown(entrants)}")
    lines = [_entrant(number, line, folder) for number, line in enumerate(entrants, 1)]
    given_names = [line.name for line in lines if line.name is not None]
    if twice := [name for name in given_names if given_names.count(name) > 1]:
        raise ValueError(f"two entrants have the name {twice[0]!r}")
    return LeagueFile(found, tuple(lines))


def entrant_line(agent: Agent) -> EntrantLine:
    """An agent given in Python, also as a mapping with the keys of an entrant in a league file."""
    if isinstance(agent, str | Path):
        return EntrantLine(str(agent))
    if not isinstance(agent, Mapping):
        check_class(agent)
        return EntrantLine(agent.__name__, agent_class=agent)
    found = agent.get("agent")
    line = {**agent, "agent": str(found)} if isinstance(found, Path) else dict(agent)
    try:
        if not isinstance(found, type):
            return _entrant_of(line, Path())
        check_class(found)
        return replace(_entrant_of({**line, "agent": found.__name__}, Path()), agent_class=found)
    except (ValueError, BadParameters) as error:
        raise BadSettings(f"entrant {shown(dict(agent))}: {error}") from error


def _entrant(number: int, line: object, folder: Path) -> EntrantLine:
    try:
        if isinstance(line, str):
            return EntrantLine(_text(values.TEXT.read(line), {}, folder))
        if isinstance(line, dict):
            return _entrant_of(line, folder)
        raise ValueError(f"must be a text or a table with agent = …, not {shown(line)}")
    except (ValueError, BadParameters) as error:
        raise ValueError(f"entrant {number}: {error}") from error


def _entrant_of(line: Mapping[str, object], folder: Path) -> EntrantLine:
    found = _read_entrant({key: line[key] for key in line if key != "options"})
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
    if both := sorted(options.keys() & (_ENTRANT_KEYS.keys() - {"agent", "name"})):
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


def _read_entrant(given: Mapping[str, object]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in _ENTRANT_KEYS:
            raise ValueError(unknown_key(key, [*_ENTRANT_KEYS, "options"]))
        try:
            found[key] = _ENTRANT_KEYS[key].read(value)
        except ValueError as error:
            raise ValueError(f"{key} {error}, not {shown(value)}") from error
    return found
