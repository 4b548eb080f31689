"""Lines from another program and to it: read while the agent thinks, so that a question or an end is heard at once."""

import contextlib
import os
import queue
import select
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Final, Protocol, TextIO

__all__ = ["Break", "Server", "Speaker", "read_lines", "serve", "wait_for_hangup"]

_CHUNK_BYTES: Final = 1 << 16
_LONGEST_LINE: Final = 1 << 20
_SIGNAL: Final = signal.SIGUSR1
_AGAIN_SECONDS: Final = 0.02


class Server(Protocol):
    """One protocol, spoken as its engine."""

    #: Names of the games that the protocol can speak of, the usual one first.
    games: ClassVar[tuple[str, ...]]

    @property
    def is_over(self) -> bool:
        """Whether it was told to end."""
        ...

    def hang_up(self) -> None:
        """The input has ended; what was asked before is answered first."""

    def ends(self, line: str) -> bool:
        """Whether this line ends everything, a thought too."""
        ...

    def hear(self, line: str) -> Sequence[str] | None:
        """Told of every line when it is read, also while the agent thinks: the answers to it; None if it must wait."""
        ...

    def handle(self, line: str) -> Iterable[str]:
        """The answers to a line that waited for its turn."""
        ...


class _Over(KeyboardInterrupt):
    """The other program wants no answer any more."""


class Break:
    """Ends a thought of the main thread from another one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_called = False
        self._is_thinking = False
        self._is_armed = False

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """While it lasts thoughts can be broken; a break ends what is inside and nothing else. Main thread only."""
        signal.signal(_SIGNAL, self._raise)  # for good: a signal that comes late must not end the program
        self._is_armed = True
        try:
            with contextlib.suppress(_Over):
                yield
        finally:
            self._is_armed = False

    @contextlib.contextmanager
    def thought(self) -> Iterator[None]:
        """Something that takes long; not begun at all if it is too late for it."""
        with self._changed:
            self._is_thinking = not self._is_called
        if not self._is_thinking:
            raise _Over
        try:
            yield
        finally:
            with self._changed:
                self._is_thinking = False
                self._changed.notify_all()

    def call(self) -> None:
        """End the thought that is under way, and every later one."""
        with self._changed:
            self._is_called = True
            while self._is_thinking:
                signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)
                # Again if need be: a signal that comes just before it waits does not wake it.
                self._changed.wait(_AGAIN_SECONDS)

    def _raise(self, _signal: int, _frame: object) -> None:
        if self._is_armed:
            self._is_armed = False  # once: another one would break what cleans up
            raise _Over


class Speaker:
    """Writes whole lines to a stream, from any thread."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def __call__(self, line: str) -> None:
        """Write a line; it has left when this returns."""
        with self._lock:
            self._stream.write(f"{line}\n")
            self._stream.flush()


def serve(
    server: Server, lines: Iterable[str], write: Callable[[str], None], *,
    stop: Break, hangup: Callable[[], None] | None = None,
) -> None:  # fmt: skip
    """Answer lines until they end or one of them says so. `hangup` returns when nobody reads the answers any more."""
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(OSError):  # nobody listens: as if they had hung up
            for line in lines:
                answers = server.hear(line)
                if answers is None:
                    inbox.put(line)
                for answer in answers or ():
                    write(answer)
                if server.ends(line):
                    stop.call()
        inbox.put(None)
        server.hang_up()
        if hangup is not None:
            hangup()
            stop.call()

    with stop.armed():
        threading.Thread(target=listen, daemon=True).start()
        while not server.is_over and (line := inbox.get()) is not None:
            for answer in server.handle(line):
                write(answer)


def read_lines(descriptor: int) -> Iterator[str]:
    """The lines that come in, without their ends; one that is absurdly long is left out."""
    # Past Python's own buffer: a thread that waits there cannot be left behind when the program ends.
    rest, is_too_long = b"", False
    while chunk := os.read(descriptor, _CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if not is_too_long:
                yield line.decode("utf-8", "replace").strip()
            is_too_long = False
        if len(rest) > _LONGEST_LINE:
            rest, is_too_long = b"", True
    if rest and not is_too_long:
        yield rest.decode("utf-8", "replace").strip()


def wait_for_hangup(descriptor: int) -> None:
    """Return when nobody reads any more what is written here; for ever, where that cannot be known."""
    poll = select.poll()
    poll.register(descriptor, 0)
    poll.poll()
