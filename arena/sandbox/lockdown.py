"""The lock-down: what a new child does to itself, in this order, before it imports any agent code."""

import os
import signal
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox import linux, policy
from arena.sandbox.boot import CONTROL
from arena.sandbox.calls import this_machine

if sys.platform == "linux":  # commands that read results import this module on every system
    import resource

__all__ = ["NOWHERE", "SCRATCH", "Confinement", "lock_down"]

#: The scratch folder of a player; a mount namespace hides it from all other processes.
#: Not /tmp: virtual environments and stages may be there, and would be hidden from the player too.
SCRATCH: Final = "/dev/shm"  # noqa: S108 - a private mount
#: The home folder of a player without scratch folder.
NOWHERE: Final = "/nonexistent"
_STACK_BYTES: Final = 8 << 20
_OPEN_FILES: Final = 256
_FILE_BYTES: Final = 64 << 20
_PENDING_SIGNALS: Final = 256  # each takes memory of the Linux kernel, and all processes of a user share its limit
#: What may be mapped. RLIMIT_DATA is the real limit of memory; this one bounds the page tables, which take 1/512 of
#: what is mapped. Runtimes of other languages reserve much that they never use.
_ADDRESS_SPACE: Final = 8 << 30  # beyond twice the memory
_ADDRESS_SPACE_OF_PROGRAMS: Final = 64 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """What one player may use. Sizes are in bytes, paths are absolute."""

    read: tuple[str, ...]
    memory: int
    scratch: int = 0
    command: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()
    abi: int = 0
    #: Off only in the tests which prove that other tests would notice it.
    landlock: bool = True
    seccomp: bool = True


def lock_down(confinement: Confinement, *, parent: int) -> None:
    """Lock this process down for ever and report to the referee on descriptor 3."""
    os.setsid()
    _die_with(parent)
    if confinement.scratch:
        _mount_scratch(confinement.scratch)
        linux.drop_bounding_set()  # in a new user namespace it is full again; otherwise the zygote has dropped it
    _limit(confinement)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if confinement.landlock:
        linux.landlock_restrict(_access(confinement), abi=confinement.abi)
    _reset_environment(has_scratch=confinement.scratch > 0)
    _filter(installed=confinement.seccomp)


def _die_with(parent: int) -> None:
    """End when the referee ends, also if it has already ended."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _access(confinement: Confinement) -> list[tuple[Path, int]]:
    access = [(Path(path), linux.ACCESS_READ) for path in confinement.read]
    access += [(Path(path), linux.ACCESS_READ | linux.ACCESS_EXECUTE) for path in confinement.execute]
    access.append((Path("/dev/null"), linux.ACCESS_READ | linux.ACCESS_WRITE))
    if confinement.scratch:
        access.append((Path(SCRATCH), linux.ACCESS_READ | linux.ACCESS_WRITE))
    return access


def _filter(*, installed: bool) -> None:
    machine = this_machine()
    assert machine is not None
    listeners = [linux.install_filter(policy.first_filter(machine, pid=os.getpid()), listen=True)] if installed else []
    with socket.socket(fileno=os.dup(CONTROL)) as control:
        socket.send_fds(control, [str(os.getpid()).encode()], listeners)
    if installed:
        os.close(listeners[0])
        linux.install_filter(policy.last_filter(machine), listen=False)


def _mount_scratch(size: int) -> None:
    """Mount a folder in memory that only this process sees and that disappears with it."""
    uid, gid = os.getuid(), os.getgid()
    linux.unshare_mounts(with_user=uid != 0)
    if uid != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    linux.mount_private_tmpfs(SCRATCH, size=size)


def _limit(confinement: Confinement) -> None:
    space = _ADDRESS_SPACE_OF_PROGRAMS if confinement.command else _ADDRESS_SPACE + 2 * confinement.memory
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_STACK: _STACK_BYTES,
        resource.RLIMIT_DATA: confinement.memory,
        resource.RLIMIT_AS: space,
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: _PENDING_SIGNALS,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def _reset_environment(*, has_scratch: bool) -> None:
    home = SCRATCH if has_scratch else NOWHERE
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # Without HOME, TMPDIR and USER libraries open /etc/passwd, which would be a fault.
    user = {"HOME": home, "TMPDIR": home, "USER": "player", "LOGNAME": "player", "LANG": "C.UTF-8"}
    # torch creates this folder when it first optimizes, and fails if it cannot; here it exists.
    caches = {"TORCHINDUCTOR_CACHE_DIR": SCRATCH if has_scratch else "/"}
    # Native or Python rules, if one of them was chosen.
    kernel = {name: os.environ[name] for name in ("ARENA_KERNEL",) if name in os.environ}
    os.environ.clear()
    # Bytecode cannot be written here; a Python program that tries to would be at fault.
    os.environ.update(user | threads | caches | kernel | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"})
    tempfile.tempdir = home  # otherwise Python would try several folders
    sys.dont_write_bytecode = True
