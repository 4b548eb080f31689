"""The version of arena."""

import functools

__all__ = ["DISTRIBUTION", "version"]

#: The name of the distribution; `arena` would be that of another project.
DISTRIBUTION = "arena-league"


@functools.cache
def version() -> str:
    """The installed version; `0+unknown` if arena is not installed."""
    import importlib.metadata  # slow to import, and seldom needed

    try:
        return importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return "0+unknown"
