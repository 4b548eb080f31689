"""The tables at which visitors play: one process for each, spoken to in lines of JSON."""

import asyncio
import contextlib
import json
import math
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Final

from anyio import to_thread

from arena.errors import BadSettings
from arena.process.spawn import python_path
from arena.referee.live_sheet import live_games
from arena.web.hub import Hub

__all__ = ["ANALYSING", "IDLE_SECONDS", "PLAYING", "NoTable", "Table", "Tables", "TablesFull"]

#: What the process of a table runs.
PLAYING: Final = "arena.web.table"
ANALYSING: Final = "arena.web.analysis_process"

#: A table that nobody has asked about for so long is ended.
IDLE_SECONDS: Final = 600.0
_LOOK_SECONDS: Final = 1.0
#: How long a table's process may take to end by itself.
_END_SECONDS: Final = 5.0
_LONGEST_LINE: Final = 8 << 20
_WIRE: Final = 3
#: The priority of tables while a league runs on this machine.
_NICE: Final = 10


class TablesFull(Exception):
    """There is a table on every core."""


class NoTable(Exception):
    """There is no such table, or it belongs to somebody else."""


class Table:
    """One table: what is to be seen there, and its process.

    `owner` may give orders; everybody may look at an exhibition. `wanted` is the game that was asked for.
    """

    def __init__(
        self, owner: str, wanted: Mapping[str, object], on_change: Callable[["Table"], None], program: str = PLAYING
    ) -> None:
        self._program = program
        self.id = secrets.token_urlsafe(9)
        self.owner = owner
        self.wanted = wanted
        self.state: dict[str, object] = {}
        self.board = ""
        self.is_running = False
        self.pid = 0
        self.touched = math.inf  # while it starts
        self._failure = ""
        self._on_change = on_change
        self._has_board = asyncio.Event()
        self._ended = asyncio.Event()
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[str]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def is_exhibition(self) -> bool:
        """Whether agents play here without end, for everybody."""
        return bool(self.wanted.get("is_exhibition"))

    def touch(self) -> None:
        """Somebody looks: the idle time begins anew."""
        self.touched = time.monotonic()

    async def start(self) -> None:
        """Start the process and wait for the first board; `BadSettings` if this game cannot be played."""
        self.is_running = True
        self.pid, ours = _spawn(self._program)
        reader, self._writer = await asyncio.open_connection(sock=ours, limit=_LONGEST_LINE)
        self._write(self.wanted)
        self._reading = asyncio.create_task(self._read(reader))
        await self._has_board.wait()
        if self._failure:
            raise BadSettings(self._failure)

    async def order(self, kind: str, *, step: int, text: str = "") -> str:
        """Give an order about the board with this number; returns why it was refused, or an empty text."""
        if not self.is_running:
            return "over"
        number = next(self._numbers)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._write({"number": number, "step": step, "kind": kind, "text": text})
        return await answer

    async def end(self) -> None:
        """End the process; a game that is not over is not stored."""
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            await self._ended.wait()

    def yield_to_leagues(self) -> None:
        """Lower the priority of the process and of its players, who are all its children."""
        pids = [self.pid]
        with contextlib.suppress(OSError):
            pids += map(int, Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split())
        for pid in pids if self.is_running else ():
            with contextlib.suppress(OSError):
                if os.getpriority(os.PRIO_PROCESS, pid) < _NICE:
                    os.setpriority(os.PRIO_PROCESS, pid, _NICE)

    def _write(self, line: Mapping[str, object]) -> None:
        assert self._writer is not None
        self._writer.write(json.dumps(line).encode() + b"\n")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            with contextlib.suppress(OSError):
                while line := await reader.readline():
                    self._take(json.loads(line))
        finally:
            self.is_running = False
            await asyncio.shield(_reaped(self.pid))
            for answer in self._answers.values():
                answer.set_result("over")
            self._answers.clear()
            if self.state.get("phase") not in ("over", "failed"):
                self._fail("the game has ended: its process is gone")
            assert self._writer is not None
            self._writer.close()
            self._ended.set()

    def _take(self, message: dict[str, object]) -> None:
        if (number := message.get("answer")) is not None:
            assert isinstance(number, int)
            self._answers.pop(number).set_result(str(message["refusal"]))
        elif "failed" in message:
            self._fail(str(message["failed"]))
        else:
            state = message["state"]
            assert isinstance(state, dict)
            self.board = str(state.pop("html", "")) or self.board
            self.state = state
            if "board" in state:
                self._has_board.set()
            self._on_change(self)

    def _fail(self, why: str) -> None:
        self._failure = why
        self.state = self.state | {"phase": "failed", "notice": why, "legal": [], "seen": _seen(self.state) + 1}
        self._has_board.set()
        self._on_change(self)


