"""What a person sees while a league runs: a live table on a terminal, a line a game elsewhere."""

import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from arena.cli.lines import game_line, game_text, label
from arena.league import Event, Notice
from results.league import League
from results.record import GameRecord
from results.standings import Row
from results.store import Store
from results.table import rows
from results.text import plain

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["progress"]

_LEADERS: Final = 10
_FAULTS: Final = 3
#: Seconds between two readings of the standings: they take longer as a league grows.
_READING: Final = 0.5


@contextmanager
def progress(store: Store, league: League, *, done: int, total: int) -> Iterator[Callable[[Event], None]]:
    """Gives a function that is told every event and shows it on stderr."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _tell_line
        return
    from rich.console import Console
    from rich.live import Live

    view = _View(store, league, done=done, total=total)
    with Live(console=Console(stderr=True), get_renderable=view.drawn, transient=True), _log_above():
        yield view.tell


def _tell_line(event: Event) -> None:
    click.echo(plain(event.text, limit=300) if isinstance(event, Notice) else game_line(event), err=True)


@contextmanager
def _log_above() -> Iterator[None]:
    """Let what is logged meanwhile appear above the table, not in it."""
    handlers = [handler for handler in logging.getLogger().handlers if isinstance(handler, logging.StreamHandler)]
    streams = [handler.setStream(sys.stderr) for handler in handlers]
    try:
        yield
    finally:
        for handler, stream in zip(handlers, streams, strict=True):
            if stream is not None:
                handler.setStream(stream)


class _View:
    """The state of the table on the screen."""

    def __init__(self, store: Store, league: League, *, done: int, total: int) -> None:
        self._store = store
        self._league = league
        self._began = time.monotonic()
        self._began_with = done
        self._done = done
        self._total = total
        self._last = ""
        self._faults: deque[str] = deque(maxlen=_FAULTS)
        self._rows: list[Row] = []
        self._read = 0.0

    def tell(self, event: Event) -> None:
        """Take note of what happened."""
        if isinstance(event, Notice):
            self._faults.append(plain(event.text, limit=300))
            return
        self._done, self._total, self._last = event.done, event.total, game_text(event.record)
        if event.record.fault is not None:
            self._faults.append(_fault(event.record))
        if time.monotonic() > self._read + _READING:
            # Here, not where it is drawn: that is another thread's work, and the database is this one's.
            self._rows = rows(self._store, self._league, self._store.pairs(self._league.name))
            self._read = time.monotonic()

    def drawn(self) -> "Group":
        """The table as it is now."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        head = Table.grid(padding=(0, 2))
        head.add_row(
            Text(plain(self._league.name, limit=40), style="bold"),
            ProgressBar(total=max(self._total, 1), completed=self._done, width=20),
            Text(f"{self._done}/{self._total} games"),
            Text(self._left()),
        )
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for column in ("#", "agent", "points", "games", "faults"):
            table.add_column(column, justify="left" if column == "agent" else "right", no_wrap=True)
        for row in self._rows[:_LEADERS]:
            table.add_row(str(row.rank), Text(label(row.agent)), f"{row.points:.1f}", str(row.games), str(row.faults))
        more = len(self._rows) - _LEADERS
        tail = [Text(f"and {more} more", style="dim")] if more > 0 else []
        if self._last:
            tail.append(Text(self._last, style="dim", no_wrap=True, overflow="ellipsis"))
        tail += [Text(line, style="yellow", no_wrap=True, overflow="ellipsis") for line in self._faults]
        return Group(head, table, *tail)

    def _left(self) -> str:
        played = self._done - self._began_with
        if not played:
            return ""
        seconds = (time.monotonic() - self._began) / played * (self._total - self._done)
        minutes, seconds = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02} left"


def _fault(record: GameRecord) -> str:
    return f"record {record.id}: {game_text(record)}"
