"""Agents that interfere with schedulers, limits, the memory of other processes and the Linux kernel itself."""

import ctypes
import gc
import mmap
import os
import platform
import resource
import sys

from agents.basic.debug_agent import FirstMoveAgent as Honest

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
COLUMN = platform.machine() == "aarch64"
NUMBERS = {
    "add_key": (248, 217), "bpf": (321, 280), "capset": (126, 91), "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30), "kcmp": (312, 272), "keyctl": (250, 219), "landlock_create_ruleset": (444, 444),
    "memfd_secret": (447, 447), "mq_open": (240, 180), "perf_event_open": (298, 241), "personality": (135, 92),
    "pidfd_getfd": (438, 438), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "sched_setattr": (314, 274), "seccomp": (317, 277), "semget": (64, 190), "setns": (308, 268), "shmget": (29, 194),
    "userfaultfd": (323, 282),
}  # fmt: skip


def call(name, *words):
    """A system call by its number."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    result = LIBC.syscall(ctypes.c_long(NUMBERS[name][COLUMN]), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Calls(Honest):
    """Makes the system call of its option, with its parent as the target."""

    def __init__(self, name, color, call):
        super().__init__(name, color)
        self.call = call

    def act(self, state):
        parent, space = os.getppid(), ctypes.create_string_buffer(256)
        arguments = {
            "ptrace": (16, parent, 0, 0), "process_vm_readv": (parent, space, 1, space, 1, 0),
            "process_vm_writev": (parent, space, 1, space, 1, 0), "sched_setattr": (0, space, 0),
            "ioprio_set": (1, 0, 0), "landlock_create_ruleset": (None, 0, 1), "kcmp": (parent, parent, 0, 0, 0),
        }  # fmt: skip
        call(self.call, *arguments.get(self.call, (0, space, space, 0, 0)))
        return super().act(state)


class ChoosesCores(Honest):
    def act(self, state):
        os.sched_setaffinity(0, range(64))
        return super().act(state)


class ChoosesScheduler(Honest):
    def act(self, state):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
        return super().act(state)


class PushesAhead(Honest):
    def act(self, state):
        os.nice(-5)
        return super().act(state)


class PushesParentBack(Honest):
    def act(self, state):
        os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)
        return super().act(state)


class LimitsParent(Honest):
    def act(self, state):
        resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))
        return super().act(state)


class ReadsParentLimits(Honest):
    def act(self, state):
        resource.prlimit(os.getppid(), resource.RLIMIT_CPU)
        return super().act(state)


class LimitsItself(Honest):
    def act(self, state):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return super().act(state)


class ReadsOwnLimits(Honest):
    def act(self, state):
        print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        return super().act(state)


class Unshares(Honest):
    def act(self, state):
        LIBC.unshare(0x10000000)
        return super().act(state)


class HidesFromInspection(Honest):
    def act(self, state):
        LIBC.prctl(4, 0, 0, 0, 0)
        return super().act(state)


class OutlivesItsParent(Honest):
    """Resets its parent-death signal."""

    def act(self, state):
        LIBC.prctl(1, 0, 0, 0, 0)
        return super().act(state)


class MakesSharedMemory(Honest):
    def act(self, state):
        os.memfd_create("hidden")
        return super().act(state)


class ChangesUser(Honest):
    def act(self, state):
        os.setuid(os.getuid())
        return super().act(state)


class MountsOver(Honest):
    def act(self, state):
        LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None)
        return super().act(state)


class FiltersItself(Honest):
    """Further filters could answer our notifications; they are refused without a fault."""

    def act(self, state):
        try:
            call("seccomp", 0, 0, 0)
        except OSError as error:
            print("refused", error.errno)
        return super().act(state)


class SpeaksAnotherMachine(Honest):
    """Makes a 32-bit system call (int 0x80), where the numbers differ."""

    def act(self, state):
        code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
        code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
        address = ctypes.addressof(ctypes.c_char.from_buffer(code))
        print("came back", ctypes.CFUNCTYPE(ctypes.c_int)(address)())
        return super().act(state)


class SpeaksX32(Honest):
    def act(self, state):
        print("came back", LIBC.syscall(ctypes.c_long(0x40000000 | 39)))
        return super().act(state)


class LooksAround(Honest):
    """Searches everything it can reach for traces of the referee and of the opponent."""

    def __init__(self, name, color, secret):
        super().__init__(name, color)
        self.secret = secret[:0:-1]  # told backwards, behind a letter

    def act(self, state):
        gc.unfreeze()  # what was put out of sight, too
        kinds = {f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.get_objects()}
        kinds = {kind for kind in kinds if kind.startswith(("arena.", "results.", "sqlite3."))}
        print("kinds", sorted(kind for kind in kinds if not kind.startswith("arena.sandbox.")))
        ours = ("arena.referee.referee", "arena.competition.league", "arena.referee.agent_player", "results", "sqlite3")
        print("modules", sorted(name for name in sys.modules if name.startswith(ours)))
        texts = (text for thing in gc.get_objects() for text in gc.get_referents(thing) if isinstance(text, str))
        found = {text for text in texts if self.secret in text}
        print("secret", sorted(found - {self.secret}))
        print("environment", sorted(os.environ))
        print("arguments", sys.argv)
        return super().act(state)


class ListsDescriptors(Honest):
    def act(self, state):
        print([number for number in range(4096) if self.is_open(number)])
        return super().act(state)

    @staticmethod
    def is_open(number):
        try:
            os.fstat(number)
        except OSError:
            return False
        return True
