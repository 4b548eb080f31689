"""Measures of a study: modules that are run in a process of their own and print a table."""

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
from arena.errors import OutputError
from arena.sandbox import linux
from arena.studies.file import MeasurePart
from games.errors import ArenaError
from results.text import plain

__all__ = ["Kept", "MeasureFailed", "Measured", "Value", "measure"]

Value: TypeAlias = str | int | float | bool | None

_AGENTS: Final = Path(names.__file__).parent
#: What measures: the source, and what was built from it.
_CODE: Final = (".py", ".so")
_MOST_PRINTED: Final = 16 << 20
#: How much of stderr is needed for its last line, and how much of stdout to show how it begins.
_LAST: Final = 4096
_BEGIN: Final = 400
#: Seconds from one look at a running measure to the next.
_GLANCE: Final = 0.02


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
        if any(isinstance(value, float) and not math.isfinite(value) for row in rows for value in row):
            raise ValueError("a number in it is not finite")
        return cls(columns=tuple(columns), rows=tuple(map(tuple, rows)))


def measure(part: MeasurePart) -> Measured:
    """Run a measure to its end; it ends with us. `MeasureFailed` says in one line what went wrong."""
    with TemporaryFile() as out, TemporaryFile() as err:
        code = _run(part, out, err)
        if any(_is_too_long(file) for file in (out, err)):
            raise MeasureFailed(f"{_shown(part)} printed more than {_MOST_PRINTED >> 20} MB")
        printed, complaint = _text(out), _text(err, last=_LAST)
    if code:
        last = complaint.strip().rpartition("\n")[2] or f"exit code {code}"
        raise MeasureFailed(f"{_shown(part)} failed: {plain(last, 300)}")
    try:
        return Measured.of(_read(printed))
    except ValueError as error:
        raise MeasureFailed(f"{_shown(part)} printed no table: {plain(str(error), 200)}") from error


def _run(part: MeasurePart, out: IO[bytes], err: IO[bytes]) -> int:
    """Its exit code; neither it nor what it started is left when this returns or raises."""
    command = [sys.executable, "-P", "-s", "-m", part.module, *part.arguments, "--json"]
    places = [entry for entry in sys.path if Path(entry).is_absolute()]
    if part.folder is not None and not part.is_ours:
        places.insert(0, str(part.folder))
    # In a session of its own: Ctrl-C is ours to hear. Into files: whoever keeps a pipe open could keep us waiting.
    process = subprocess.Popen(  # noqa: S603 - a module that the study names
        command, env=os.environ | {"PYTHONPATH": os.pathsep.join(places)}, stdin=subprocess.DEVNULL, stdout=out,
        stderr=err, start_new_session=True, preexec_fn=_end_with_parent,
    )  # fmt: skip
    try:
        while not _has_ended(process) and not any(_is_too_long(file) for file in (out, err)):
            time.sleep(_GLANCE)
    finally:
        # Before it is waited for: until then its number is nobody else's.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    return code


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _is_too_long(file: IO[bytes]) -> bool:
    return os.fstat(file.fileno()).st_size > _MOST_PRINTED


def _text(file: IO[bytes], *, last: int = _MOST_PRINTED) -> str:
    """What was printed, the last bytes of it."""
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), last, max(0, size - last)).decode("utf-8", "replace")


def _read(printed: str) -> object:
    try:
        return json.loads(printed)
    except (ValueError, RecursionError) as error:
        begin = " ".join(printed[:_BEGIN].split())
        raise ValueError(f"no JSON, it begins with {plain(begin, 60)!r}" if begin else "it printed nothing") from error


class Kept:
    """A file of what was measured before, so that it is not measured again by the same code.

    Only for modules of ours: what other modules consist of is not known, so they are measured every time.
    """

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
        if not part.is_ours:
            return None
        try:
            return Measured.of(self._known.get(self._key(part)))
        except ValueError:
            return None

    def put(self, part: MeasurePart, found: Measured) -> None:
        """Keep it, durably, if its module is one of ours."""
        if not part.is_ours:
            return
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
