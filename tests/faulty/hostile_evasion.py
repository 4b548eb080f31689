"""Agents that use former ways around a limit; all of them are closed now."""

import ctypes
import os
import socket

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


class LooksForVariables(BaseAgent):
    """The environment that a process was started with stays in its memory."""

    def act(self, state):
        start = ctypes.CDLL(None).getauxval
        start.restype = ctypes.c_ulong
        block = ctypes.string_at(start(31) - 2000, 2000)
        print("found", b"SECRET_TOKEN" in block, b"PATH=/" in block.replace(b"PYTHONPATH=/", b""))
        return state.legal_moves[0]
