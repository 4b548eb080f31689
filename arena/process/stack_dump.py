"""A file in memory in which a child process writes, when it is asked, which lines of code it is running."""

import os
import select
import time
from typing import Final

from agents.tracebacks import DUMP_SIGNAL

__all__ = ["StackDump"]

#: The size of the file, which the process cannot change: this memory counts for no limit.
_BYTES: Final = 16 * 1024
#: A busy machine may not run the process for a while.
_PATIENCE_SECONDS: Final = 2.0
_PAUSE_SECONDS: Final = 0.01


class StackDump:
    """The file for one process. What is in it comes from the process and may be anything."""

    def __init__(self) -> None:
        import fcntl  # here, because only Unix has it

        self.descriptor: Final = os.memfd_create("stack", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, _BYTES)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)

    def take(self, pid: int) -> str:
        """Ask the process for its stack, and return what it writes; empty if it writes nothing within a moment."""
        try:
            os.pwrite(self.descriptor, bytes(_BYTES), 0)
            os.lseek(self.descriptor, 0, os.SEEK_SET)  # the position is that of the process too
            os.kill(pid, DUMP_SIGNAL)
        except OSError:  # so are the flags of the file: with O_APPEND nothing can be written to it
            return ""
        before, deadline = b"", time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline:
            select.select([], [], [], _PAUSE_SECONDS)
            written = os.pread(self.descriptor, _BYTES, 0).rstrip(b"\0")
            if written and written == before:
                break
            before = written
        return before.decode("utf-8", "backslashreplace")

    def close(self) -> None:
        """Release the memory."""
        os.close(self.descriptor)
