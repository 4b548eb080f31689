"""Messages and a table on one terminal, from several threads."""

import io
import sys
import threading
import time

import pytest

from arena.cli.terminal import Terminal, live_table


class Slow(io.StringIO):
    """A terminal on a busy machine: whoever writes to it waits before and after."""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        time.sleep(0.001)
        return super().write(text)


def test_the_cursor_never_goes_above_the_table_it_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("arena.cli.terminal._INTERVAL", 0.0005)
    written = Slow()
    monkeypatch.setattr(sys, "stderr", written)
    threads = [threading.Thread(target=lambda: [sys.stderr.write("message\n") for _ in range(50)]) for _ in range(3)]
    with live_table(Terminal(), lambda: "one\ntwo\nthree"):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    row = 0
    for part in written.getvalue().replace("\n", "\x1b[1B").split("\x1b["):
        row += {"1A": -1, "1B": 1}.get(part[:2], 0)
        assert row >= 0
    assert row == written.getvalue().count("message") == 150
