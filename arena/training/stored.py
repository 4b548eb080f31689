"""What is stored about a training run, checked: the folder of a run may come from anybody."""

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from results.errors import Damaged
from results.store.notes import check_notes

__all__ = ["check_folder", "checked", "examples_of", "numbered", "texts_of"]

_Row = TypeVar("_Row")
#: No number in a run is larger; with larger ones sums and pictures would overflow.
_MOST: Final = 1e15
_LONGEST: Final = 10_000


def check_folder(folder: Path) -> None:
    """Raise `Damaged` if the folder of a run has links or special files: training would change or publish other files.

    Exported agents in it are replaced as a whole, so that links in them lead nowhere.
    """
    for entry in _entries(folder):
        inner = _entries(Path(entry.path)) if entry.is_dir(follow_symlinks=False) else []
        for found in (entry, *inner):
            with suppress(FileNotFoundError):  # a run that trains removes files meanwhile
                kind = found.stat(follow_symlinks=False).st_mode
                if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
                    raise Damaged(f"{found.path} is a link or a special file, which training never makes; remove it")
    check_notes(folder / "notes.db")


def checked(kind: type[_Row], row: object, *, where: Path) -> _Row:
    """A row of the notes as this dataclass; keys that it does not have are ignored. Raises `Damaged`."""
    hints = get_type_hints(kind)
    names = [name for name in hints if not name.startswith("_")]
    if not isinstance(row, dict):
        raise _damaged(where, kind.__name__)
    given = {name: _value(hints[name], row[name], where) for name in names if name in row}
    try:
        return kind(**given)
    except TypeError as error:
        raise _damaged(where, str(error)) from error


def numbered(notes: Mapping[str, Any], *, where: Path) -> dict[int, Any]:
    """Notes whose keys are generations."""
    try:
        return {int(key): value for key, value in notes.items()}
    except ValueError as error:
        raise _damaged(where, str(error)) from error


def texts_of(value: object, *, where: Path) -> dict[str, Any]:
    """A JSON object whose values are settings: texts, numbers, switches and lists of texts."""
    if not isinstance(value, dict):
        raise _damaged(where, "settings are not a table")
    for one in value.values():
        parts = one if isinstance(one, list) else [one]
        if not all(part is None or isinstance(part, bool) or _is_text(part) or _is_number(part) for part in parts):
            raise _damaged(where, "a setting is neither a text nor a number")
    return value


def examples_of(games: object, *, where: Path) -> list[dict[str, Any]]:
    """Games of self-play: `moves` are texts, `start` is a text."""
    if not isinstance(games, list):
        raise _damaged(where, "examples are not a list")
    found = []
    for game in games:
        moves, start = (game.get("moves"), game.get("start")) if isinstance(game, dict) else (None, None)
        if not isinstance(moves, list) or not all(map(_is_text, [*moves, start])):
            raise _damaged(where, "an example is not a game")
        found.append({"moves": moves, "start": start})
    return found


def _entries(folder: Path) -> Sequence["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _value(hint: Any, value: object, where: Path) -> object:
    if isinstance(hint, UnionType):
        return (
            None
            if value is None
            else _value(next(arg for arg in get_args(hint) if arg is not type(None)), value, where)
        )
    if get_origin(hint) is not None:  # a mapping of texts to numbers
        if not isinstance(value, dict) or not all(map(_is_number, value.values())):
            raise _damaged(where, "numbers are not numbers")
        return value
    is_right = _is_text(value) if hint is str else _is_number(value) and (hint is float or isinstance(value, int))
    if not is_right:
        raise _damaged(where, f"{str(value)[:40]!r} is no {hint.__name__}")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_MOST <= value <= _MOST  # false for NaN too


def _damaged(where: Path, why: str) -> Damaged:
    return Damaged(f"{where} is damaged ({why}); restore a backup")
