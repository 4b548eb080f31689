"""Which form of the rules is used: the native kernel, or the Python specification."""

import importlib
import os
from types import ModuleType
from typing import Literal

__all__ = ["kernel", "live"]


def kernel(name: str) -> ModuleType | None:
    """The native kernel of a game; None if it was not built, or if ARENA_KERNEL=python turns it off."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module(f"games._native_{name}")
    except ImportError:
        return None


def live(name: str) -> Literal["kernel", "python"]:
    """The form of the rules that is used for the game of this name."""
    return "python" if kernel(name) is None else "kernel"
