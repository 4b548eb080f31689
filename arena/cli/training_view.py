"""What a person sees while a run trains: a live view on a terminal, one line per generation elsewhere."""

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from arena.cli.chart import chart
from arena.training.events import (
    Changed,
    ChunkPlayed,
    GateDecided,
    GenerationTrained,
    LadderGame,
    LadderPlayed,
    OnTraining,
    RunEnded,
    RunStarted,
    TrainingEvent,
)
from arena.training.report import ladder_series, loss_series
from arena.training.runs import CurvePoint, LadderPoint, TrainingRun
from results.text import counted, plain

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

__all__ = ["TrainingView", "curve_lines", "ladder_text", "live_training", "point_text"]

_NEWS: Final = 4
_NAMES: Final = {
    RunStarted: "started", ChunkPlayed: "chunk", GenerationTrained: "generation", Changed: "changed",
    GateDecided: "gate", LadderGame: "ladder-game", LadderPlayed: "ladder", RunEnded: "finished",
}  # fmt: skip


@contextmanager
def live_training(run: TrainingRun, *, as_json: bool) -> Iterator[OnTraining]:
    """A receiver of events: JSON lines on stdout, or progress on stderr."""
    if as_json:
        yield _print_json
        return
    if sys.stderr is None or not sys.stderr.isatty():
        yield _print_line
        return
    from arena.cli.terminal import Terminal, live_table

    terminal = Terminal()
    if not terminal.is_interactive:
        yield _print_line
        return
    view = TrainingView(run, height=lambda: terminal.height)
    with live_table(terminal, view.render):
        yield view.update


def curve_lines(points: Sequence[CurvePoint], ladder: Sequence[LadderPoint], *, height: int = 11) -> list[str]:
    """The curve of a run: its scores against the anchors, or its losses while there are no scores."""
    if len({point.generation for point in ladder}) > 1:
        return ["points per game against", *chart(ladder_series(ladder), height=height, y_range=(0.0, 1.0))]
    lines = chart(loss_series(points), height=height)
    return ["loss", *lines] if lines else []


def point_text(point: CurvePoint) -> str:
    """A generation in one line."""
    losses = ", ".join(f"{name} {value:.4f}" for name, value in point.losses.items())
    unseen = f", validation {point.validation['loss']:.4f}" if "loss" in point.validation else ""
    wall = max(point.wall, 1e-9)
    return (
        f"generation {point.generation}: {point.minutes:.1f} CPU-minutes, {point.total_games:,} games, "
        f"{point.games / wall:.0f} games/s, {point.positions / wall:.0f} positions/s, "
        f"{losses}{unseen}, lr {point.rate:.2g}, memory {point.memory:,}"
    )


def ladder_text(point: LadderPoint) -> str:
    """A point of the ladder in one line."""
    return (
        f"generation {point.generation} against {plain(point.anchor, 60)}: {point.score:.3f} ± {point.error:.3f} "
        f"({counted(point.games, 'game')})"
    )


def event_text(event: TrainingEvent) -> str:
    """An event in one line; empty for those that only the live view shows."""
    if isinstance(event, RunStarted):
        goes_on = f", continues after generation {event.generation}" if event.generation else ""
        return f"{plain(event.run)}: {event.recipe['game']}, learner {event.recipe['learner']}{goes_on}"
    if isinstance(event, GenerationTrained):
        return point_text(event.point)
    if isinstance(event, Changed):
        return f"from generation {event.generation} on: {_pairs(event.changes)}"
    if isinstance(event, GateDecided):
        passed = "passed the gate" if event.accepted else "did not pass the gate"
        return f"generation {event.generation} {passed}: {event.score:.3f} in {counted(event.games, 'game')}"
    if isinstance(event, LadderPlayed):
        return ladder_text(event.point)
    if isinstance(event, RunEnded):
        return f"finished: generation {event.generation}, {event.seconds / 60:.1f} CPU-minutes"
    return ""


def _print_line(event: TrainingEvent) -> None:
    if text := event_text(event):
        click.echo(plain(text, 400), err=True)


