"""The native extensions of this package, where they were built."""

import importlib
import os
from types import ModuleType
from typing import Final

__all__ = ["extension", "most"]

_UNLIMITED: Final = 2**63


def extension(name: str) -> ModuleType | None:
    """The extension with this dotted path; None if it was not built, or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def most(limit: int | None) -> int:
    """A limit as the extensions are told it: a number in any case."""
    return _UNLIMITED if limit is None else limit
