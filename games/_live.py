"""Which form of a game's rules plays: its native kernel, or the Python that specifies it."""

import importlib
import os
from types import ModuleType
from typing import Literal

__all__ = ["kernel", "live"]


def kernel(name: str) -> ModuleType | None:
    """The native kernel of the game called `name`; None if it was not built, or ARENA_KERNEL=python forbids it."""
    if os.environ.get("ARENA_KERNEL") == "python":
        return None
    try:
        return importlib.import_module(f"games._native_{name}")
    except ImportError:
        return None


def live(name: str) -> Literal["kernel", "python"]:
    """The form in which the game called `name` is played here."""
    return "python" if kernel(name) is None else "kernel"
