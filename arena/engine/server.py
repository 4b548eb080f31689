"""The loop of a protocol server: reads lines while the agent thinks, so that `stop` and `quit` work at any time."""

import contextlib
import os
import queue
import select
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TextIO

from arena.engine.session import AgentSession
from games.base import Game

__all__ = ["EngineInfo", "Interrupter", "LineWriter", "Server", "read_lines", "serve", "wait_until_closed"]

_CHUNK_BYTES: Final = 1 << 16
_LONGEST_LINE: Final = 1 << 20
_SIGNAL: Final = signal.SIGUSR1
_REPEAT_SECONDS: Final = 0.02


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What an engine reports of itself: the agent's name and the arena's version, both safe to show."""

    agent: str
    version: str


class Server(ABC):
    """One protocol, from the engine's side."""

    #: Names of the games that the protocol supports, the default first.
    games: ClassVar[tuple[str, ...]]

    def __init__(self, session: AgentSession, game: Game, info: EngineInfo) -> None:
        self.session = session
        self.game = game
        self.info = info
        #: Whether the other program has ended the conversation.
        self.is_over = False
        #: Writes a line at once, for what is sent while the agent thinks.
        self.write: Callable[[str], None] = lambda _: None

    @abstractmethod
    def reply(self, line: str) -> Iterable[str]:
        """The replies to a line, when all lines before it have been answered."""

    def reply_at_once(self, line: str) -> Sequence[str] | None:  # noqa: ARG002 - part of the interface
        """Called for each line as soon as it is read, also while the agent thinks.

        Returns the replies that must not wait, or None if the line is for `reply`.
        """
        return None

    def is_quit(self, line: str) -> bool:  # noqa: ARG002 - part of the interface
        """Whether this line ends the conversation at once, even while the agent thinks."""
        return False

    def input_ended(self) -> None:
        """Called when the input has ended. Lines read before are still answered."""


class _Interrupted(KeyboardInterrupt):
    """The other program does not wait for the reply any more."""


class Interrupter:
    """Lets another thread interrupt the main thread while the agent thinks."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_called = False
        self._is_busy = False
        self._is_armed = False

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """Allow interrupts in this block; an interrupt leaves the block. Main thread only."""
        signal.signal(_SIGNAL, self._raise)  # never reset: a late signal must not end the program
        self._is_armed = True
        try:
            with contextlib.suppress(_Interrupted):
                yield
        finally:
            self._is_armed = False

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Mark a block that takes long. It does not begin if the interrupt has come already."""
        with self._changed:
            self._is_busy = not self._is_called
        if not self._is_busy:
            raise _Interrupted
        try:
            yield
        finally:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()

    def interrupt(self) -> None:
        """Interrupt the current interruptible block, and every later one."""
        with self._changed:
            self._is_called = True
            while self._is_busy:
                signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)
                # Repeat: a signal that arrives just before a blocking call does not wake it.
                self._changed.wait(_REPEAT_SECONDS)

    def _raise(self, _signal: int, _frame: object) -> None:
        if self._is_armed:
            self._is_armed = False  # once: a second interrupt would break the clean-up
            raise _Interrupted


class LineWriter:
    """Writes whole lines to a stream, from any thread."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def __call__(self, line: str) -> None:
        """Write a line and flush it."""
        with self._lock:
            self._stream.write(f"{line}\n")
            self._stream.flush()


def serve(
    server: Server, lines: Iterable[str], write: Callable[[str], None], *,
    interrupter: Interrupter, wait_for_hangup: Callable[[], None] | None = None,
) -> None:  # fmt: skip
    """Answer lines until they end or one of them is `quit`.

    `wait_for_hangup` returns when nobody reads the replies any more; the agent is then interrupted.
    """
    inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    server.write = write

    def listen() -> None:
        with contextlib.suppress(OSError):  # a closed output is handled like the end of the input
            for line in lines:
                replies = server.reply_at_once(line)
                if replies is None:
                    inbox.put(line)
                for reply in replies or ():
                    write(reply)
                if server.is_quit(line):
                    interrupter.interrupt()
        inbox.put(None)
        server.input_ended()
        if wait_for_hangup is not None:
            wait_for_hangup()
            interrupter.interrupt()

    with interrupter.armed():
        threading.Thread(target=listen, daemon=True).start()
        while not server.is_over and (line := inbox.get()) is not None:
            for reply in server.reply(line):
                write(reply)


def read_lines(descriptor: int) -> Iterator[str]:
    """The lines of the input, stripped; lines of more than a megabyte are left out."""
    # Not through Python's own buffer: a thread blocked there would keep the program from exiting.
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


def wait_until_closed(descriptor: int) -> None:
    """Return when nobody reads this output any more; never returns if the system cannot tell."""
    poll = select.poll()
    poll.register(descriptor, 0)
    poll.poll()
