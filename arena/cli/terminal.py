"""A table that is drawn again and again on a terminal, with messages above it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Self

from rich.console import Console, RenderableType
from rich.live import Live

__all__ = ["Terminal", "live_table"]

#: Seconds between two drawings.
_INTERVAL: Final = 0.25


class Terminal(Console):
    """The terminal on stderr, for one thread at a time.

    Rich moves the cursor up by the height of the last table that it has prepared. If another thread has prepared one
    but not yet written it, the cursor ends above the table.
    """

    def __init__(self) -> None:
        super().__init__(stderr=True)
        self._one_thread: Final = threading.RLock()

    def __enter__(self) -> Self:
        self._one_thread.acquire()
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        try:
            super().__exit__(*error)
        finally:
            self._one_thread.release()


@contextmanager
def live_table(terminal: Terminal, render: Callable[[], RenderableType]) -> Iterator[None]:
    """Draw what `render` returns four times a second; at the end it is gone."""
    # Not rich's own thread: it takes the lock of Live before that of the terminal; whoever prints takes them in the
    # other order.
    live = Live(console=terminal, get_renderable=render, transient=True, auto_refresh=False)
    is_over = threading.Event()

    def draw() -> None:
        while not is_over.wait(_INTERVAL):
            with terminal:
                live.refresh()

    drawing = threading.Thread(target=draw, daemon=True)
    with terminal:
        live.start()
    drawing.start()
    try:
        yield
    finally:
        is_over.set()
        drawing.join()
        with terminal:
            live.stop()
