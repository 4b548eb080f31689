"""What a person sees while a league runs, on a terminal and elsewhere."""

import fcntl
import io
import logging
import os
import re
import select
import struct
import sys
import termios
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from wcwidth import wcswidth

from arena.cli.live import View, live_events
from arena.competition.events import GameStored, LeagueStarted, Notice
from games.base import load
from results.league import League
from results.record import EntrantRecord, FaultRecord, GameRecord, MoveRecord
from results.store.store import Store

HOSTILE = "\x1b[31mred\x07\n\u202e[bold]:boom:"
#: What the shell of these tests says of its terminal.
WIDTH = 160


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.db", create=True) as opened:
        yield opened


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(name, name, "", "h", {})


def make_league(store: Store, *names: str, name: str = "cup") -> League:
    return store.create_league(name, kind="league", settings={}, secret="s", entrants=[entrant(one) for one in names])


def add(store: Store, league: str, first: str, second: str, key: str, fault: FaultRecord | None = None) -> GameRecord:
    game = load("microchess")
    return store.add(GameRecord(
        league=league, key=key, game="microchess", parameters={}, game_version=1, first=entrant(first),
        second=entrant(second), seconds=1.0, start=game.start().text, opening=(), seed=1, seed_first=2, seed_second=3,
        moves=(MoveRecord("d2d3"),), result="0-1" if fault else "1-0", reason="fault" if fault else "checkmate",
        detail="", fault=fault, notes=(), output_first="", output_second="", sandbox="full", rules="python",
        host="box", versions={}, started="2026-05-09T12:00:00Z", ended="2026-05-09T12:00:01Z",
    ))  # fmt: skip


