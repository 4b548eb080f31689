"""Agents that use former ways around a limit; all of them are closed now."""

import ctypes
import errno
import fcntl
import itertools
import mmap
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
from contextlib import suppress

from agents import BaseAgent

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class SplicesIntoItsOutput(BaseAgent):
    """Would hold the lock of the pipe that the referee reads."""

    def act(self, state):
        one, _other = socket.socketpair()
        answers = [LIBC.splice(one.fileno(), None, 1, None, 4096, 0), LIBC.tee(0, 1, 1, 0)]
        print("spliced", answers, ctypes.get_errno())
        return state.legal_moves[0]


class VforksAThread(BaseAgent):
    """A thread in vfork does not stop with its process."""

    def act(self, state):
        thread, vfork = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000, 0x4000
        LIBC.syscall({"x86_64": 56, "aarch64": 220}[os.uname().machine], thread | vfork, 0, 0, 0, 0)
        return state.legal_moves[0]


class HoldsReadOnlyMemory(BaseAgent):
    """Memory that can no longer be written is not counted by the limit on data."""

    def act(self, state):
        size = 16 << 20
        for _ in range(200):
            block = LIBC.mmap(None, size, 3, 0x22, -1, 0)
            ctypes.memset(block, 1, size)
            LIBC.mprotect(block, size, 1)
        return state.legal_moves[0]


class FillsPageTables(BaseAgent):
    """Memory that is only read is not counted by the limit on data; but the Linux kernel keeps a table of its pages."""

    def act(self, state):
        blocks = []
        try:
            while True:
                blocks.append(mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ))
                for place in range(0, 1 << 30, 2 << 20):
                    blocks[-1][place]
        except OSError:
            print("mapped", len(blocks), "GB")
        return state.legal_moves[0]


class LooksForVariables(BaseAgent):
    """The environment that a process was started with stays in its memory."""

    def act(self, state):
        start = ctypes.CDLL(None).getauxval
        start.restype = ctypes.c_ulong
        block = ctypes.string_at(start(31) - 2000, 2000)
        print("found", b"SECRET_TOKEN" in block, b"PATH=/" in block.replace(b"PYTHONPATH=/", b""))
        return state.legal_moves[0]


class Tries(BaseAgent):
    """Prints what each attempt gives: a value, or the name of the error."""

    def attempts(self):
        return ()

    def act(self, state):
        for attempt in self.attempts():
            try:
                print("learnt", attempt())
            except OSError as error:
                print("refused", errno.errorcode[error.errno])
        return state.legal_moves[0]


class LocksFiles(Tries):
    """Locks hold memory of the Linux kernel, and an opponent can see them on a file that both can read."""

    def attempts(self):
        opened = os.open(socket.__file__, os.O_RDONLY)
        lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 1, 0)
        # F_GETLK, F_SETLK, F_SETLKW, and the same of open file descriptions.
        return [lambda number=number: fcntl.fcntl(opened, number, lock) for number in (5, 6, 7, 36, 37, 38)]


class EnlargesBuffers(Tries):
    """Buffers of sockets and pipes are memory of the Linux kernel, which no limit of a process counts."""

    def attempts(self):
        one, _other = socket.socketpair()
        reading, _writing = os.pipe()
        yield lambda: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
        yield lambda: one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        yield lambda: fcntl.fcntl(reading, 1031, 1 << 20)


class TakesAHandleOfTheReferee(Tries):
    """The socket to the referee knows who is at its other end."""

    def attempts(self):
        wire = socket.socket(fileno=os.dup(3))
        yield lambda: wire.getsockopt(socket.SOL_SOCKET, 77, 4)
        yield lambda: wire.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)  # an honest call


class HoardsSockets(BaseAgent):
    """Opens sockets until there are no more, and fills them."""

    def act(self, state):
        hoard, sent = [], 0
        try:
            while True:
                hoard += socket.socketpair()
        except OSError:
            print("sockets", len(hoard))
        for end in hoard:
            end.setblocking(False)
            try:
                while True:
                    sent += end.send(bytes(4096))
            except OSError:
                continue
        print("bytes", sent < 64 << 20)
        return state.legal_moves[0]


class SplitsItsFiles(BaseAgent):
    """A thread with a table of open files of its own would have its own limit of open files."""

    def act(self, state):
        thread_without_files = 0x100 | 0x200 | 0x800 | 0x10000 | 0x40000
        LIBC.syscall({"x86_64": 56, "aarch64": 220}[os.uname().machine], thread_without_files, 0, 0, 0, 0)
        return state.legal_moves[0]


