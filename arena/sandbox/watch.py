"""Decides the system calls that are notified: some are faults, some are harmless habits of honest libraries."""

import contextlib
import errno
import functools
import os
import re
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agents.seat import Fault
from arena.sandbox import linux, policy
from arena.sandbox.calls import this_machine
from arena.sandbox.linux import Notification
from arena.sandbox.lockdown import NOWHERE, SCRATCH
from results.text import plain

__all__ = ["Watch", "running_threads"]

#: Whatever a player makes us read, it must not void the game.
_UNREADABLE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
_PATH_BYTES: Final = 4096
_NOTES: Final = 100
_AT_FDCWD: Final = -100
#: The flags of pthread_create. With others, for example of vfork, a thread could not be stopped.
_PTHREAD: Final = 0x7D0F00
#: Flags that a thread must have: memory, folder, open files and signal handlers are those of the process. With a table
#: of open files of its own, each thread would have its own limit.
_SHARED: Final = 0x10F00
_SOCKETS: Final = 32  # open at the same time; two for every event loop of asyncio
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TMPFILE: Final = os.O_TMPFILE
#: Files that honest libraries look for; refused without a fault.
_PROBES: Final = re.compile(
    rb"/(etc/(ssl/.*|localtime|nsswitch\.conf|timezone|locale\.alias|gai\.conf|host\.conf)|usr/(lib|share)/(ssl|zoneinfo|locale)(/.*)?"
    rb"|proc/(mounts|cpuinfo|meminfo|stat|self/(environ|maps|mounts|status|stat|cgroup|mountinfo|task/.*)|filesystems"
    rb"|sys/(kernel|vm)/.*|version.*)|sys(/.*)?|dev/shm/sem\..*|dev/(tty|random)|dev/shm)"
)
_OURS: Final = os.fsencode(f"{Path(__file__).resolve().parents[1]}/")
_SCRATCH: Final = SCRATCH.encode()
_NOWHERE: Final = NOWHERE.encode()
#: The arguments of a call that hold its path: the descriptor of the folder (None: the current one) and the text.
_PATHS: Final = {
    **dict.fromkeys(("open", "creat", "truncate", "mkdir", "rmdir", "unlink", "rename", "link", "mknod"), (None, 0)),
    **dict.fromkeys(("chmod", "chown", "lchown", "utime", "utimes", "setxattr", "lsetxattr"), (None, 0)),
    **dict.fromkeys(("removexattr", "lremovexattr", "execve"), (None, 0)),
    **dict.fromkeys(("openat", "openat2", "mkdirat", "unlinkat", "renameat", "renameat2", "linkat", "mknodat"), (0, 1)),
    **dict.fromkeys(("fchmodat", "fchmodat2", "fchownat", "utimensat", "futimesat", "execveat"), (0, 1)),
    "symlink": (None, 1),
    "symlinkat": (1, 2),
}  # fmt: skip
#: Of a thread's `stat`, after its name: the field of its flags, and the flag that it is ending.
_FLAGS: Final = 6
_EXITING: Final = 0x4
_OPEN_FLAGS: Final = {"open": 1, "openat": 2}