class Watch:
    """A clock that goes on by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def make_view() -> Iterator[Callable[..., View]]:
    """A view of a league that has just been started; closed at the end."""
    with ExitStack() as stack:

        def make(store: Store, league: League, *, done: int, total: int, now: Callable[[], float]) -> View:
            view = stack.enter_context(View(store.path, now=now))
            view.update(LeagueStarted(league.name, done, total))
            return view

        yield make


def drawn(view: View, *, width: int = 80) -> list[str]:
    """The lines on a screen of this width."""
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None, legacy_windows=False).print(view.render())
    return out.getvalue().split("\n")[:-1]


def test_the_table_tells_how_far_it_is_and_who_leads(store: Store, make_view: Callable[..., View]) -> None:
    watch = Watch()
    league = make_league(store, "ada", "bob")
    view = make_view(store, league, done=0, total=4, now=watch)
    assert drawn(view)[0].rstrip().endswith("0/4 games")
    watch.now += 90
    view.update(GameStored(1, 4, add(store, "cup", "bob", "ada", "1")))
    lines = drawn(view)
    assert lines[0].split()[2:] == ["1/4", "games", "0:04:30", "left"]
    assert [line.split() for line in lines[1:4]] == [
        ["#", "agent", "points", "games", "faults"], ["1", "bob", "1.0", "1", "0"], ["2", "ada", "0.0", "1", "0"],
    ]  # fmt: skip
    assert lines[4].rstrip() == "record 1: bob 1-0 ada  checkmate, 1 turn"


def test_a_league_that_goes_on_shows_what_is_stored_and_counts_time_from_now(
    store: Store, make_view: Callable[..., View]
) -> None:
    watch = Watch()
    league = make_league(store, "ada", "bob")
    add(store, "cup", "ada", "bob", "1")
    view = make_view(store, league, done=1, total=3, now=watch)
    assert drawn(view)[2].split() == ["1", "ada", "1.0", "1", "0"]
    assert "left" not in drawn(view)[0]
    watch.now += 7
    view.update(GameStored(2, 3, add(store, "cup", "bob", "ada", "2")))
    assert drawn(view)[0].split()[2:] == ["2/3", "games", "0:00:07", "left"]


def test_the_standings_are_not_read_for_every_game(store: Store, make_view: Callable[..., View]) -> None:
    watch = Watch()
    view = make_view(store, make_league(store, "ada", "bob"), done=0, total=3, now=watch)
    view.update(GameStored(1, 3, add(store, "cup", "ada", "bob", "1")))
    assert drawn(view)[2].split()[2] == "0.0"
    watch.now += 1
    view.update(GameStored(2, 3, add(store, "cup", "ada", "bob", "2")))
    assert drawn(view)[2].split()[2] == "2.0"


def test_who_comes_and_goes_is_in_the_table(store: Store, make_view: Callable[..., View]) -> None:
    watch = Watch()
    view = make_view(store, make_league(store, "ada", "bob"), done=0, total=2, now=watch)
    store.enter("cup", entrant("late"))
    store.depart("cup", "bob", why="withdrawn", detail="", stands=True)
    watch.now += 1
    view.update(GameStored(1, 6, add(store, "cup", "late", "ada", "1")))
    lines = drawn(view)
    assert lines[2].split()[:2] == ["1", "late"]
    assert "bob (withdrawn)" in lines[4]


def test_only_the_leaders_and_the_last_faults_are_shown(store: Store, make_view: Callable[..., View]) -> None:
    watch = Watch()
    names = [f"agent{number:02}" for number in range(13)]
    view = make_view(store, make_league(store, *names), done=0, total=9, now=watch)
    for number in range(5):
        fault = FaultRecord("first", "exception", f"slip {number}", {})
        view.update(GameStored(number, 9, add(store, "cup", names[0], names[1], str(number), fault)))
    view.update(Notice("agent02 was withdrawn"))
    lines = [line.rstrip() for line in drawn(view)]
    assert len(lines) == 17 <= 24
    assert lines[12] == "and 3 more"
    assert lines[13].startswith("record 4: agent00 0-1 agent01  agent00 faulted: exception (slip 3)")
    assert lines[14].startswith("record 5: ")
    assert lines[15] == "agent02 was withdrawn"


def test_a_game_that_ended_in_a_fault_is_shown_once(store: Store, make_view: Callable[..., View]) -> None:
    view = make_view(store, make_league(store, "ada", "bob"), done=0, total=2, now=Watch())
    fault = FaultRecord("first", "exception", "slip", {})
    view.update(GameStored(1, 2, add(store, "cup", "ada", "bob", "1", fault)))
    assert "\n".join(drawn(view)).count("ada faulted: exception (slip)") == 1
    view.update(GameStored(2, 2, add(store, "cup", "bob", "ada", "2")))
    *_, last, news, _ = (line.rstrip() for line in drawn(view))
    assert last == "record 2: bob 1-0 ada  checkmate, 1 turn"
    assert news.startswith("record 1: ada 0-1 bob  ada faulted: exception (slip)")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_broken_and_the_last_one_is_empty(store: Store, width: int, make_view: Callable[..., View]) -> None:
    watch = Watch()
    league = make_league(store, "a" * 90, "b" * 90, name="n" * 90)
    view = make_view(store, league, done=0, total=100_000, now=watch)
    watch.now += 3600
    fault = FaultRecord("first", "exception", "long " * 90, {})
    view.update(GameStored(1, 100_000, add(store, league.name, "a" * 90, "b" * 90, "1", fault)))
    lines = drawn(view, width=width)
    assert max(map(len, lines)) <= width
    assert len(lines) == 6
    assert lines[-1].strip() == ""
    assert width < 80 or "1/100000 games" in lines[0]


def test_what_others_wrote_is_made_visible(store: Store, make_view: Callable[..., View]) -> None:
    watch = Watch()
    league = make_league(store, HOSTILE, "bob", name=HOSTILE)
    view = make_view(store, league, done=0, total=2, now=watch)
    watch.now += 1
    fault = FaultRecord("first", "exception", HOSTILE, {})
    view.update(GameStored(1, 2, add(store, league.name, HOSTILE, "bob", "1", fault)))
    view.update(Notice(f"{HOSTILE} has entered"))
    shown = "\n".join(drawn(view, width=300))
    assert unsafe(shown) == []
    assert shown.count("\\x1b[31mred\\x07\\x0a\\u202e[bold]:boom:") >= 4  # markup is not taken for such


def unsafe(text: str) -> list[str]:
    return [char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}]


def test_without_a_terminal_it_is_a_line_a_game(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    make_league(store, HOSTILE, "bob")
    with live_events(store.path, as_json=False) as on_event:
        on_event(GameStored(1, 2, add(store, "cup", "bob", HOSTILE, "1")))
        on_event(Notice(f"{HOSTILE} has entered"))
    game, notice = capsys.readouterr().err.splitlines()
    assert game.startswith("1/2  record 1: bob 1-0 \\x1b[31mred")
    assert notice == "\\x1b[31mred\\x07\\x0a\\u202e[bold]:boom: has entered"


def test_a_terminal_that_cannot_move_its_cursor_gets_lines_too(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    make_league(store, "ada", "bob")
    with live_events(store.path, as_json=False) as on_event:
        on_event(GameStored(1, 2, add(store, "cup", "ada", "bob", "1")))
    assert capsys.readouterr().err == "1/2  record 1: ada 1-0 bob  checkmate, 1 turn\n"


def screen(written: str) -> list[str]:
    """What is left on a terminal after all that was written to it; a sequence that nobody of us uses is refused."""
    lines, row, column = [""], 0, 0
    for token in re.findall(r"\x1b\[[?0-9;]*[a-zA-Z]|[^\x1b]|\x1b", written):
        if token == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif token == "\r":
            column = 0
        elif token == "\x1b[2K":
            lines[row] = ""
        elif token == "\x1b[1A":
            row -= 1
        elif re.fullmatch(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]", token):
            pass
        else:
            assert unsafe(token) == []
            lines[row] = f"{lines[row]:<{column}}"[:column] + token + lines[row][column + 1 :]
            column += 1
            assert column <= WIDTH, "a line is wider than the terminal"
    return [line.rstrip() for line in lines]


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, arena: Any, *words: str) -> None:
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
        self.process = arena.start(
            *words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(theirs)
        self.written = ""

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def read(self, until: Callable[[str], bool], *, seconds: float = 600.0) -> str:
        """All that was written as soon as it is such, or the command has ended."""
        while not until(self.written):
            ready, _, _ = select.select([self._ours], [], [], seconds)
            assert ready, "nothing happens any more"
            try:
                self.written += os.read(self._ours, 1 << 16).decode()
            except OSError:  # how a terminal says that nobody is left on it
                break
        return self.written

    def end(self) -> list[str]:
        """The screen when the command has ended."""
        self.read(lambda _: False)
        self.process.wait(timeout=600)
        os.close(self._ours)
        return screen(self.written)


@pytest.fixture
def terminal(arena: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Terminal]:
    monkeypatch.setenv("TERM", "xterm-256color")
    return lambda *words: Terminal(arena, *words)


def test_a_live_league_leaves_its_standings_and_nothing_else(arena: Any, terminal: Callable[..., Terminal]) -> None:
    words = ("--rounds", "4", "--turns", "8", "--suspend-after", "never", "--name", "cup")
    shown = terminal("league", "random", "first_move", "malfunction", *words)
    lines = shown.end()
    assert shown.process.returncode == 0
    assert re.search(r"\d+/24 games", shown.written)  # it was live
    assert "left" in shown.written
    assert "malfunction faulted: exception" in shown.written
    top = lines.index("cup: 24 of 24 games")
    assert not [line for line in lines[:top] if "faulted" in line or "left" in line]
    assert "\n".join(lines[top + 1 :]).rstrip() == arena("standings").out.partition("\n")[2].rstrip()


def test_ctrl_c_leaves_one_line(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("league", "random", "first_move", "malfunction", "--rounds", "900", "--suspend-after", "never")
    shown.read(lambda written: "malfunction faulted" in written)
    shown.type("\x03")
    *before, line = [line for line in shown.end() if line]
    assert shown.process.returncode == 130
    assert re.fullmatch(r"(\^C)?interrupted: \d+ of 5400 games are stored; the same command continues", line)
    assert not [line for line in before if "faulted" in line or "left" in line or "points" in line]


def test_hostile_output_does_not_reach_a_live_terminal(arena: Any, terminal: Callable[..., Terminal]) -> None:
    (arena.folder / "loud.py").write_text(
        f"from agents import BaseAgent\nclass Loud(BaseAgent):\n    def act(self, state):\n"
        f"        print({HOSTILE!r})\n        raise ValueError({HOSTILE!r})\n"
    )
    shown = terminal("league", "random", "./loud.py", "--rounds", "3")
    lines = shown.end()
    assert shown.process.returncode == 0
    assert "\\x1b[31mred" in shown.written
    assert [line for line in lines if line.endswith(": 6 of 6 games")]


def test_a_warning_appears_above_the_table(
    arena: Any, terminal: Callable[..., Terminal], processes_of: Callable[[int], Any]
) -> None:
    shown = terminal("league", "random", "first_move", "--rounds", "40", "--turns", "20", "--name", "cup")
    shown.read(lambda written: re.search(r"\d+/80 games", written) is not None)  # long before the league ends
    worker, *_ = processes_of(shown.process.pid)
    os.kill(worker, 9)
    shown.read(lambda written: "takes its place" in written)
    lines = shown.end()
    assert shown.process.returncode == 0
    said = lines.index("arena: a worker process ended: SIGKILL; another one takes its place")
    assert "cup: 80 of 80 games" in lines[said + 1 : said + 3]  # a void game may be told in between


def test_handlers_write_where_they_did_before(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    logging.getLogger().addHandler(handler)
    try:
        make_league(store, "ada", "bob")
        with live_events(store.path, as_json=False):
            logging.getLogger().warning("meanwhile")
        assert handler.stream is stream
    finally:
        logging.getLogger().removeHandler(handler)
    assert stream.getvalue() == ""
    assert "meanwhile" in terminal.getvalue()


def test_wide_names_keep_the_columns_of_the_live_table(store: Store, make_view: Callable[..., View]) -> None:
    names = ("한국봇", "cafe\u0301", "しょうぎ")
    league = make_league(store, *names, name="리그")
    add(store, "리그", "한국봇", "しょうぎ", "1:1-3")
    lines = drawn(make_view(store, league, done=1, total=6, now=Watch()))
    assert len({wcswidth(line.partition(".")[0]) for line in lines[2:5]}) == 1
    assert all(any(name in line for name in names) for line in lines[2:5])