class Tables:
    """All tables of a site: at most one for each visitor, and no more than there are cores."""

    def __init__(self, hub: Hub, *, idle: float = IDLE_SECONDS) -> None:
        self._hub = hub
        self._idle = idle
        self._most = len(os.sched_getaffinity(0))
        self._tables: dict[str, Table] = {}

    async def open(self, owner: str, wanted: Mapping[str, object], *, program: str = PLAYING) -> Table:
        """A new table for this visitor, in place of the one it had. `program` is the module that its process runs.

        Raises `TablesFull`, or `BadSettings` if this game cannot be played.
        """
        for table in [one for one in self._tables.values() if one.owner == owner]:
            await self.close(table)
        if sum(table.is_running for table in self._tables.values()) >= self._most:
            raise TablesFull
        table = Table(owner, {**wanted, "db": str(self._hub.db)}, self._announce, program)
        self._tables[table.id] = table
        try:
            await table.start()
            table.touch()
        except BadSettings:
            await self.close(table)
            raise
        return table

    def find(self, number: str, owner: str) -> Table:
        """The table with this id, if the visitor may see it; raises `NoTable`."""
        table = self._tables.get(number)
        if table is None or (table.owner != owner and not table.is_exhibition):
            raise NoTable
        table.touch()
        return table

    def owned(self, owner: str) -> Table | None:
        """The table of this visitor whose game is not over."""
        return next((one for one in self._tables.values() if one.owner == owner and one.is_running), None)

    def exhibition(self) -> Table | None:
        """The exhibition that runs."""
        return next((one for one in self._tables.values() if one.is_exhibition and one.is_running), None)

    async def close(self, table: Table) -> None:
        """End a table."""
        self._tables.pop(table.id, None)
        await table.end()

    async def run(self) -> None:
        """End idle tables, and let leagues go first; cancelled when the server ends."""
        try:
            while True:
                await asyncio.sleep(min(_LOOK_SECONDS, self._idle / 4))
                for table in list(self._tables.values()):
                    if time.monotonic() > table.touched + self._idle:
                        await self.close(table)
                if any(table.is_running for table in self._tables.values()):
                    await self._look_for_leagues()
        finally:
            for table in list(self._tables.values()):
                if table.is_running:
                    os.kill(table.pid, signal.SIGKILL)

    async def _look_for_leagues(self) -> None:
        own = {table.pid for table in self._tables.values()}
        running = await to_thread.run_sync(live_games)
        if any(int(game.id.partition("-")[0]) not in own for game in running):
            for table in self._tables.values():
                table.yield_to_leagues()

    def _announce(self, table: Table) -> None:
        self._hub.announce("table", {"id": table.id, "seen": _seen(table.state)})


def _seen(state: Mapping[str, object]) -> int:
    seen = state.get("seen", 0)
    return seen if isinstance(seen, int) else 0


def _spawn(program: str) -> tuple[int, socket.socket]:
    """The PID of a new process for a table, and our end of the socket to it.

    Called in the thread of the server: the process ends with the thread that started it.
    """
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-s", "-m", program, str(os.getpid()), str(_WIRE)]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), _WIRE),
    ]
    environment = os.environ | {"PYTHONPATH": python_path()}
    # In a session of its own, so that only the server receives Ctrl-C.
    pid = os.posix_spawn(sys.executable, command, environment, file_actions=actions, setsid=True)
    theirs.close()
    ours.setblocking(False)
    return pid, ours


async def _reaped(pid: int) -> None:
    """Wait until a process that has closed its connection has ended; kill it if it does not."""
    ended = asyncio.Event()
    handle = os.pidfd_open(pid)
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, ended.set)
    try:
        await asyncio.wait_for(ended.wait(), _END_SECONDS)
    except TimeoutError:
        os.kill(pid, signal.SIGKILL)
        await ended.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)
    os.waitpid(pid, 0)