class LooksIntoThePageCache(Tries):
    """What one game has read can be seen by the next one."""

    def attempts(self):
        opened = os.open(socket.__file__, os.O_RDONLY)
        page = mmap.mmap(opened, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ)
        LIBC.mmap.restype = ctypes.c_void_p
        place = LIBC.mmap(None, 4096, 1, 2, opened, 0)
        yield lambda: os.preadv(opened, [bytearray(16)], 0, os.RWF_NOWAIT)
        yield lambda: os.preadv(opened, [bytearray(16)], 0, 0)  # an honest call
        yield lambda: os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
        yield lambda: checked(LIBC.mincore(ctypes.c_void_p(place), 4096, ctypes.create_string_buffer(1)))
        yield lambda: page.madvise(21)  # MADV_PAGEOUT
        yield lambda: page.madvise(mmap.MADV_WILLNEED)  # an honest call


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


class SearchesItsMemory(BaseAgent):
    """Looks for the stage of its opponent in everything that it got from the process it was forked from."""

    def act(self, state):
        values = (value for module in list(sys.modules.values()) for pair in vars(module).items() for value in pair)
        arenas = {id(value) >> 20 for value in values}  # where Python keeps small objects
        LIBC.sbrk.restype = ctypes.c_void_p
        heap = LIBC.sbrk(0) >> 20  # where the C library keeps larger ones
        found = set()
        for place in sorted(arenas | {number + 1 for number in arenas} | {*range(heap - 64, heap + 1)}):
            # A freed object keeps most of its bytes.
            found |= {digest[:16] for digest in re.findall(rb"tages/([0-9a-f]{16,64})", mapped(place << 20, 1 << 20))}
        print(*sorted(digest.decode() for digest in found))
        return state.legal_moves[0]


def mapped(start, size):
    """The memory from an address on, as far as it exists: the Linux kernel refuses to copy what does not exist."""
    reading, writing = os.pipe()
    block = b""
    for address in range(start, start + size, 4096):
        if LIBC.write(writing, ctypes.c_void_p(address), ctypes.c_size_t(4096)) == 4096:
            block += os.read(reading, 4096)
    os.close(reading)
    os.close(writing)
    return block


class OpensOtherLetters(BaseAgent):
    """Opens a file whose name has letters that the system's encoding may not have."""

    def __init__(self, name, color, path):
        super().__init__(name, color)
        self.path = path

    def act(self, state):
        open(os.fsencode(self.path) + "/geheim-\N{BLACK CHESS KNIGHT}".encode(), "rb").read()
        return state.legal_moves[0]


class NotAMemoryError(Exception):
    """Has the words of an exception that is judged differently."""


class PretendsToRunOutOfMemory(BaseAgent):
    def act(self, state):
        raise NotAMemoryError("MemoryError: MemoryError")


class UnsharesItsFiles(BaseAgent):
    """A thread that leaves the common table of open files has a limit of its own, and its sockets are not counted."""

    def act(self, state):
        leaves = 2  # CLOSE_RANGE_UNSHARE
        done = threading.Event()
        for _ in range(2):
            thread = threading.Thread(target=self._hoard, args=(leaves, done), daemon=True)
            thread.start()
            self.hoarded.acquire()
        done.set()
        return state.legal_moves[0]

    def reset(self):
        self.hoarded = threading.Semaphore(0)

    def _hoard(self, flags, done):
        kept = []
        with suppress(OSError):
            checked(LIBC.syscall(436, 1 << 20, 1 << 20, flags))
        with suppress(OSError):
            while True:
                kept.append(socket.socketpair())
        print(len(kept))
        self.hoarded.release()
        done.wait()


class ReadsForeignClocks(Tries):
    """The CPU time of the opponent and of other games says who they are and how hard they think."""

    def attempts(self):
        referee, me = os.getppid(), threading.get_native_id()
        foreign, own = (~referee << 3) | 2, (~me << 3) | 6
        yield lambda: time.clock_gettime(foreign)
        yield lambda: errno.errorcode.get(LIBC.clock_nanosleep(foreign, 0, struct.pack("qq", 0, 1), None))
        yield lambda: time.clock_gettime(own) > 0  # an honest call
        yield lambda: time.process_time() > 0  # an honest call


class QueuesSignals(BaseAgent):
    """Signals that wait hold memory of the Linux kernel; all processes of a user share one limit."""

    def act(self, state):
        waiting, tgkill = signal.SIGRTMIN + 3, {"x86_64": 234, "aarch64": 131}[os.uname().machine]
        signal.pthread_sigmask(signal.SIG_BLOCK, [waiting])
        sent = (LIBC.syscall(tgkill, os.getpid(), threading.get_native_id(), waiting) for _ in range(200_000))
        print(sum(1 for _ in itertools.takewhile(lambda failed: not failed, sent)))
        return state.legal_moves[0]
