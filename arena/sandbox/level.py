"""How well this machine can confine a player."""

import platform
from typing import Final, Literal, TypeAlias

from arena.errors import BadSettings
from arena.sandbox import linux
from arena.sandbox.calls import this_machine

__all__ = ["Level", "level", "require"]

Level: TypeAlias = Literal["full", "reduced", "none"]
#: From here on Landlock also keeps signals and abstract sockets inside.
_FULL_ABI: Final = 6


def level() -> Level:
    """Full, reduced (an older Landlock: TCP, signals or truncation are refused by seccomp alone), or none."""
    abi = linux.landlock_abi()
    if platform.system() != "Linux" or this_machine() is None or abi == 0 or not linux.has_notifications():
        return "none"
    return "full" if abi >= _FULL_ABI else "reduced"


def require() -> Level:
    """The level, if it is enough to run agents of strangers."""
    found = level()
    if found == "none":
        raise BadSettings(
            "this machine cannot confine agents (no Landlock or seccomp notifications); "
            "--trust-agents runs them unconfined"
        )
    return found
