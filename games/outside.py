"""Games from outside this package: copies in the user's own folder, named `nim@HASH` and loaded by that name."""

import importlib
import importlib.util
import os
import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

from games.errors import UnknownGame

__all__ = ["HASH_CHARACTERS", "Outside", "find", "given_as", "home", "is_name", "load_module"]

#: So many characters of the hash of a copy are part of the name of a game.
HASH_CHARACTERS: Final = 16
_NAME: Final = re.compile(rf"(\w+(?:\.\w+)*)@([0-9a-f]{{{HASH_CHARACTERS}}})")


def home() -> Path:
    """The folder for stages and submissions: `$ARENA_HOME`, or `arena` in the user's data folder."""
    if named := os.environ.get("ARENA_HOME"):
        return Path(named)
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "arena"
    try:
        return Path.home() / ".local" / "share" / "arena"
    except RuntimeError:  # a user without a home folder; it is not needed before something is staged
        return Path("/nonexistent/arena")


def is_name(text: str) -> bool:
    """Whether this can be the name of a copy: `nim@HASH`, `my_package.nim@HASH`."""
    return _NAME.fullmatch(text) is not None


def given_as(module: str) -> str:
    """How a user may have named the game of this module."""
    return module if "." in module else f"./{module}.py"


def find(name: str, *, place: Path | None = None) -> Path | None:
    """The folder of a copy, which the user has made by naming the game before; None if there is none.

    Only games are in that folder, no agents: code of participants is never found here.
    """
    if (parts := _NAME.fullmatch(name)) is None:
        return None
    found = sorted((place or home() / "games" / "stages").glob(f"{parts[2]}*"))
    return found[0].absolute() if len(found) == 1 else None


def load_module(name: str, *, place: Path | None = None) -> ModuleType:
    """The module of a copy, under a name that no other module has. Raises `UnknownGame` if there is no such copy."""
    parts = _NAME.fullmatch(name)
    assert parts is not None
    package, module = f"arena_game_{parts[2]}", parts[1]
    if (loaded := sys.modules.get(f"{package}.{module}")) is not None:  # before the lock-down of a player's process
        return loaded
    if (folder := find(name, place=place)) is None:
        raise UnknownGame(f"there is no copy of the game {name!r} here; give its file again, as in --game ./my_game.py")
    if package not in sys.modules:
        spec = ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        sys.modules[package] = importlib.util.module_from_spec(spec)
        sys.path.append(str(folder))  # the last entry: for a package that imports itself by its own name
    return importlib.import_module(f"{package}.{module}")


class Outside:
    """A game under the name by which every process can load it; all else is as its own module says."""

    def __init__(self, game: object, name: str, text: str) -> None:
        self._game, self.name, self._text = game, name, text

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._game, name)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        from games.base import load

        return load, (self._text,)
