"""Leagues that run on in the background, and `arena stop`."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.process.spawn import start_time

AGENTS = ("random", "first_move", "one_step_search", "--turns", "6", "--name", "cup")
LONG = ("league", *AGENTS, "--rounds", "500")


@pytest.fixture
def away(arena: Any, processes: Any) -> Iterator[Any]:
    """The command line; what runs on in its folder ends with the test."""
    yield arena
    for process in processes.within(arena.folder):
        if "arena.execution.worker" not in process.command:
            os.kill(process.pid, signal.SIGKILL)


def state(arena: Any) -> str:
    (league,) = json.loads(arena("leagues", "--json").out)
    return str(league["state"])


def logs(arena: Any) -> list[Path]:
    return sorted(arena.folder.glob("*.log"))


def test_a_detached_league_runs_on_without_its_terminal_is_stopped_and_goes_on(
    away: Any, processes: Any, is_gone: Any
) -> None:
    ran = away(*LONG, "--detach")
    assert (ran.code, ran.err) == (0, "")
    first, look, stop = ran.out.splitlines()
    said = re.fullmatch(r"cup runs in the background: process (\d+), 0 of 3000 games stored, log in (\S+)", first)
    assert said, first
    assert look == "  look: arena standings --league cup, arena leagues"
    assert stop == "  stop: arena stop cup"
    process = processes(int(said[1]))
    assert process.leads_its_session  # so that no terminal can end it
    places = [Path(f"/proc/{process.pid}/fd/{number}").readlink() for number in range(3)]
    assert places == [Path("/dev/null"), away.folder / said[2], away.folder / said[2]]
    assert state(away) == "running"
    assert processes.until(lambda: "record 1: " in (away.folder / said[2]).read_text())
    again = away(*LONG, "--detach")
    assert again.code == 1
    assert again.error == f"arena: process {process.pid} is already playing cup; wait for it, or stop it"
    assert logs(away) == [away.folder / said[2]]

    stopped = away("stop", "cup")
    assert not process.runs
    assert (stopped.code, stopped.err) == (0, "")
    done = re.fullmatch(r"cup: (\d+) of 3000 games are stored; arena league --name cup continues\n", stopped.out)
    assert done, stopped.out
    assert is_gone(away.folder)
    assert state(away) == "stopped"
    last = f"interrupted: {done[1]} of 3000 games are stored; the same command continues\n"
    assert (away.folder / said[2]).read_text().endswith(last)

    resumed = json.loads(away(*LONG, "--detach", "--json").out)
    assert (resumed["league"], resumed["games"], resumed["total"]) == ("cup", int(done[1]), 3000)
    assert away("stop", "cup").code == 0
    assert not processes(resumed["process"]).runs


def test_a_detached_league_plays_to_its_end(away: Any, processes: Any) -> None:
    ran = away("league", *AGENTS, "--detach", "--db", "my course.db")
    assert ran.out.endswith("  stop: arena stop cup --db 'my course.db'\n")
    pid = int(ran.out.split("process ")[1].split(",")[0])
    assert processes.until(lambda: start_time(pid) == "")
    (log,) = logs(away)
    assert log.name.startswith("my course-")
    assert "cup: 6 of 6 games\n" in log.read_text()
    over = away("stop", "cup", "--db", "my course.db")
    assert over.code == 2
    assert over.error == "arena: cup is not running on this machine; `arena leagues` shows what is"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("random",), 2, "arena: a league needs at least two entrants; name agents or a league file"),
        (("random", "randm"), 2, "arena: unknown agent 'randm'; did you mean"),
        (("random", "negamax:depth=-1"), 2, "arena: negamax:depth=-1: ValueError: depth must be"),
        (("random", "greedy", "--dry-run"), 2, "Error: --dry-run plays nothing"),
        (("random", "greedy", "--db", "none/a.db"), 1, "arena: the log none/a-"),
    ],
    ids=["one agent", "a typo", "a wrong option", "dry run", "no folder"],
)
def test_a_mistake_is_one_line_before_anything_runs_on(
    away: Any, processes: Any, words: tuple[str, ...], code: int, message: str
) -> None:
    ran = away("league", *words, "--detach")
    assert (ran.code, ran.error.startswith(message)) == (code, True), ran.err
    assert logs(away) == []
    assert processes.until(lambda: not processes.within(away.folder))


def test_an_interrupt_before_the_start_ends_both_processes(away: Any, processes: Any) -> None:
    (away.folder / "slow.py").write_text(
        "from agents.base import BaseAgent\nwhile True:\n    pass\nclass Slow(BaseAgent):\n    act = None\n"
    )
    process = away.start("league", "random", "./slow.py", "--time", "3600", "--detach")
    assert processes.until(lambda: len(processes.zygotes(away.folder)) > 0)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert processes.until(lambda: not processes.within(away.folder))
    assert logs(away) == []


def claim(arena: Any, pid: object, began: object) -> None:
    """Write into the results file that this process plays the league."""
    with closing(sqlite3.connect(arena.folder / "arena.db", isolation_level=None)) as connection:
        connection.execute("UPDATE coordinator SET pid = ?, began = ?", (pid, began))


def test_a_results_file_cannot_make_us_stop_another_process(away: Any) -> None:
    assert away("league", *AGENTS).code == 0
    with (away.folder / "arena.db").open("rb") as opened:
        waits = [sys.executable, "-S", "-c", "input()"]
        other, reader = (
            subprocess.Popen(waits, stdin=subprocess.PIPE, pass_fds=numbers) for numbers in ((), (opened.fileno(),))
        )
    with other, reader:
        claim(away, other.pid, start_time(other.pid))
        refused = away("stop", "cup")
        assert refused.code == 2
        assert refused.error == (
            f"arena: process {other.pid}, which plays cup according to arena.db, does not have this file open; "
            f"nothing was stopped"
        )
        claim(away, reader.pid, start_time(other.pid) + "0")  # a PID that was used again
        assert away("stop", "cup").error.startswith("arena: cup is not running on this machine")
        claim(away, -1, start_time(other.pid))
        assert away("stop", "cup").error.startswith("arena: cup is not running on this machine")
        assert (other.poll(), reader.poll()) == (None, None)
        claim(away, reader.pid, start_time(reader.pid))
        assert away("stop", "cup").code == 0  # all that is asked of a process is true of this one
        assert reader.wait() == -signal.SIGTERM
        assert other.poll() is None
        other.terminate()


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="needs a process of another user")
def test_the_process_of_another_user_is_not_stopped(away: Any, processes: Any) -> None:
    assert away("league", *AGENTS).code == 0
    words = ["setpriv", "--reuid=65534", "--clear-groups", "cat"]
    with (away.folder / "arena.db").open("rb") as opened:
        other = subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=[opened.fileno()])
    with other:
        assert processes.until(lambda: processes(other.pid).program == "cat")
        claim(away, other.pid, start_time(other.pid))
        refused = away("stop", "cup")
        assert (refused.code, "belongs to another user; nothing was stopped" in refused.error) == (2, True)
        assert other.poll() is None
        other.terminate()
