"""Measures of a study: modules that run in a process of their own and print a table."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, Self, TypeAlias

from agents import names
from arena.entrants.staging import content_hash
from arena.sandbox import linux
from arena.studies.files import write_file
from arena.studies.study import MeasurePart
from games.errors import ArenaError
from results.text import plain

__all__ = ["MeasureCache", "MeasureFailed", "MeasureTable", "Value", "measure"]

Value: TypeAlias = str | int | float | bool | None

_AGENTS: Final = Path(names.__file__).parent
#: Files whose content decides what a measure finds: the sources, and the native modules built from them.
_CODE_ENDINGS: Final = (".py", ".so")
_MAX_OUTPUT: Final = 16 << 20
#: Bytes of stderr that are searched for its last line.
_STDERR_TAIL: Final = 4096
#: Characters of stdout that are quoted if it is not JSON.
_STDOUT_HEAD: Final = 400
_POLL_SECONDS: Final = 0.02


class MeasureFailed(ArenaError):
    """A measure ended without a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureTable:
    """The table that a measure printed."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The table in a decoded JSON value; `ValueError` if there is none."""
        if not isinstance(value, dict):
            raise ValueError("the output is not a JSON object")
        columns, rows = value.get("columns"), value.get("rows")
        if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
            raise ValueError("columns must be a list of texts")
        if not isinstance(rows, list) or not all(_is_row(row, len(columns)) for row in rows):
            raise ValueError(f"rows must be lists of {len(columns)} values")
        if any(isinstance(cell, float) and not math.isfinite(cell) for row in rows for cell in row):
            raise ValueError("a number is not finite")
        return cls(columns=tuple(columns), rows=tuple(map(tuple, rows)))


def measure(part: MeasurePart) -> MeasureTable:
    """Run a measure to its end; its process never outlives this call. `MeasureFailed` says in one line what failed."""
    command = plain(part.command, 100)
    with TemporaryFile() as out, TemporaryFile() as err:
        code = _run(part, out, err)
        if any(_is_too_long(file) for file in (out, err)):
            raise MeasureFailed(f"{command} printed more than {_MAX_OUTPUT >> 20} MB")
        printed, complaint = _tail(out, _MAX_OUTPUT), _tail(err, _STDERR_TAIL)
    if code:
        last_line = complaint.strip().rpartition("\n")[2] or f"exit code {code}"
        raise MeasureFailed(f"{command} failed: {plain(last_line, 300)}")
    try:
        return MeasureTable.from_json(_decoded(printed))
    except ValueError as error:
        raise MeasureFailed(f"{command} printed no table: {plain(str(error), 200)}") from error


def _run(part: MeasurePart, out: IO[bytes], err: IO[bytes]) -> int:
    """The exit code of the measure. Neither it nor a process it started is left when this returns or raises."""
    command = [sys.executable, "-P", "-s", "-m", part.module, *part.arguments, "--json"]
    folders = [entry for entry in sys.path if Path(entry).is_absolute()]
    if part.folder is not None and not part.is_bundled:
        folders.insert(0, str(part.folder))
    # In a session of its own: Ctrl-C is for us to handle. Into files: a process that keeps a pipe open would block us.
    process = subprocess.Popen(  # noqa: S603 - a module that the study names
        command, env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)}, stdin=subprocess.DEVNULL, stdout=out,
        stderr=err, start_new_session=True, preexec_fn=_end_with_parent,
    )  # fmt: skip
    try:
        while not _has_ended(process) and not any(_is_too_long(file) for file in (out, err)):
            time.sleep(_POLL_SECONDS)
    finally:
        # Before the wait: until then no other process can have this PID.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    return code


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _is_too_long(file: IO[bytes]) -> bool:
    return os.fstat(file.fileno()).st_size > _MAX_OUTPUT


def _tail(file: IO[bytes], limit: int) -> str:
    """The last bytes of a file as text."""
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), limit, max(0, size - limit)).decode("utf-8", "replace")


def _decoded(printed: str) -> object:
    try:
        return json.loads(printed)
    except (ValueError, RecursionError) as error:
        head = " ".join(printed[:_STDOUT_HEAD].split())
        problem = f"the output is not JSON; it begins with {plain(head, 60)!r}" if head else "the output is empty"
        raise ValueError(problem) from error


class MeasureCache:
    """A file with the tables of earlier measures, so that the same code does not measure the same thing again.

    Only measures of bundled modules are kept: the code behind other modules is unknown, so they run every time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._code = "-".join(content_hash(_AGENTS, ending=ending)[:12] for ending in _CODE_ENDINGS)
        self._tables: dict[str, object] = {}
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # no file yet, or a broken one: everything is measured again
            return
        self._tables = stored if isinstance(stored, dict) else {}

    def get(self, part: MeasurePart) -> MeasureTable | None:
        """The stored table of this measure, if there is one."""
        if not part.is_bundled:
            return None
        try:
            return MeasureTable.from_json(self._tables.get(self._key(part)))
        except ValueError:
            return None

    def put(self, part: MeasurePart, table: MeasureTable) -> None:
        """Store a table, if its module is bundled."""
        if part.is_bundled:
            self._tables[self._key(part)] = asdict(table)
            write_file(self._path, json.dumps(self._tables, indent=1))

    def _key(self, part: MeasurePart) -> str:
        return f"{part.command} ({self._code})"


def _is_row(row: object, width: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == width
        and all(value is None or isinstance(value, str | int | float) for value in row)
    )


def _end_with_parent() -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
