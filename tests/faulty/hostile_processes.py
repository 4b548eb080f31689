"""Agents that start processes, or send signals to other processes."""

import ctypes
import errno
import multiprocessing
import os
import platform
import signal
import subprocess
import threading
import time

from agents.basic.debug_agent import FirstMoveAgent as Honest

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
ARM = platform.machine() == "aarch64"
VFORK, CLONE3, QUEUE_INFO = (None, 435, 138) if ARM else (58, 435, 129)


def call(number, *words):
    """Makes a system call by its number, without Python's wrappers."""
    result = LIBC.syscall(
        ctypes.c_long(number), *[ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    )
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Forks(Honest):
    def act(self, state):
        if os.fork() == 0:
            time.sleep(3600)
        return super().act(state)


class ForksInImport(Honest):
    def __init__(self, name, color):
        os.fork()
        super().__init__(name, color)


class ForksInClose(Honest):
    def close(self):
        os.fork()


class Vforks(Honest):
    def act(self, state):
        LIBC.vfork()
        return super().act(state)


class RunsProgram(Honest):
    def act(self, state):
        subprocess.run(["/bin/true"], check=True)
        return super().act(state)


class RunsShell(Honest):
    def act(self, state):
        os.system("true")
        return super().act(state)


class SpawnsProgram(Honest):
    def act(self, state):
        os.posix_spawn("/bin/true", ["true"], {})
        return super().act(state)


class BecomesProgram(Honest):
    def act(self, state):
        os.execv("/bin/true", ["true"])


class BecomesOpenFile(Honest):
    def act(self, state):
        os.execve(os.open(__file__, os.O_RDONLY), ["true"], {})


class UsesMultiprocessing(Honest):
    def act(self, state):
        multiprocessing.get_context("fork").Process(target=print).start()
        return super().act(state)


class UsesMultiprocessingSpawn(Honest):
    def act(self, state):
        multiprocessing.get_context("spawn").Process(target=print).start()
        return super().act(state)


class StartsSession(Honest):
    def act(self, state):
        os.setsid()
        return super().act(state)


class ChangesGroup(Honest):
    def act(self, state):
        os.setpgid(0, os.getppid())
        return super().act(state)


class CloneThree(Honest):
    """The call reports that it does not exist; libraries then use the older one."""

    def act(self, state):
        try:
            call(CLONE3, ctypes.create_string_buffer(88), 88)
        except OSError as error:
            print(errno.errorcode[error.errno])
        return super().act(state)


class KillsReferee(Honest):
    def act(self, state):
        os.kill(os.getppid(), signal.SIGKILL)
        return super().act(state)


class KillsEverybody(Honest):
    def act(self, state):
        os.kill(-1, signal.SIGKILL)
        return super().act(state)


class KillsItsGroup(Honest):
    def act(self, state):
        os.kill(0, signal.SIGTERM)
        return super().act(state)


class KillsSibling(Honest):
    def act(self, state):
        for pid in range(max(2, os.getpid() - 50), os.getpid() + 50):
            if pid != os.getpid():
                os.kill(pid, signal.SIGKILL)
        return super().act(state)


class OpensProcess(Honest):
    def act(self, state):
        os.pidfd_open(os.getppid())
        return super().act(state)


class QueuesSignal(Honest):
    def act(self, state):
        call(QUEUE_INFO, os.getppid(), signal.SIGTERM, ctypes.create_string_buffer(128))
        return super().act(state)


class KillsThread(Honest):
    def act(self, state):
        call(130 if ARM else 200, os.getppid(), signal.SIGTERM)
        return super().act(state)


class SignalsByFile(Honest):
    """Lets the Linux kernel send a signal of its choice to the parent when a pipe becomes readable."""

    def act(self, state):
        import fcntl

        reading, writing = os.pipe()
        fcntl.fcntl(reading, 8, os.getppid())  # F_SETOWN
        fcntl.fcntl(reading, 10, signal.SIGTERM)  # F_SETSIG
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writing, b"x")
        return super().act(state)


class ChoosesSignal(Honest):
    def act(self, state):
        import fcntl

        fcntl.fcntl(os.pipe()[0], 10, signal.SIGCONT)
        return super().act(state)


class OwnsByStructure(Honest):
    def act(self, state):
        import fcntl

        fcntl.fcntl(os.pipe()[0], 15, bytes(8))
        return super().act(state)


class LeasesFile(Honest):
    def act(self, state):
        import fcntl

        fcntl.fcntl(os.open(__file__, os.O_RDONLY), 1024, fcntl.F_RDLCK)
        return super().act(state)


class WakesItselfUp(Honest):
    """A timer whose signal undoes a stop."""

    def act(self, state):
        event = bytes(8) + int(signal.SIGCONT).to_bytes(4, "little") + bytes(52)
        call(107 if ARM else 222, 1, ctypes.create_string_buffer(event), ctypes.create_string_buffer(8))
        return super().act(state)


class OwnSignals(Honest):
    """Sends signals to itself, which is allowed."""

    def act(self, state):
        heard = []
        signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        print("heard", len(heard))
        return super().act(state)
