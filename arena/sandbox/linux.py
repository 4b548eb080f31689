"""System calls that Python does not offer: prctl, Landlock, seccomp. Nothing here decides what is allowed."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.calls import ARCHITECTURES, this_machine

__all__ = [
    "ACCESS_EXECUTE",
    "ACCESS_READ",
    "ACCESS_WRITE",
    "Notification",
    "answer",
    "drop_bounding_set",
    "drop_capabilities",
    "fork_sibling",
    "has_notifications",
    "install_filter",
    "is_waiting",
    "landlock_abi",
    "landlock_restrict",
    "mount_private_tmpfs",
    "prctl",
    "receive",
    "unshare_mounts",
]

PR_SET_PDEATHSIG: Final = 1
PR_CAPBSET_DROP: Final = 24
PR_SET_NO_NEW_PRIVS: Final = 38
_PR_GET_TID_ADDRESS: Final = 40

ACCESS_EXECUTE: Final = 1 << 0
ACCESS_READ: Final = (1 << 2) | (1 << 3)  # files, folders
_WRITE_FILE: Final = 1 << 1
_TRUNCATE: Final = 1 << 14
#: Everything that creates, removes or changes files, including links between folders.
ACCESS_WRITE: Final = _WRITE_FILE | sum(1 << bit for bit in range(4, 13)) | 1 << 13 | _TRUNCATE
_FILE_ONLY: Final = ACCESS_EXECUTE | _WRITE_FILE | (1 << 2) | _TRUNCATE | 1 << 15

_CLONE_PARENT: Final = 0x8000
_CLONE_CHILD_CLEARTID: Final = 0x200000
_CLONE_CHILD_SETTID: Final = 0x1000000
_CLONE_NEWNS: Final = 0x20000
_CLONE_NEWUSER: Final = 0x10000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18

_SECCOMP_SET_MODE_FILTER: Final = 1
_NEW_LISTENER: Final = 1 << 3
_WAIT_KILLABLE: Final = 1 << 5
_NOTIF_RECV: Final = 0xC0502100
_NOTIF_SEND: Final = 0xC0182101
_NOTIF_ID_VALID: Final = 0x40082102
_CONTINUE: Final = 1

if sys.platform == "linux":  # commands that read results import this module on every system
    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.syscall.restype = ctypes.c_long
    _python = ctypes.PyDLL(None)  # the same, called without giving other threads of Python a turn
    _python.syscall.restype = ctypes.c_long


def _call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    machine = this_machine()
    assert machine is not None
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result: int = _libc.syscall(ctypes.c_long(machine.calls[name]), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def prctl(option: int, value: int = 0) -> int:
    """Call prctl with one argument; raises OSError."""
    return _call("prctl", option, value, 0, 0, 0)


def fork_sibling() -> int:
    """Fork a process whose parent is our parent, and not this process; returns its PID, in the new process 0.

    Only for a process with one thread: what libraries do before and after a fork, except Python, is not done.
    """
    machine = this_machine()
    assert machine is not None
    address = ctypes.c_void_p()
    if _libc.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0) < 0:  # where the C library keeps our PID
        address.value = None
    flags = _CLONE_PARENT | (_CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID if address.value else 0)
    # Flags, stack, where to write the PID for the parent; then, in an order of each architecture, for the child, and
    # its thread-local storage.
    last = (address, None) if machine is ARCHITECTURES["x86_64"] else (None, address)
    number, null = ctypes.c_long(machine.calls["clone"]), ctypes.c_void_p()
    ctypes.pythonapi.PyOS_BeforeFork()
    pid: int = _python.syscall(number, ctypes.c_long(flags), null, null, *(word or null for word in last))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError("the Linux kernel starts no more processes")
    return pid


def drop_bounding_set() -> None:
    """Give up every capability after an exec."""
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text())
    for number in range(last + 1):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError:  # we may not drop it, so we do not have it
            break


def drop_capabilities() -> None:
    """Give up every capability now."""
    _call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))


def unshare_mounts(*, with_user: bool) -> None:
    """Give this process its own mount namespace; an unprivileged process needs a user namespace for that."""
    _call("unshare", _CLONE_NEWNS | (_CLONE_NEWUSER if with_user else 0))


def mount_private_tmpfs(path: str, *, size: int) -> None:
    """Mount an empty folder in memory at `path`, visible only in our mount namespace."""
    _call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    options = f"size={size},nr_inodes=4096,mode=0700".encode()
    _call("mount", b"tmpfs", path.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options)


def landlock_abi() -> int:
    """The version of Landlock of this Linux kernel; 0 if it has none."""
    if this_machine() is None:
        return 0
    try:
        return _call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def landlock_restrict(paths: Iterable[tuple[Path, int]], *, abi: int) -> None:
    """Allow this process the given access to the given paths; forbid all other files, TCP and signals to others."""
    files = (1 << 13) - 1
    files |= (1 << 13 if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0) | (1 << 15 if abi >= 5 else 0)
    attributes = struct.pack("QQQ", files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _call("landlock_create_ruleset", attributes[:size], size, 0)
    for path, access in paths:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # a path that does not exist needs no permission
        mask = files if os.path.isdir(descriptor) else files & _FILE_ONLY  # noqa: PTH112 - a descriptor
        _call("landlock_add_rule", ruleset, 1, struct.pack("=Qi", access & mask, descriptor), 0)
        os.close(descriptor)
    _call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def has_notifications() -> bool:
    """Whether seccomp can notify us of calls."""
    try:
        return "user_notif" in Path("/proc/sys/kernel/seccomp/actions_avail").read_text().split()
    except OSError:
        return False


def install_filter(program: bytes, *, listen: bool) -> int:
    """Install a seccomp filter for ever; with `listen`, return the descriptor on which its notifications arrive."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    return _call("seccomp", _SECCOMP_SET_MODE_FILTER, (_NEW_LISTENER | _WAIT_KILLABLE) if listen else 0, header)


@dataclass(frozen=True, slots=True)
class Notification:
    """A system call that waits for our decision."""

    id: int
    pid: int
    call: int
    arguments: tuple[int, ...]


def receive(listener: int) -> Notification | None:
    """The next notification; None if its caller has already ended."""
    buffer = ctypes.create_string_buffer(80)
    if _libc.ioctl(listener, ctypes.c_ulong(_NOTIF_RECV), buffer) < 0:
        return None
    number, pid, _, call, _, _, *arguments = struct.unpack("QIIiIQ6Q", buffer.raw)
    return Notification(number, pid, call, tuple(arguments))


def answer(listener: int, notification: Notification, *, errno: int | None) -> None:
    """Let the call proceed (`errno` None) or fail; harmless if its caller has ended."""
    flags, error = (_CONTINUE, 0) if errno is None else (0, -errno)
    reply = ctypes.create_string_buffer(struct.pack("QqiI", notification.id, 0, error, flags), 24)
    _libc.ioctl(listener, ctypes.c_ulong(_NOTIF_SEND), reply)


def is_waiting(listener: int, notification: Notification) -> bool:
    """Whether its caller still waits for our decision; False if it has ended."""
    number = ctypes.create_string_buffer(struct.pack("Q", notification.id), 8)
    return bool(_libc.ioctl(listener, ctypes.c_ulong(_NOTIF_ID_VALID), number) == 0)
