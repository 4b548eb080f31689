"""Which arena this is."""

import functools
import importlib.metadata

__all__ = ["DISTRIBUTION", "version"]

#: The name it is published under; `arena` and `agents` belong to others there.
DISTRIBUTION = "arena-league"


@functools.cache
def version() -> str:
    """The installed version."""
    try:
        return importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return "0+unknown"