def _print_json(event: TrainingEvent) -> None:
    facts = asdict(event.point) if isinstance(event, GenerationTrained | LadderPlayed) else asdict(event)
    click.echo(json.dumps({"event": _NAMES[type(event)], **facts}))


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())


class TrainingView:
    """The live view: progress, speed, losses, ladder, and a curve."""

    def __init__(
        self, run: TrainingRun, *, now: Callable[[], float] = time.monotonic, height: Callable[[], int] = lambda: 45
    ) -> None:
        self._run = run
        self._now = now
        self._height = height
        self._began = now()
        self._start_seconds = 0.0
        self._minutes: float | None = None
        self._points: list[CurvePoint] = []
        self._ladder: list[LadderPoint] = []
        self._activity = "starting"
        self._news: deque[str] = deque(maxlen=_NEWS)

    def update(self, event: TrainingEvent) -> None:
        """Take note of an event."""
        if isinstance(event, RunStarted):
            self._minutes = event.minutes
            self._points, self._ladder = self._run.curve(), self._run.ladder()
            self._start_seconds = self._points[-1].total_seconds if self._points else 0.0
            self._began = self._now()
        elif isinstance(event, ChunkPlayed):
            self._activity = f"generation {event.generation}: chunk {event.number + 1} of {event.total}"
        elif isinstance(event, LadderGame):
            self._activity = (
                f"ladder of generation {event.generation}: game {event.done} of {event.total} against "
                f"{plain(event.anchor, 40)}"
            )
        elif isinstance(event, GenerationTrained):
            self._points.append(event.point)
        elif isinstance(event, LadderPlayed):
            self._ladder.append(event.point)
        else:
            self._news.append(event_text(event))

    def render(self) -> "Group":
        """The view as it is now."""
        from rich.console import Group
        from rich.text import Text

        facts = self._facts()
        # What is left beside the facts, title, axis and legend of the curve, three more lines, and a spare one.
        room = self._height() - facts.row_count - len(self._news) - 8
        picture = "\n".join(curve_lines(self._points, self._ladder, height=min(max(room, 3), 11)))
        news = [Text(plain(line, 200), style="yellow", no_wrap=True, overflow="ellipsis") for line in self._news]
        # The empty line takes the ^C that a terminal echoes.
        return Group(self._head(), Text(self._activity, style="dim"), facts, Text(picture), *news, Text())

    def _head(self) -> "Table":
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        head = Table.grid(padding=(0, 2))
        used = self._points[-1].minutes if self._points else 0.0
        total = self._minutes or max(used, 1.0)
        limit = f" of {self._minutes:g}" if self._minutes else ""
        head.add_row(
            Text(plain(self._run.name, 30), style="bold"),
            ProgressBar(total=total, completed=min(used, total), width=14),
            Text(f"{used:.1f}{limit} CPU-minutes"),
            Text(self._left(used)),
        )
        return head

    def _facts(self) -> "Table":
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        if self._points:
            last = self._points[-1]
            wall = max(last.wall, 1e-9)
            losses = "  ".join(f"{name} {value:.4f}" for name, value in last.losses.items())
            unseen = "  ".join(f"{name} {value:.4f}" for name, value in last.validation.items())
            table.add_row("games", f"{last.total_games:,}", f"{last.games / wall:,.0f} games/s")
            table.add_row("positions", f"{last.total_positions:,}", f"{last.positions / wall:,.0f} positions/s")
            table.add_row("memory", f"{last.memory:,}", f"learning rate {last.rate:.2g}")
            table.add_row("losses", losses, "")
            table.add_row("validation", unseen, "")
        for point in {point.anchor: point for point in self._ladder}.values():
            where = f"generation {point.generation}, {counted(point.games, 'game')}"
            table.add_row("ladder", f"{point.score:.3f} ± {point.error:.3f}", f"{plain(point.anchor, 40)} ({where})")
        return table

    def _left(self, used: float) -> str:
        done = used * 60 - self._start_seconds
        if not self._minutes or done <= 0:
            return ""
        seconds = (self._now() - self._began) / done * max(0.0, 60 * (self._minutes - used))
        hours, rest = divmod(round(seconds), 3600)
        return f"about {hours}:{rest // 60:02}:{rest % 60:02} left"
