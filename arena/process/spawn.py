"""The environments that child processes start with, and how a process is told from a later one with the same PID.

Light, so that workers and zygotes can boot while their parent still imports its modules.
"""

import os
import sys
from pathlib import Path

__all__ = ["bare_environment", "is_alive", "python_path", "start_time", "trusted_environment"]


def python_path() -> str:
    """A value for PYTHONPATH with which a child finds the same modules as this process."""
    return os.pathsep.join(entry for entry in sys.path if Path(entry).is_absolute())


def bare_environment() -> dict[str, str]:
    """An environment without the user's variables: a process can read its start environment in its own memory."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # A fixed hash seed, so that the order of sets is the same when a game is repeated.
    fixed = {"LANG": "C.UTF-8", "PYTHONPATH": python_path(), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    # Players and referee must use the same rules, native or Python.
    return threads | fixed | {name: os.environ[name] for name in ("ARENA_KERNEL",) if name in os.environ}


def trusted_environment() -> dict[str, str]:
    """The environment of a trusted child: the bare one and the few user variables that programs need."""
    return bare_environment() | {
        name: os.environ[name]
        for name in ("PATH", "HOME", "TMPDIR", "ARENA_HOME", "XDG_DATA_HOME")
        if name in os.environ
    }


def start_time(pid: int) -> str:
    """The boot of the machine and the start time of a process since then; empty if it does not run.

    PIDs are reused; start times are not.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else f"{boot} {fields[18]}"


def is_alive(pid: int, started: str) -> bool:
    """Whether the process that had this PID and this start time still runs."""
    return start_time(pid) == started != ""
