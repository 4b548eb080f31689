"""Agents that use more of the machine than they are given, or crash."""

import ctypes
import mmap
import os
import sys
import threading
import time

import numpy as np

from agents.basic.debug_agent import FirstMoveAgent as Honest

LIBC = ctypes.CDLL(None, use_errno=True)


class BytearrayBomb(Honest):
    def act(self, state):
        hoard = []
        while True:
            hoard.append(bytearray(64 << 20))


class ListBomb(Honest):
    def act(self, state):
        hoard = []
        while True:
            hoard.append(list(range(1_000_000)))


class NumpyBomb(Honest):
    def act(self, state):
        np.ones(8 << 30)


class MapsAnonymously(Honest):
    def act(self, state):
        maps = []
        while True:
            try:
                maps.append(mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
            except OSError as error:
                raise MemoryError(len(maps)) from error


class SharesMemory(Honest):
    """Shared memory is not counted by the limit on data, so it is refused."""

    flags = mmap.MAP_SHARED

    def act(self, state):
        try:
            mmap.mmap(-1, 1 << 20, flags=self.flags)
            print("mapped")
        except PermissionError:
            print("refused")
        return super().act(state)


class GrowsDown(SharesMemory):
    """Growing stacks are not counted by the limit on data, so mapping one is refused."""

    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100


class LocksMemory(Honest):
    def act(self, state):
        space = ctypes.create_string_buffer(1 << 16)
        print("refused" if LIBC.mlock(space, 1 << 16) < 0 else "locked")
        return super().act(state)


class FillsScratch(Honest):
    def act(self, state):
        try:
            with open(os.environ["TMPDIR"] + "/big", "wb") as opened:
                for _ in range(1024):
                    opened.write(bytes(1 << 20))
        except OSError as error:
            print("refused", error.errno)
        return super().act(state)


class ThreadBomb(Honest):
    def act(self, state):
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        return super().act(state)


class EightThreads(Honest):
    def reset(self):
        for _ in range(8):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


class DescriptorBomb(Honest):
    def act(self, state):
        opened = []
        try:
            while True:
                opened.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            print("opened", len(opened))
        finally:
            for number in opened:
                os.close(number)
        return super().act(state)


class PipeBomb(Honest):
    def act(self, state):
        pipes = []
        try:
            while True:
                pipes.extend(os.pipe())
        except OSError:
            for number in pipes:
                os.close(number)
        return super().act(state)


class Floods(Honest):
    def act(self, state):
        for _ in range(200):
            print("x" * 100_000)
        print("the last line")
        return super().act(state)


class Crashes(Honest):
    def act(self, state):
        ctypes.string_at(0)


class Vanishes(Honest):
    def act(self, state):
        os._exit(7)


class EndsWhileItAsks(Honest):
    """Its threads wait for decisions on system calls when the process ends."""

    def act(self, state):
        for work in (self.opens, self.opens, self.starts):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.01)
        os._exit(7)

    @staticmethod
    def opens():
        while True:
            LIBC.open(b"/sys/" + b"x" * 100, 0)

    @staticmethod
    def starts():
        while True:
            thread = threading.Thread(target=int, daemon=True)
            thread.start()
            thread.join()


class Aborts(Honest):
    def act(self, state):
        os.abort()


class Exits(Honest):
    def act(self, state):
        sys.exit(3)


class Recurses(Honest):
    def act(self, state):
        return self.act(state)


class SpeaksBeforeItFails(Honest):
    def act(self, state):
        sys.stderr.write("about to read\n")
        try:
            open("/proc/meminfo").close()
        except OSError:
            pass
        open("/etc/passwd")
