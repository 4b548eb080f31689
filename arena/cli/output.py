"""Writes the result of a command to stdout or into a file."""

import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

import click

from arena.errors import BadSettings, OutputError
from results.text import counted, plain

__all__ = [
    "cannot_write", "check_output", "confirm", "output_option", "progress", "replacing", "terminal_width", "write",
]  # fmt: skip

_Item = TypeVar("_Item")
#: Work that takes longer than this says on a terminal how far it is; in seconds.
_PATIENCE: Final = 2.0
_PAUSE: Final = 0.2

output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE",
    help="Write to this file and replace it if it exists.  [default: stdout]",
)  # fmt: skip


def terminal_width() -> int | None:
    """The number of columns of the terminal that stdout is; None if it is a file or a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def check_output(output: Path | None, *, db: Path) -> Path | None:
    """The file to write to, None for stdout; raises `BadSettings` if it is the results file."""
    if output is None or str(output) == "-":
        return None
    try:
        same = output.exists() and db.exists() and output.samefile(db)
    except OSError as error:
        raise cannot_write(output, error) from error
    if same:
        raise BadSettings(f"{output} is the results file; write to another file")
    return output


def write(output: Path | None, pieces: Iterable[str]) -> bool:
    """Write all pieces; returns whether there were any. Without pieces, an existing file stays unchanged."""
    pieces = iter(pieces)
    head = next(pieces, None)
    if head is None:
        return False
    if output is None:
        for piece in chain([head], pieces):
            click.echo(piece.encode(), nl=False)  # the same bytes as in a file, whatever the terminal's encoding
        return True
    try:
        with replacing(output) as path, path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(chain([head], pieces))
            return True
    except OSError as error:
        raise cannot_write(output, error) from error


def confirm(output: Path | None) -> None:
    """Say on stderr where the output went and how large it is; nothing about stdout, pipes and devices."""
    if output is not None and output.is_file() and not _is_device(output):
        click.echo(f"wrote {plain(str(output))} ({_size(output.stat().st_size)})", err=True)


def progress(items: Iterable[_Item], noun: str, *, clock: Callable[[], float] = time.monotonic) -> Iterator[_Item]:
    """The items; if they take longer than 2 s, a line on the terminal counts them until they end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    due = clock() + _PATIENCE
    is_shown = False
    try:
        for number, item in enumerate(items, 1):
            yield item
            if (now := clock()) >= due:
                click.echo(f"\r\x1b[K{counted(number, noun)}", err=True, nl=False)
                due, is_shown = now + _PAUSE, True
    finally:
        if is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def _size(number: int) -> str:
    if number < 1000:
        return counted(number, "byte")
    return f"{number / 1e3:.1f} kB" if number < 1e6 else f"{number / 1e6:.1f} MB"


@contextmanager
def replacing(output: Path) -> Iterator[Path]:
    """A temporary file to write to. At the end it replaces the output file, unless an exception was raised."""
    if not _is_replaceable(output):
        yield output
        return
    place = Path(os.path.realpath(output))  # the target of a symbolic link is replaced, not the link
    draft = place.with_name(f".arena-{secrets.token_hex(4)}")
    try:
        draft.touch(exist_ok=False)
        yield draft
        if place.exists():
            shutil.copymode(place, draft)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _is_replaceable(output: Path) -> bool:
    # Pipes and devices are written directly, and so is /dev/stdout, even if it is a file. Files that cannot be replaced
    # are also written directly: a read-only file, which then fails, or a file in a read-only folder.
    if _is_device(output):
        return False
    if not output.exists():
        return True
    return output.is_file() and all(os.access(path, os.W_OK) for path in (output, output.resolve().parent))


def _is_device(output: Path) -> bool:
    return output.absolute().is_relative_to("/dev") or output.absolute().is_relative_to("/proc")


def cannot_write(output: Path, error: OSError) -> OutputError:
    """The error for a file that cannot be written."""
    return OutputError(f"cannot write {output}: {error.strerror or error}")
