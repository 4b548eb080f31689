"""Writes the result of a command to stdout or into a file."""

import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import click

from arena.errors import BadSettings, OutputError

__all__ = ["cannot_write", "check_output", "output_option", "replacing", "terminal_width", "write"]

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
    if output.absolute().is_relative_to("/dev") or output.absolute().is_relative_to("/proc"):
        return False
    if not output.exists():
        return True
    return output.is_file() and all(os.access(path, os.W_OK) for path in (output, output.resolve().parent))


def cannot_write(output: Path, error: OSError) -> OutputError:
    """The error for a file that cannot be written."""
    return OutputError(f"cannot write {output}: {error.strerror or error}")
