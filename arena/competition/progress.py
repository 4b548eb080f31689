"""A progress bar for notebooks. Scripts get none: the functions of the API print nothing."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from arena.competition.events import Event, Finished, GameStored, LeagueStarted, Notice, OnEvent
from results.text import plain

__all__ = ["default_progress"]


@contextmanager
def default_progress(on_event: OnEvent | None) -> Iterator[OnEvent]:
    """The given receiver of events; without one, a progress bar in a notebook, and nothing elsewhere."""
    if on_event is not None:
        yield on_event
    elif _in_notebook():
        yield _NotebookProgress()
    else:
        yield lambda _event: None


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class _NotebookProgress:
    """One output of a cell that is updated with every game."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._notices: list[str] = []
        self._done, self._last = 0, ""
        self._total: int | None = 0

    def __call__(self, event: Event) -> None:
        if isinstance(event, GameStored):
            record = event.record
            self._done, self._total = event.done, event.total
            self._last = f"{record.first.name} {record.result} {record.second.name}"
        elif isinstance(event, Notice):
            self._notices.append(plain(event.text, limit=300))
        elif isinstance(event, LeagueStarted):
            self._done, self._total = event.done, event.total
        elif isinstance(event, Finished):
            self._done, self._total = event.summary.done, event.summary.total
        else:
            return
        self._show()

    def _show(self) -> None:
        # No stubs: IPython is there because a notebook imported it, and nowhere else.
        shown: Any = importlib.import_module("IPython.display")
        notices = "".join(f"<div>{escape(text)}</div>" for text in self._notices)
        done, bar = str(self._done), ""
        if self._total is not None:
            done = f"{self._done}/{self._total}"
            bar = f"<progress max='{max(self._total, 1)}' value='{self._done}'></progress>"
        html = shown.HTML(f"{notices}{bar} {done} games <small>{escape(plain(self._last))}</small>")
        if self._handle is None:
            self._handle = shown.display(html, display_id=True)
        else:
            self._handle.update(html)