class Watch:
    """Decides the notified system calls of one process.

    Paths are bytes: a player may use any, also those that have no text in the encoding of this system.
    """

    def __init__(
        self,
        listener: int,
        *,
        pid: int,
        read: Sequence[str],
        has_scratch: bool,
        threads: int,
        execs: int,
        lenient: bool,
    ) -> None:
        machine = this_machine()
        assert machine is not None
        self._names = {number: name for name, number in machine.calls.items()}
        self._listener = listener
        self._pid = pid
        self._read = [_real(place) for place in read]
        self._has_scratch = has_scratch
        self._threads = threads
        self._execs = execs
        self._lenient = lenient
        self._refused: deque[str] = deque(maxlen=_NOTES)  # a player may try without end
        self._memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY | os.O_CLOEXEC)

    def fileno(self) -> int:
        """The descriptor that becomes readable when a call waits for a decision."""
        return self._listener

    def refused(self) -> str:
        """The calls that were refused without being a fault, one a line."""
        return "\n".join(self._refused)

    def close(self) -> None:
        """Close the descriptors."""
        os.close(self._listener)
        os.close(self._memory)

    def serve(self) -> None:
        """Decide one waiting call; raises `Fault` if it breaks a rule."""
        notification = linux.receive(self._listener)
        if notification is None:
            return
        name = self._names.get(notification.call, f"call {notification.call}")
        try:
            refusal = self._judge(name, notification)
        except _UNREADABLE as error:
            if not linux.is_waiting(self._listener, notification):
                return  # it has ended, and with it what we were reading
            why = f"called {name} with arguments that could not be judged: {type(error).__name__}"
            refusal = Fault(policy.RULE_OF.get(name, "tamper"), why)
        if isinstance(refusal, Fault) and not self._lenient:
            linux.answer(self._listener, notification, errno=errno.EPERM)
            raise refusal
        if refusal is not None:
            self._refused.append(refusal.detail if isinstance(refusal, Fault) else refusal)
        linux.answer(self._listener, notification, errno=None if refusal is None else errno.EACCES)

    def _judge(self, name: str, call: Notification) -> Fault | str | None:
        """None: the call proceeds (Landlock still decides on files). A text: it is refused. A fault: the game ends."""
        if name == "clone" and call.arguments[0] & _SHARED == _SHARED and not call.arguments[0] & ~_PTHREAD:
            return self._judge_thread()
        if name == "socketpair":
            return self._judge_sockets()
        if name in ("execve", "execveat") and self._execs > 0:
            self._execs -= 1
            return None
        if name in policy.OPENS:
            return self._judge_open(name, call)
        if name in policy.CHANGES or name in policy.META:
            return self._judge_change(name, call)
        if name == "sched_setaffinity" and self._keeps_cores(call):
            return "sched_setaffinity to the cores it has"  # torch does this when it is imported
        rule = policy.RULE_OF.get(name, "tamper")
        return Fault(rule, f"called {self._described(name, call)}")

    def _judge_thread(self) -> Fault | None:
        if running_threads(self._pid, enough=self._threads) <= self._threads:
            return None
        return Fault("threads", f"started more than {self._threads} threads")

    def _judge_sockets(self) -> str | None:
        """Each socket can hold memory of the Linux kernel, which no limit counts."""
        folder, sockets = f"/proc/{self._pid}/fd", 0
        for name in os.listdir(folder):  # noqa: PTH208 - names are all we need
            with contextlib.suppress(OSError):  # another thread has just closed it
                sockets += os.readlink(f"{folder}/{name}").startswith("socket:")  # noqa: PTH115 - as text
        return None if sockets < _SOCKETS else f"socketpair with {sockets} open sockets"

    def _keeps_cores(self, call: Notification) -> bool:
        """Whether it asks for no other cores than it has."""
        who, size, address = call.arguments[:3]
        try:
            wanted = int.from_bytes(os.pread(self._memory, min(size, _PATH_BYTES), address), "little")
            own = sum(1 << core for core in os.sched_getaffinity(self._pid))
        except (OSError, OverflowError):
            return False
        return who in (0, self._pid) and wanted & ~own == 0

    def _judge_open(self, name: str, call: Notification) -> Fault | str | None:
        path = self._path(name, call)
        if path is None:
            return None  # no readable path: the Linux kernel answers as usual
        flags = call.arguments[_OPEN_FLAGS[name]] if name in _OPEN_FLAGS else os.O_CREAT if name == "creat" else 0
        writes = bool(flags & _WRITES) or flags & _TMPFILE == _TMPFILE
        real = os.path.realpath(path)
        if self._in_scratch(path) or real in (b"/dev/null", b"/dev/urandom"):
            return None
        if not writes and any(real == place or real.startswith(place + b"/") for place in self._read):
            return None
        shown = f"open {_shown(path)} for {'writing' if writes else 'reading'}"
        if _PROBES.fullmatch(path) or _PROBES.fullmatch(real):
            return shown
        if not writes and real.startswith(_OURS) and real.endswith(b".py"):
            return shown  # Python reads the source of every frame when it prints a stack, also of our modules
        if not os.path.lexists(os.path.dirname(path) if writes else path):  # noqa: PTH120 - bytes
            return None
        return Fault("file", f"tried to {shown}")

    def _judge_change(self, name: str, call: Notification) -> Fault | str | None:
        path = self._path(name, call)
        if path is not None and self._in_scratch(path):
            if name in ("symlink", "symlinkat") and (target := self._text(call.arguments[0])) is not None:
                inside = self._in_scratch(os.path.join(os.path.dirname(path), target))  # noqa: PTH118, PTH120 - bytes
                return None if inside else Fault("file", f"made a link to {_shown(target)}")
            # Landlock decides about creating and removing, but not about attributes: no player may change them.
            return None if name in policy.CHANGES else f"{name} {_shown(path)}"
        if path is None and name in _PATHS and name in policy.CHANGES:
            return None
        if path is not None and name in ("mkdir", "mkdirat") and os.path.isdir(path):  # noqa: PTH112 - as text
            return None  # it exists: `os.makedirs` expects that answer
        if path is not None and (path == _NOWHERE or path.startswith(_NOWHERE + b"/")):
            return f"{name} {_shown(path)}"  # libraries try to store files in the home folder
        return Fault("file", f"called {self._described(name, call)}")

    def _in_scratch(self, path: bytes) -> bool:
        is_below = path == _SCRATCH or path.startswith(_SCRATCH + b"/")
        return self._has_scratch and is_below and b".." not in path.split(b"/")

    def _path(self, name: str, call: Notification) -> bytes | None:
        """The absolute path in the arguments of a call; None if there is none or it cannot be read."""
        if name not in _PATHS:
            return None
        folder, place = _PATHS[name]
        text = self._text(call.arguments[place])
        if not text:
            return None
        if text.startswith(b"/"):
            return os.path.normpath(text) if b".." not in text else text
        base = "cwd" if folder is None else self._folder(call.arguments[folder])
        try:
            return os.path.join(os.readlink(f"/proc/{call.pid}/{base}".encode()), text)  # noqa: PTH115, PTH118 - bytes
        except OSError:
            return None

    @staticmethod
    def _folder(argument: int) -> str:
        descriptor = argument & 0xFFFFFFFF
        return "cwd" if descriptor == _AT_FDCWD & 0xFFFFFFFF else f"fd/{descriptor}"

    def _text(self, address: int) -> bytes | None:
        """A text in the memory of the process; None if it is too long or cannot be read."""
        try:
            # Not past the end of a page: the next page may not exist.
            raw = os.pread(self._memory, _PATH_BYTES - address % _PATH_BYTES, address)
            if not raw and address:  # an exec has replaced the memory that was opened
                fresh = os.open(f"/proc/{self._pid}/mem", os.O_RDONLY | os.O_CLOEXEC)
                os.close(self._memory)
                self._memory = fresh
                raw = os.pread(self._memory, _PATH_BYTES - address % _PATH_BYTES, address)
            if b"\0" not in raw:
                raw += os.pread(self._memory, _PATH_BYTES, address + len(raw))
        except (OSError, OverflowError):
            return None
        text, end, _ = raw.partition(b"\0")
        return text if end else None

    def _described(self, name: str, call: Notification) -> str:
        path = self._path(name, call)
        if path is not None:
            return f"{name}({_shown(path)})"
        return f"{name}({', '.join(str(word) if word < 1 << 31 else hex(word) for word in call.arguments[:3])})"


def running_threads(pid: int, *, enough: int) -> int:
    """The number of threads of a process; of more than `enough`, those that are ending are not counted.

    On a busy machine a thread that was joined may exist for a while until the Linux kernel has removed it.
    """
    threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names are all we need
    if len(threads) <= enough:
        return len(threads)
    return sum(not _is_ending(f"/proc/{pid}/task/{thread}/stat") for thread in threads)


def _is_ending(stat: str) -> bool:
    try:
        fields = Path(stat).read_bytes().rpartition(b")")[2].split()
    except OSError:  # it has ended
        return True
    return bool(int(fields[_FLAGS]) & _EXITING)


@functools.lru_cache(maxsize=1024)
def _real(place: str) -> bytes:
    """The real path of a place that players may read; asked for with every start."""
    return os.fsencode(os.path.realpath(place))


def _shown(path: bytes) -> str:
    return plain(path.decode("utf-8", "backslashreplace"))
