"""Leagues in the background: a process that goes on after the terminal closes, and its end."""

import json
import os
import select
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from arena.competition.events import LeagueStarted
from arena.errors import BadSettings, OutputError
from arena.process.spawn import is_alive
from results.store.store import Store

__all__ = ["Background", "fork", "stop"]

#: A process that has closed its results file should be gone by then.
_ENDING_SECONDS: Final = 3.0
#: A league ends within seconds: players have 5 s to close. A busy machine may need longer.
_PATIENCE_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Background:
    """The two ends of a fork: `pid` is 0 in the background process itself."""

    pid: int
    log: Path
    _pipe: int

    def report(self, event: LeagueStarted) -> None:
        """Tell the waiting process that the league has started; it ends then."""
        with suppress(BrokenPipeError):
            os.write(self._pipe, json.dumps(asdict(event)).encode())
        os.close(self._pipe)

    def wait(self) -> LeagueStarted | int:
        """Wait until the league has started, or has failed: then the exit code, negative after a signal.

        An interrupt ends the background process too.
        """
        try:
            with os.fdopen(self._pipe, "rb") as pipe:
                said = pipe.read()
        except KeyboardInterrupt:
            os.kill(self.pid, signal.SIGTERM)
            os.waitpid(self.pid, 0)
            raise
        if said:
            return LeagueStarted(**json.loads(said))
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


def fork(log: Path) -> Background:
    """Go on in two processes: this one, and one in a session of its own, without input, that prints to a new file.

    The caller must not have started workers or threads.
    """
    try:
        output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        raise OutputError(f"the log {log} cannot be written: {error.strerror}") from error
    reader, writer = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    pid = os.fork()
    if pid:
        os.close(output)
        os.close(writer)
        return Background(pid, log, reader)
    os.close(reader)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, target in enumerate((nothing, output, output)):
        os.dup2(target, number)
    os.close(nothing)
    os.close(output)
    return Background(0, log, writer)


def stop(store: Store, league: str, *, seconds: float = _PATIENCE_SECONDS) -> bool:
    """Interrupt the process that plays a league, as Ctrl-C does; whether it has ended within these seconds.

    A results file may come from anybody. So a process gets the signal only if it belongs to this user, was started when
    the file says, and has the file open; otherwise `BadSettings` says why not.
    """
    holder = store.coordinator(league)
    if holder is None or not is_alive(*holder):
        raise BadSettings(f"{league} is not running on this machine; `arena leagues` shows what is")
    pid, began = holder
    try:
        handle = os.pidfd_open(pid)
    except OSError as error:
        raise BadSettings(f"process {pid}, which plays {league}, cannot be reached: {error.strerror}") from error
    try:
        # After the handle was opened: from now on another process with the same PID cannot get the signal.
        if why := _objection(pid, began, store.path):
            if _has_ended(handle, _ENDING_SECONDS):  # it had closed the file already
                return True
            raise BadSettings(
                f"process {pid}, which plays {league} according to {store.path}, {why}; nothing was stopped"
            )
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGTERM)
        return _has_ended(handle, seconds)
    finally:
        os.close(handle)


def _has_ended(handle: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _objection(pid: int, began: str, path: Path) -> str:
    """Why a process must not be stopped; empty if it may."""
    try:
        if Path(f"/proc/{pid}").stat().st_uid != os.getuid():
            return "belongs to another user"
        opened = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError as error:
        return f"cannot be examined: {error.strerror}"
    if not is_alive(pid, began):
        return "has just ended"
    results = path.stat()
    for entry in opened:
        with suppress(OSError):
            if os.path.samestat(entry.stat(), results):
                return ""
    return "does not have this file open"
