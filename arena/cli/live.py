"""What a person sees while games are played: a live table on a terminal, one line per game elsewhere."""

import json
import logging
import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from arena.cli.text import game_line, game_text, label
from arena.competition.events import (
    Event,
    Finished,
    GameStarted,
    GameStored,
    LeagueStarted,
    Notice,
    OnEvent,
    TurnPlayed,
)
from results.notation.json_form import brief
from results.pairing import RATED
from results.standings.table import Row, rows, table
from results.store.store import Store
from results.text import counted, plain, share_of

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

__all__ = ["View", "live_events", "print_notice"]

_LEADERS: Final = 10
_NEWS: Final = 3
_COLUMNS: Final = ("points", "games", "faults")
_RATED_COLUMNS: Final = ("Elo", "±", "games", "trend", "faults", "CPU")
_CELLS: Final[dict[str, Callable[[Row], str]]] = {
    "points": lambda row: f"{row.points:.1f}",
    "games": lambda row: str(row.games),
    "faults": lambda row: str(row.faults),
    "Elo": lambda row: "-" if row.elo is None else f"{row.elo:.0f}",
    "±": lambda row: "-" if row.elo_error is None else f"{row.elo_error:.0f}",
    "trend": lambda row: "-" if row.trend is None else f"{row.trend:+.0f}",
    "CPU": lambda row: "-" if row.cpu_share is None else f"{100 * row.cpu_share:.0f} %",
}
#: Seconds between two readings of the standings, which take longer as a league grows.
_READING: Final = 0.5
#: But a reading that took long is followed by a pause so many times as long.
_PATIENCE: Final = 20


@contextmanager
def live_events(db: Path, *, as_json: bool) -> Iterator[OnEvent]:
    """A receiver of events for several games: JSON lines on stdout, or progress on stderr."""
    if as_json:
        yield _print_json
        return
    if sys.stderr is None or not sys.stderr.isatty():
        yield _print_progress
        return
    from arena.cli.terminal import Terminal, live_table

    terminal = Terminal()
    if not terminal.is_interactive:  # a terminal that cannot move its cursor
        yield _print_progress
        return
    with View(db) as view:
        with live_table(terminal, view.render), _log_above():
            yield view.update
        view.print_notices()


def _print_json(event: Event) -> None:
    """A game as a line of JSON on stdout; notices on stderr."""
    if isinstance(event, GameStored):
        click.echo(json.dumps(brief(event.record)))
    else:
        print_notice(event)


def print_notice(event: Event) -> None:
    """Notices, stored games and an interruption on stderr; nothing of other events."""
    # sys.stderr as it is now, not err=True: while a live table is shown, it prints above the table.
    if isinstance(event, Notice):
        click.echo(plain(event.text, limit=300), file=sys.stderr)
    elif isinstance(event, LeagueStarted) and event.done:
        verb = "was" if (event.total or event.done) == 1 else "were"
        stored = f"{share_of(event.done, event.total, 'game')} {verb} already stored"
        click.echo(f"{plain(event.league)}: {stored}", file=sys.stderr)
    elif isinstance(event, Finished) and event.summary.interrupted:
        summary = event.summary
        click.echo(
            f"interrupted: {share_of(summary.done, summary.total, 'game')} "
            f"{'is' if (summary.total or summary.done) == 1 else 'are'} stored; the same command"
            f"{'' if summary.is_resumed else f' with --name {plain(summary.league)}'} continues",
            file=sys.stderr,
        )


def _print_progress(event: Event) -> None:
    if isinstance(event, GameStored):
        click.echo(game_line(event), err=True)
    else:
        print_notice(event)


@contextmanager
def _log_above() -> Iterator[None]:
    """Print log messages above the table, not into it."""
    handlers = [handler for handler in logging.getLogger().handlers if isinstance(handler, logging.StreamHandler)]
    streams = [handler.setStream(sys.stderr) for handler in handlers]
    try:
        yield
    finally:
        for handler, stream in zip(handlers, streams, strict=True):
            if stream is not None:
                handler.setStream(stream)


