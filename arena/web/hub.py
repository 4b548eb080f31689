"""What happens in running games, sent to everybody who watches: one stream of events for each tab of a browser."""

import asyncio
import contextlib
import json
import math
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from anyio import to_thread

from arena.referee.live_sheet import LiveGame, live_games
from arena.web.announcements import folder_of
from arena.web.boards import Followed

__all__ = ["Full", "Hub", "signature"]

#: Seconds between two looks at the running games, while somebody watches.
_PAUSE: Final = 0.1
#: Events that are kept for viewers whose connection was cut.
_KEPT: Final = 2000
#: A viewer that is this many events behind is dropped; its browser connects again.
_BEHIND: Final = 64
MOST_VIEWERS: Final = 2000


class Full(Exception):
    """There are too many viewers."""


def signature(db: Path) -> tuple[tuple[int, int], ...]:
    """Something that changes whenever the results file does, or an announcement."""
    found = []
    try:
        news = sorted(folder_of(db).glob("*.md"))
    except OSError:
        news = []
    for path in (db, Path(f"{db}-wal"), *news):
        try:
            state = path.stat()
            found.append((state.st_mtime_ns, state.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)


class Hub:
    """Looks at running games while somebody watches, and sends what has changed to all viewers."""

    def __init__(self, db: Path, *, folder: Path | None = None) -> None:
        self.db = db.resolve()
        self._folder = folder
        self._boot = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[tuple[int, dict[str, str]]] = deque(maxlen=_KEPT)
        self._viewers: set[asyncio.Queue[dict[str, str] | None]] = set()
        self._followed: dict[str, Followed] = {}
        self._signature = signature(self.db)
        self._looking = asyncio.Lock()
        self._looked = -math.inf
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self) -> None:
        """Look again and again; cancelled when the server ends."""
        self._loop = asyncio.get_running_loop()
        while True:
            if self._viewers:
                await self._look()
            await asyncio.sleep(_PAUSE)

    async def events(self, last: str | None) -> AsyncIterator[dict[str, str]]:
        """The events for one viewer that has seen the event `last`: what it missed, or everything as it stands."""
        await self._look()
        queue: asyncio.Queue[dict[str, str] | None] = asyncio.Queue(_BEHIND)
        self._viewers.add(queue)
        try:
            for event in self._missed(last):
                yield event
            while (event_or_end := await queue.get()) is not None:
                yield event_or_end
        finally:
            self._viewers.discard(queue)

    @property
    def is_watched(self) -> bool:
        """Whether there is a viewer."""
        return bool(self._viewers)

    def end(self) -> None:
        """End all streams, so that the server can end; called from a handler of signals."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._drop_all)

    def announce(self, kind: str, data: object) -> None:
        """Send an event to everybody who watches; called in the thread of the server."""
        self._send(kind, data)

    def announce_from_thread(self, kind: str) -> None:
        """Tell everybody who watches that something of this kind has changed; called in any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server is ending
                self._loop.call_soon_threadsafe(self._send, kind, {})

    def check(self) -> None:
        """Raise `Full` if nobody else can watch."""
        if len(self._viewers) >= MOST_VIEWERS:
            raise Full

    def _missed(self, last: str | None) -> list[dict[str, str]]:
        boot, _, number = (last or "").partition("-")
        oldest = self._kept[0][0] if self._kept else self._number + 1
        if boot == self._boot and number.isdecimal() and oldest - 1 <= int(number) <= self._number:
            return [event for kept, event in self._kept if kept > int(number)]
        frames = [followed.frame() for followed in self._followed.values()]
        return [self._event("reset", {"games": frames})]

    async def _look(self) -> None:
        asked = time.monotonic()
        async with self._looking:
            if self._looked > asked:  # somebody else has looked meanwhile: a thousand viewers may come at once
                return
            self._looked = time.monotonic()
            found = await to_thread.run_sync(self.games)
            now = {game.id: game for game in found}
            for gone in self._followed.keys() - now.keys():
                del self._followed[gone]
                self._send("end", {"id": gone})
            for game in found:
                self._follow(game)
            if (stored := signature(self.db)) != self._signature:
                self._signature = stored
                self._send("stored", {})

    def _follow(self, game: LiveGame) -> None:
        followed = self._followed.get(game.id)
        if followed is None:
            self._followed[game.id] = Followed(game)
            self._send("start", {"id": game.id})
            return
        before = followed.claims()
        for frame in followed.advance(game):
            self._send("turn", frame)
        for seat, text in followed.claims().items():
            if before.get(seat) != text:
                self._send("claim", {"id": game.id, "seat": seat, **followed.claim(seat)})

    def games(self) -> list[LiveGame]:
        """The running games of the results file."""
        return [game for game in live_games(self._folder) if game.results == str(self.db)]

    def _send(self, kind: str, data: object) -> None:
        self._number += 1
        event = self._event(kind, data)
        self._kept.append((self._number, event))
        for queue in list(self._viewers):
            try:
                queue.put_nowait(event)
            except asyncio.QueueFull:  # it reads too slowly, or not at all
                self._drop(queue)

    def _drop_all(self) -> None:
        for queue in list(self._viewers):
            self._drop(queue)

    def _drop(self, queue: asyncio.Queue[dict[str, str] | None]) -> None:
        self._viewers.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)

    def _event(self, kind: str, data: object) -> dict[str, str]:
        return {"id": f"{self._boot}-{self._number}", "event": kind, "data": json.dumps(data, separators=(",", ":"))}
