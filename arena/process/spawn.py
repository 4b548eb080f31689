"""The environments that child processes start with, and how a process is told from a later one with the same PID.

Light, so that workers and zygotes can boot while their parent still imports its modules.
"""

import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["bare_environment", "is_alive", "python_path", "start_time", "trusted_environment"]


#: The folder in which the program was started: `python -m` puts it before all libraries.
_STARTED_IN: Final = os.path.realpath(os.curdir)
_OUR_PACKAGES: Final = str(Path(__file__).resolve().parents[2])


def python_path() -> str:
    """A value for PYTHONPATH with which a child finds the same modules as this process, but for the first folder.

    That is the folder of the script or the current one, unless the user names it in PYTHONPATH. Agents of others may
    be there, and a child would run them in place of libraries: `random.py`, `sitecustomize.py`.
    """
    script = getattr(sys.modules["__main__"], "__file__", None)
    first = {_STARTED_IN} | ({os.path.dirname(os.path.realpath(script))} if script else set())  # noqa: PTH120
    named = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    first -= {_OUR_PACKAGES, *map(os.path.realpath, named)}
    return os.pathsep.join(
        entry for entry in sys.path if Path(entry).is_absolute() and os.path.realpath(entry) not in first
    )


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
