"""Reading small files that may come from anybody: plain files only, and never more than a limit."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PlainFile", "read_plain"]


@dataclass(frozen=True, slots=True)
class PlainFile:
    """The beginning of a file, and when it was changed, in seconds since 1970."""

    data: bytes
    changed: float


def read_plain(place: Path, *, most: int) -> PlainFile | None:
    """At most so many bytes of a file; None if there is none, or if it is a link, a pipe or a folder.

    What a link leads to is not for everybody, and a pipe would never end.
    """
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            return None
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return PlainFile(file.read(most), about.st_mtime)
    except OSError:
        return None
    finally:
        os.close(descriptor)
