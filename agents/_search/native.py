"""The native extensions of this package, where they were built."""

import importlib
import os
from types import ModuleType

__all__ = ["extension"]


def extension(name: str) -> ModuleType | None:
    """The extension with this dotted path; None if it was not built, or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
