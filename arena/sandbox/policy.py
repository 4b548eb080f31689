"""Which system calls a player may make, and which rule each other call breaks; as a seccomp filter."""

import errno
import functools
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.sandbox.calls import ARCHITECTURES, Architecture

__all__ = ["CHANGES", "META", "OPENS", "RULE_OF", "first_filter", "last_filter"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: Calls that are harmless with any arguments: they affect only the process itself and the files that it has open.
# Not among them: splice and tee, which can hold the lock of a pipe that the referee reads; shadow stacks, which no
# limit counts; fadvise64 and mincore, which say or change what is in the page cache that all games share.
_FREE: Final = _words("""
read write readv writev pread64 pwrite64 preadv pwritev close lseek fstat stat lstat
newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getcwd chdir fchdir getdents getdents64
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
pipe pipe2 dup dup2 dup3 fsync fdatasync ftruncate fallocate umask
timerfd_create timerfd_settime timerfd_gettime signalfd signalfd4
brk munmap mremap mprotect msync membarrier futex futex_waitv set_robust_list get_robust_list rseq
set_tid_address arch_prctl
gettid getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid uname sysinfo
times getrusage getrlimit clock_getres nanosleep gettimeofday time alarm setitimer
getitimer pause rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending rt_sigsuspend sigaltstack
restart_syscall sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_getattr sched_get_priority_max
sched_get_priority_min sched_rr_get_interval getpriority ioprio_get getcpu getrandom exit exit_group capget
recvfrom recvmsg recvmmsg getsockname getpeername shutdown sendmsg seccomp
""")

#: Calls with a path, which Landlock decides. They are notified only so that the fault can name the path.
OPENS: Final = ("open", "openat", "openat2", "creat")
CHANGES: Final = _words("""
truncate mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mknod mknodat
""")
#: Calls on files that Landlock does not decide: never allowed.
META: Final = _words("""
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat setxattr lsetxattr
fsetxattr removexattr lremovexattr fremovexattr
""")
_NETWORK: Final = ("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmmsg")
_PROCESS: Final = ("fork", "vfork", "clone", "execve", "execveat", "setsid", "setpgid")
_TAMPER: Final = _words("""
kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal pidfd_getfd ptrace process_vm_readv
process_vm_writev process_madvise kcmp unshare setns setrlimit prlimit64 sched_setaffinity sched_setscheduler
sched_setparam sched_setattr setpriority ioprio_set keyctl add_key request_key shmget shmat shmctl semget semop msgget
msgsnd mq_open memfd_create memfd_secret bpf perf_event_open userfaultfd io_uring_setup timer_create mount umount2
pivot_root chroot setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset personality
reboot swapon swapoff init_module finit_module delete_module kexec_load iopl ioperm acct quotactl open_by_handle_at
name_to_handle_at fanotify_init syslog settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname
modify_ldt landlock_create_ruleset landlock_add_rule landlock_restrict_self prctl fcntl
""")

#: The rule that each refused call breaks.
RULE_OF: Final[Mapping[str, str]] = {
    **dict.fromkeys((*OPENS, *CHANGES, *META), "file"),
    **dict.fromkeys(_NETWORK, "network"),
    **dict.fromkeys(_PROCESS, "process"),
    **dict.fromkeys(_TAMPER, "tamper"),
}

_SOME_PID: Final = 0x7ABCDEF1  # larger than any pid and equal to nothing else in a program
_ALLOW: Final = 0x7FFF0000
_NOTIFY: Final = 0x7FC00000
_KILL: Final = 0x80000000


def _refuse(number: int) -> int:
    return 0x00050000 | number


_MAP_SHARED: Final = 0x1
_MAP_ANONYMOUS: Final = 0x20
_MAP_GROWSDOWN: Final = 0x100
#: get and set name, get dumpable, bounding set, timer slack, seccomp, no-new-privs, transparent huge pages; name memory
_PRCTLS: Final = (15, 16, 3, 7, 23, 30, 21, 39, 42, 0x53564D41)
#: F_SETOWN, F_SETSIG, F_SETOWN_EX send signals to other processes; F_SETLEASE, F_NOTIFY delay them.
_FCNTLS_NOTIFIED: Final = (8, 10, 15, 1024, 1026)
#: Copy a descriptor, its flags, the flags of its file, its owner, the size of a pipe. Not among them: locks, which hold
#: memory of the Linux kernel and can be seen by the opponent, and a new size of a pipe, whose memory no limit counts.
_FCNTLS: Final = (0, 1, 2, 3, 4, 9, 11, 16, 1030, 1032)
_CLOSE_ON_EXEC: Final = 4  # a flag of close_range
#: A clock with this bit belongs to a process or a thread; with the other one too, to a thread of the caller.
_CLOCK_OF_SOMEBODY: Final = 1 << 31
_CLOCK_OF_THREAD: Final = 4
#: Advice that is refused: merge equal pages with other processes, move pages out of memory. Both can be observed.
_ADVICE_REFUSED: Final = (12, 20, 21)
_PEER_PROCESS: Final = 77  # SO_PEERPIDFD: a handle of the process at the other end, which is the referee
#: Calls that are refused without a fault: honest libraries make them, and can do without them.
_REFUSED: Final = ("flock", "mlock", "mlock2", "mlockall", "fadvise64", "mincore", "setsockopt")
_IOCTLS: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # is it a terminal, its size, bytes waiting, flags

# Instructions: load a word of the data, compare, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_GROUP: Final = 16  # calls; at most 255 steps
_NR, _ARCH = 0, 4


@dataclass(frozen=True, slots=True)
class _Step:
    code: int
    true: int
    false: int
    value: int

    def packed(self) -> bytes:
        return struct.pack("HBBI", self.code, self.true, self.false, self.value)


def first_filter(machine: Architecture, *, pid: int) -> bytes:
    """The allow-list for a process with this PID; calls that break a rule arrive as notifications."""
    return _template(machine.audit).replace(struct.pack("I", _SOME_PID), struct.pack("I", pid))


@functools.cache  # built once in the zygote; every player inherits it
def _template(audit: int) -> bytes:
    machine = next(known for known in ARCHITECTURES.values() if known.audit == audit)
    branches: dict[str, list[_Step]] = {
        **{name: [_returns(_ALLOW)] for name in _FREE},
        **{name: [_returns(_NOTIFY)] for name in RULE_OF},
        **{name: [_returns(_refuse(errno.EPERM))] for name in _REFUSED},
        **_conditional(_SOME_PID),
    }
    # In groups that are skipped by one comparison: the Linux kernel runs the filter for every number of a call when it
    # is installed, which is at every start.
    known = sorted((machine.calls[name], name) for name in branches if name in machine.calls)
    steps = _prologue(machine)
    for first in range(0, len(known), _GROUP):
        group = [step for _, name in known[first : first + _GROUP] for step in _case(machine, name, branches[name])]
        after = known[first + _GROUP :]
        steps += [_Step(_AT_LEAST, len(group), 0, after[0][0]), *group] if after else group
    steps.append(_returns(_refuse(errno.ENOSYS)))
    return b"".join(step.packed() for step in steps)


def last_filter(machine: Architecture) -> bytes:
    """Forbids what the lock-down itself still needed: sending a descriptor, and installing filters."""
    steps = _prologue(machine)
    for name in ("sendmsg", "seccomp"):
        steps += _case(machine, name, [_returns(_refuse(errno.EPERM))])
    steps.append(_returns(_ALLOW))
    return b"".join(step.packed() for step in steps)


def _conditional(pid: int) -> dict[str, list[_Step]]:
    """Calls that are decided by their arguments."""
    return {
        # Shared memory and growing stacks are not counted by the limit on data.
        "mmap": [
            _loads(3), _Step(_ANY_BIT, 0, 1, _MAP_GROWSDOWN), _returns(_refuse(errno.EPERM)),
            *_if_all_bits(3, (_MAP_SHARED, _MAP_ANONYMOUS), then=_refuse(errno.EPERM), otherwise=_ALLOW),
        ],
        "kill": _if_any(0, (pid,), then=_ALLOW, otherwise=_NOTIFY),
        "tgkill": _if_any(0, (pid,), then=_ALLOW, otherwise=_NOTIFY),
        "prctl": _if_any(0, _PRCTLS, then=_ALLOW, otherwise=_NOTIFY),
        "fcntl": [
            *_if_any(1, _FCNTLS, then=_ALLOW, otherwise=None),
            *_if_any(1, _FCNTLS_NOTIFIED, then=_NOTIFY, otherwise=_refuse(errno.EPERM)),
        ],
        # With another flag than close-on-exec a thread gets a table of open files of its own, and so limits of its own.
        "close_range": _if_any(2, (0, _CLOSE_ON_EXEC), then=_ALLOW, otherwise=_refuse(errno.EPERM)),
        "madvise": _if_any(2, _ADVICE_REFUSED, then=_refuse(errno.EINVAL), otherwise=_ALLOW),
        # With a flag they tell whether a page is in memory. Without flags they are preadv and pwritev.
        "preadv2": _if_zero(5, then=_ALLOW, otherwise=_refuse(errno.EOPNOTSUPP)),
        "pwritev2": _if_zero(5, then=_ALLOW, otherwise=_refuse(errno.EOPNOTSUPP)),
        "ioctl": _if_any(1, _IOCTLS, then=_ALLOW, otherwise=_refuse(errno.ENOTTY)),
        "getsockopt": _if_any(2, (_PEER_PROCESS,), then=_refuse(errno.EPERM), otherwise=_ALLOW),
        # The CPU time of every process can be read, that of the opponent and of other games too.
        "clock_gettime": _own_clock(),
        "clock_nanosleep": _own_clock(),
        # Without an address it is `send` on a socket that is already open.
        "sendto": _if_zero(4, then=_ALLOW, otherwise=_NOTIFY),
        # For the process itself and without a new limit, it only reads a limit.
        "prlimit64": [
            _loads(0), _Step(_EQUAL, 2, 0, 0), _Step(_EQUAL, 1, 0, pid), _returns(_NOTIFY),
            *_if_zero(2, then=_ALLOW, otherwise=_NOTIFY),
        ],
    }  # fmt: skip


def _prologue(machine: Architecture) -> list[_Step]:
    """End the process if it makes calls of another architecture (32 bit, x32), whose numbers differ."""
    x32 = [_Step(_AT_LEAST, 0, 1, 0x40000000), _returns(_KILL)] if machine.audit == 0xC000003E else []
    check = [_Step(_LOAD, 0, 0, _ARCH), _Step(_EQUAL, 1, 0, machine.audit), _returns(_KILL)]
    return [*check, _Step(_LOAD, 0, 0, _NR), *x32]


def _case(machine: Architecture, name: str, branch: Sequence[_Step]) -> list[_Step]:
    if name not in machine.calls:
        return []
    return [_Step(_EQUAL, 0, len(branch), machine.calls[name]), *branch]


def _loads(argument: int, *, high: bool = False) -> _Step:
    return _Step(_LOAD, 0, 0, 16 + 8 * argument + (4 if high else 0))


def _returns(action: int) -> _Step:
    return _Step(_RETURN, 0, 0, action)


def _own_clock() -> list[_Step]:
    refused = _returns(_refuse(errno.EINVAL))
    return [
        _loads(0), _Step(_ANY_BIT, 1, 0, _CLOCK_OF_SOMEBODY), _returns(_ALLOW),
        _Step(_ANY_BIT, 0, 1, _CLOCK_OF_THREAD), _returns(_ALLOW), refused,
    ]  # fmt: skip


def _if_any(argument: int, values: Iterable[int], *, then: int, otherwise: int | None) -> list[_Step]:
    """Without `otherwise` the next steps decide."""
    tests = [step for value in values for step in (_Step(_EQUAL, 0, 1, value), _returns(then))]
    return [_loads(argument), *tests, *([] if otherwise is None else [_returns(otherwise)])]


def _if_all_bits(argument: int, bits: Sequence[int], *, then: int, otherwise: int) -> list[_Step]:
    tests = [_Step(_ANY_BIT, 0, len(bits) - index, bit) for index, bit in enumerate(bits)]
    return [_loads(argument), *tests, _returns(then), _returns(otherwise)]


def _if_zero(argument: int, *, then: int, otherwise: int) -> list[_Step]:
    return [
        _loads(argument), _Step(_EQUAL, 0, 3, 0), _loads(argument, high=True), _Step(_EQUAL, 0, 1, 0),
        _returns(then), _returns(otherwise),
    ]  # fmt: skip
