"""Measures of a study: modules that are run in a process of their own and print a table."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self, TypeAlias

from agents import names
from arena.errors import OutputError
from arena.sandbox import linux
from arena.staging import content_hash
from arena.study_file import MeasurePart
from games.errors import ArenaError
from results.text import plain

__all__ = ["Kept", "MeasureFailed", "Measured", "Value", "measure"]

Value: TypeAlias = str | int | float | bool | None

_AGENTS: Final = Path(names.__file__).parent
#: What measures: the source, and what was built from it.
_CODE: Final = (".py", ".so")


class MeasureFailed(ArenaError):
    """A measure that ended without a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The table that a measure printed."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @classmethod
    def of(cls, told: object) -> Self:
        """What JSON says of it; `ValueError` if that is no table."""
        if not isinstance(told, dict):
            raise ValueError("no object")
        columns, rows = told.get("columns"), told.get("rows")
        if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
            raise ValueError("no columns")
        if not isinstance(rows, list) or not all(_is_row(row, len(columns)) for row in rows):
            raise ValueError(f"no rows of {len(columns)} values")
        return cls(columns=tuple(columns), rows=tuple(map(tuple, rows)))


def measure(part: MeasurePart) -> Measured:
    """Run a measure to its end; it ends with us. `MeasureFailed` says in one line what went wrong."""
    command = [sys.executable, "-P", "-s", "-m", part.module, *part.arguments, "--json"]
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    # In a session of its own: Ctrl-C is ours to hear.
    process = subprocess.Popen(  # noqa: S603 - a module that the study names
        command, env=os.environ | {"PYTHONPATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", start_new_session=True,
        preexec_fn=_end_with_parent,
    )  # fmt: skip
    with process:
        try:
            out, err = process.communicate()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        last = err.strip().rpartition("\n")[2] or f"exit code {process.returncode}"
        raise MeasureFailed(f"{_shown(part)} failed: {plain(last, 300)}")
    try:
        return Measured.of(json.loads(out))
    except (ValueError, RecursionError) as error:
        raise MeasureFailed(f"{_shown(part)} printed no table: {plain(str(error), 100)}") from error


class Kept:
    """A file of what was measured before, so that it is not measured again by the same code."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._code = "-".join(content_hash(_AGENTS, ending=ending)[:12] for ending in _CODE)
        self._known: dict[str, object] = {}
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # none yet, or a broken one: all is measured again
            return
        self._known = told if isinstance(told, dict) else {}

    def get(self, part: MeasurePart) -> Measured | None:
        """What is known of this measure."""
        try:
            return Measured.of(self._known.get(self._key(part)))
        except ValueError:
            return None

    def put(self, part: MeasurePart, found: Measured) -> None:
        """Keep it, durably."""
        self._known[self._key(part)] = asdict(found)
        draft = self._path.with_name(f".{self._path.name}.draft")
        try:
            draft.write_text(json.dumps(self._known, indent=1), encoding="utf-8")
            draft.replace(self._path)
        except OSError as error:
            raise OutputError(f"cannot write {self._path}: {error.strerror or error}") from error

    def _key(self, part: MeasurePart) -> str:
        return " ".join([part.module, *part.arguments, f"({self._code})"])


def _shown(part: MeasurePart) -> str:
    return plain(" ".join([part.module, *part.arguments]), 100)


def _is_row(row: object, width: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == width
        and all(value is None or isinstance(value, str | int | float) for value in row)
    )


def _end_with_parent() -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
