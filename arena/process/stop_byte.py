"""A byte by which another process can be asked to end its search."""

import mmap
import os

__all__ = ["StopByte"]


class StopByte:
    """A page of memory that this process writes and players only read; its first byte is 1 while they should stop."""

    def __init__(self) -> None:
        writable = os.memfd_create("stop-byte", os.MFD_CLOEXEC)
        try:
            os.ftruncate(writable, mmap.PAGESIZE)
            self._page = mmap.mmap(writable, mmap.PAGESIZE)
            # Opened again for reading: who gets this descriptor cannot map the page writable.
            self.descriptor = os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)
        finally:
            os.close(writable)

    def set(self) -> None:
        """Ask searches to end."""
        self._page[0] = 1

    def clear(self) -> None:
        """Let searches run."""
        self._page[0] = 0

    def close(self) -> None:
        """Release the memory; players that have mapped it keep it."""
        self._page.close()
        os.close(self.descriptor)
