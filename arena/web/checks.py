"""The queue of uploads, and the thread that checks them, one at a time, each in a process of its own."""

import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from arena.competition.uploading import Intake, Sent, receive, sweep
from arena.entrants.uploads import Upload, Uploads
from arena.process.spawn import is_alive, trusted_environment
from arena.web.limits import Rate, Rates
from games.errors import ArenaError
from results.store.store import Store

__all__ = ["Checks", "TooMany"]

#: Uploads of one person, and of all, that may wait for their check.
_OWN: Final = 2
_ALL: Final = 100
_PER_TOKEN: Final = (Rate(10, 60.0), Rate(100, 86_400.0))
_PER_ADDRESS: Final = (Rate(60, 60.0),)
#: Seconds between two announcements of progress.
_PAUSE: Final = 0.5
_log: Final = logging.getLogger(__name__)


class TooMany(Exception):
    """An upload that is not taken now: the reason for a person, and the seconds to wait."""

    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self.seconds = seconds


class Checks:
    """Takes uploads and checks them. `announce` is called whenever somebody who looks should see something new."""

    def __init__(self, intake: Intake, *, announce: Callable[[], None] = lambda: None) -> None:
        self.intake = intake
        self.uploads = Uploads(intake.home)
        self._announce = announce
        self._announced = 0.0
        self._waiting: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        #: Uploads that are arriving or wait, by owner.
        self._owned: Counter[str] = Counter()
        self._tokens, self._addresses = Rates(_PER_TOKEN), Rates(_PER_ADDRESS)
        self._progress: tuple[int, dict[str, object]] = (0, {})
        self._process: subprocess.Popen[str] | None = None
        self._is_ending = False
        self._thread = threading.Thread(target=self._run, name="checks", daemon=True)

    def start(self) -> None:
        """Begin with the uploads that a server before this one left."""
        sweep(self.intake.home)
        for upload in self.uploads.all():
            if upload.state == "queued":
                self._owned[upload.owner] += 1
                self._waiting.put(upload.number)
        self._thread.start()

    def close(self) -> None:
        """End the running check; what waits is checked by the next server."""
        self._is_ending = True
        self._waiting.put(None)
        with self._lock:
            self._kill()
        self._thread.join()

    @contextmanager
    def place(self, owner: str, address: str) -> Iterator[Callable[[Sent], Upload]]:
        """A place in the queue for an upload that is arriving; raises `TooMany`. Gives the function that takes it."""
        taken: list[Upload] = []
        self._reserve(owner, address)

        def take(sent: Sent) -> Upload:
            upload = receive(self.intake, sent)
            taken.append(upload)
            self._waiting.put(upload.number)
            self._announce()
            return upload

        try:
            yield take
        finally:
            if not taken:
                self._release(owner)

    def _reserve(self, owner: str, address: str) -> None:
        with self._lock:
            if self._owned[owner] >= _OWN:
                raise TooMany(f"{_OWN} of your agents wait for their check; send the next one when it is done", 10.0)
            if self._owned.total() >= _ALL:
                raise TooMany(f"the queue is full: {_ALL} agents wait for their check; try again later", 60.0)
            if wait := self._tokens.take(owner):
                raise TooMany(f"too many uploads with this token; try again in {wait:.0f} s", wait)
            if wait := self._addresses.take(address):
                raise TooMany(f"too many uploads from this address; try again in {wait:.0f} s", wait)
            self._owned[owner] += 1

    def _release(self, owner: str) -> None:
        with self._lock:
            self._owned[owner] -= 1
            if not self._owned[owner]:
                del self._owned[owner]

    def progress(self, number: int) -> dict[str, object] | None:
        """How far the running check of an upload is; None if it is not this one that runs."""
        running, found = self._progress
        return found if running == number else None

    def ahead(self, number: int) -> int:
        """How many uploads are checked before this one."""
        return sum(one.state == "queued" and one.number < number for one in self.uploads.all())

    def _run(self) -> None:
        while (number := self._waiting.get()) is not None and not self._is_ending:
            upload = self.uploads.find(number)
            try:
                if upload is not None and upload.state == "queued":
                    self._check(number)
            except (ArenaError, OSError, ValueError):  # our failure: the next upload is checked all the same
                _log.exception("the check of upload %d failed", number)
            if upload is not None:
                self._release(upload.owner)
            self._announce()

    def _check(self, number: int) -> None:
        self._progress = number, {}
        self._announce()
        try:
            with self._started(number) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    self._progress = number, json.loads(line)
                    if time.monotonic() - self._announced > _PAUSE:
                        self._announced = time.monotonic()
                        self._announce()
        finally:
            self._progress = 0, {}
        after = self.uploads.find(number)
        if not self._is_ending and after is not None and after.state == "queued":
            why = "we failed to check it, which is not its fault; send it again"
            self.uploads.change(number, state="failed", before=("queued",), why=why)

    @contextmanager
    def _started(self, number: int) -> Iterator[subprocess.Popen[str]]:
        nice = "nice" if self._is_league_running() else ""
        command = [sys.executable, "-P", "-s", "-m", "arena.competition.upload_check"]
        arguments = [self.intake.as_text(), str(number), str(os.getpid()), nice]
        with self._lock:  # in a session of its own, so that Ctrl-C reaches the server only
            process = subprocess.Popen(  # noqa: S603 - our own module
                [*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                env=trusted_environment(), start_new_session=True,
            )  # fmt: skip
            self._process = process
            if self._is_ending:
                self._kill()
        try:
            with process:
                yield process
        finally:
            with self._lock:
                self._process = None

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)

    def _is_league_running(self) -> bool:
        with Store.read(self.intake.db) as store:
            return any(store.is_claimed(league.name, is_alive=is_alive) for league in store.leagues())
