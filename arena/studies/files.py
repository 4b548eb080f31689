"""Writing the files of a study: each is replaced as a whole or stays as it was."""

import contextlib
import os
import secrets
from pathlib import Path

from arena.errors import OutputError

__all__ = ["make_folder", "write_file"]


def make_folder(folder: Path) -> None:
    """Create a folder with its parents; `OutputError` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failure(folder, error) from error


def write_file(path: Path, text: str) -> None:
    """Write a file in one step, so that no reader sees half of it; `OutputError` if that fails."""
    target = Path(os.path.realpath(path))  # a link stays, the file that it points to is replaced
    draft = target.with_name(f".arena-{secrets.token_hex(4)}")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(target)
    except OSError as error:
        raise _failure(path, error) from error
    finally:
        with contextlib.suppress(OSError):  # after a failure or an interrupt; else it has been renamed
            draft.unlink()


def _failure(path: Path, error: OSError) -> OutputError:
    return OutputError(f"cannot write {path}: {error.strerror or error}")
