"""How well this machine can confine a player."""

import sys
from typing import Final, Literal, TypeAlias

from arena.errors import BadSettings
from arena.sandbox import linux
from arena.sandbox.calls import this_machine

__all__ = ["Level", "level", "require"]

Level: TypeAlias = Literal["full", "reduced", "none"]
#: The first version of Landlock that also confines signals and abstract sockets.
_FULL_ABI: Final = 6


def level() -> Level:
    """How well this machine can confine players.

    `reduced`: with an older Landlock, only seccomp refuses TCP, signals or truncation.
    """
    if sys.platform != "linux" or this_machine() is None:
        return "none"
    abi = linux.landlock_abi()
    if abi == 0 or not linux.has_notifications():
        return "none"
    return "full" if abi >= _FULL_ABI else "reduced"


def require() -> Level:
    """The level; raises `BadSettings` if players cannot be confined at all."""
    found = level()
    if found == "none":
        raise BadSettings(
            "this machine cannot confine agents (no Landlock or seccomp notifications); "
            "with trust-agents they run unconfined"
        )
    return found
