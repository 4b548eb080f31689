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
from arena.competition.league import Event, Notice
from results.league import League
from results.standings.standings import Row
from results.standings.table import rows
from results.store.store import Store
from results.text import plain

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

__all__ = ["View", "progress"]

_LEADERS: Final = 10
_NEWS: Final = 3
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

    console = Console(stderr=True)
    if not console.is_interactive:  # a terminal that cannot move its cursor
        yield _tell_line
        return
    view = View(store, league, done=done, total=total)
    with Live(console=console, get_renderable=view.drawn, transient=True), _log_above():
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


class View:
    """The table on the screen: how far the league is, who leads, the last game, the last faults and notices."""

    def __init__(
        self, store: Store, league: League, *, done: int, total: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._league = league.name
        self._now = now
        self._began = now()
        self._began_with = done
        self._done, self._total, self._last = done, total, ""
        self._news: deque[str] = deque(maxlen=_NEWS)
        self._read()

    def tell(self, event: Event) -> None:
        """Take note of what happened."""
        if isinstance(event, Notice):
            self._news.append(plain(event.text, limit=300))
            return
        self._done, self._total = event.done, event.total
        text, is_fault = game_text(event.record), event.record.fault is not None
        self._last = "" if is_fault else text  # what is news is not told twice
        if is_fault:
            self._news.append(f"record {event.record.id}: {text}")
        if self._now() > self._read_at + _READING:
            self._read()

    def _read(self) -> None:
        # When told, not when drawn: that is another thread's work, and the database is this one's. The league is read
        # each time, since entrants come and go.
        league = self._store.known(self._league)
        self._rows: list[Row] = rows(self._store, league, self._store.pairs(league.name))
        self._read_at = self._now()

    def drawn(self) -> "Group":
        """The table as it is now."""
        from rich.console import Group
        from rich.text import Text

        more = len(self._rows) - _LEADERS
        tail = [Text(f"and {more} more", style="dim")] if more > 0 else []
        if self._last:
            tail.append(Text(self._last, style="dim", no_wrap=True, overflow="ellipsis"))
        tail += [Text(line, style="yellow", no_wrap=True, overflow="ellipsis") for line in self._news]
        # The empty line takes the ^C that a terminal echoes: behind a full line it would move everything by one.
        return Group(self._head(), self._leaders(), *tail, Text())

    def _head(self) -> "Table":
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        head = Table.grid(padding=(0, 2))
        for _ in range(4):
            head.add_column(no_wrap=True, overflow="ellipsis")
        head.add_row(
            Text(plain(self._league, limit=30), style="bold"),
            ProgressBar(total=max(self._total, 1), completed=self._done, width=14),
            Text(f"{self._done}/{self._total} games"),
            Text(self._left()),
        )
        return head

    def _leaders(self) -> "Table":
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for column in ("#", "agent", "points", "games", "faults"):
            table.add_column(column, justify="left" if column == "agent" else "right", no_wrap=True)
        for row in self._rows[:_LEADERS]:
            name = f"{label(row.agent)} ({row.status})" if row.status else label(row.agent)
            table.add_row(str(row.rank), Text(name), f"{row.points:.1f}", str(row.games), str(row.faults))
        return table

    def _left(self) -> str:
        played = self._done - self._began_with
        if not played:
            return ""
        seconds = (self._now() - self._began) / played * (self._total - self._done)
        minutes, seconds = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02} left"
