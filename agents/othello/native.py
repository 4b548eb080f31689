"""Which form of the searches plays: the native one, or the Python that specifies it."""

import importlib
import os
from types import ModuleType

__all__ = ["native"]


def native() -> ModuleType | None:
    """The native searches; None if they were not built, or ARENA_KERNEL=python forbids them."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module("agents.othello._native")
    except ImportError:
        return None