class View:
    """The live table: progress, leaders, the last game, the last faults and notices. A context manager."""

    def __init__(self, db: Path, *, now: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._now = now
        self._began = now()
        self._store: Store | None = None
        self._league = ""
        self._played = self._done = 0
        self._total: int | None = 0
        self._last = ""
        self._rows: list[Row] = []
        self._is_rated = False
        self._read_at = -math.inf
        self._pause = _READING
        self._news: deque[str] = deque(maxlen=_NEWS)
        self._interrupted: Event | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            self._store.close()
        if kind is not None:
            self.print_notices()

    def update(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, Notice) and not self._league:
            print_notice(event)  # above the table, and it stays on the screen
        elif isinstance(event, Notice):
            self._news.append(plain(event.text, limit=300))
        elif isinstance(event, LeagueStarted):
            self._league, self._done, self._total = event.league, event.done, event.total
            self._began, self._played = self._now(), 0
            print_notice(event)
            self._read()
        elif isinstance(event, Finished):
            self._interrupted = event
        elif isinstance(event, GameStored):
            self._played += 1
            self._done, self._total = event.done, event.total
            text, is_fault = f"record {event.record.id}: {game_text(event.record)}", event.record.fault is not None
            self._last = "" if is_fault else text
            if is_fault:
                self._news.append(text)
            if self._now() > self._read_at + self._pause:
                self._read()

    def print_notices(self) -> None:
        """Print what must stay on the screen after the table is gone."""
        if self._interrupted is not None:
            print_notice(self._interrupted)

    def _read(self) -> None:
        # Here, not in `render`: that runs in another thread, and a connection belongs to one thread. The league is read
        # each time, since entrants come and go.
        if self._store is None:
            self._store = Store.read(self._db)
        began = self._now()
        league = self._store.known(self._league)
        self._is_rated = league.format in RATED
        if self._is_rated:
            self._rows = table(self._store, league).rows
        else:
            self._rows = rows(self._store, league, self._store.pairs(league.name))
        self._read_at = self._now()
        self._pause = max(_READING, _PATIENCE * (self._read_at - began))

    def render(self) -> "Group":
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
        done = "" if self._total is None else f"{self._done}/"
        head.add_row(
            Text(plain(self._league, limit=30), style="bold"),
            Text("no limit") if self._total is None
            else ProgressBar(total=max(self._total, 1), completed=self._done, width=14),
            Text(f"{done}{counted(self._done if self._total is None else self._total, 'game')}"),
            Text(self._left()),
        )  # fmt: skip
        return head

    def _leaders(self) -> "Table":
        from rich.table import Table
        from rich.text import Text

        leaders = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        columns = ("#", "agent", *(_RATED_COLUMNS if self._is_rated else _COLUMNS))
        for column in columns:
            leaders.add_column(column, justify="left" if column == "agent" else "right", no_wrap=True)
        for row in self._rows[:_LEADERS]:
            name = f"{label(row.agent)} ({row.status})" if row.status else label(row.agent)
            leaders.add_row(str(row.rank), Text(name), *(_CELLS[column](row) for column in columns[2:]))
        return leaders

    def _left(self) -> str:
        if not self._played or self._total is None:
            return ""
        seconds = (self._now() - self._began) / self._played * (self._total - self._done)
        minutes, seconds = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02} left"


@contextmanager
def check_events() -> Iterator[OnEvent]:
    """Show how far the check of one agent is, while it is checked."""
    progress = _CheckProgress()
    try:
        yield progress
    finally:
        progress.end()


class _CheckProgress:
    """Says on a terminal how far the games of a check are; notices are printed everywhere."""

    def __init__(self) -> None:
        self._games = 0
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Notice):
            click.echo(f"{self._clear()}{plain(event.text, limit=400)}", err=True)
        elif isinstance(event, GameStarted):
            self._games += 1
        elif isinstance(event, TurnPlayed) and self._is_terminal:
            click.echo(f"{self._clear()}game {self._games} of 2, turn {event.turn}", err=True, nl=False)

    def end(self) -> None:
        """Remove the line that is written again and again."""
        click.echo(self._clear(), err=True, nl=False)

    def _clear(self) -> str:
        return "\r\x1b[K" if self._is_terminal else ""
