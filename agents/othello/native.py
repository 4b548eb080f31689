"""Which form of the searches plays: the native one, or the Python that specifies it."""

from types import ModuleType

from agents._search.native import extension

__all__ = ["native"]


def native() -> ModuleType | None:
    """The native searches; None if they were not built, or ARENA_KERNEL=python forbids them."""
    return extension("agents.othello._native")
