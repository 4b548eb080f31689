"""Which form of the searches plays: the native one, or the Python that specifies it."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from agents.core.native import extension
from agents.core.report import Form

__all__ = ["Engine", "native"]


def native() -> ModuleType | None:
    """The native searches; None if they were not built, or ARENA_KERNEL=python forbids them."""
    return extension("agents.othello._native")


@dataclass(frozen=True, slots=True)
class Engine:
    """What searches natively; None where Python does."""

    native: Any

    @property
    def form(self) -> Form:
        """Which form of the searches this is."""
        return "python" if self.native is None else "kernel"
