"""The environment variables that child processes start with."""

import os
import sys
from pathlib import Path

__all__ = ["bare_environment", "trusted_environment"]


def bare_environment() -> dict[str, str]:
    """An environment with no variable of the user: a process can find its start environment in its own memory."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())
    # A fixed hash seed, so that the order of sets is the same when a game is played again.
    ours = {"LANG": "C.UTF-8", "PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    # Players and referee must use the same rules, native or Python.
    return threads | ours | {name: os.environ[name] for name in ("ARENA_KERNEL",) if name in os.environ}


def trusted_environment() -> dict[str, str]:
    """What a trusted child needs of our environment, and nothing else of it."""
    return bare_environment() | {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
