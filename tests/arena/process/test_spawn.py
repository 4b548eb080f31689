"""How a process is told from a later one with the same PID."""

import os
import signal
import subprocess
from typing import Any

from arena.process.spawn import is_alive, start_time


def test_a_process_is_recognised_by_its_pid_and_start_time() -> None:
    started = start_time(os.getpid())
    assert is_alive(os.getpid(), started)
    assert not is_alive(os.getpid(), started + "0")
    assert not is_alive(2**22 + 1, started)
    assert not is_alive(2**22 + 1, "")


def test_a_process_that_has_ended_is_not_alive_even_before_it_is_reaped() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        started = start_time(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(process.pid, started)


def test_a_league_that_is_being_played_cannot_be_started_a_second_time(arena: Any) -> None:
    words = ("league", "random", "first_move", "--rounds", "2000", "--turns", "8", "--name", "cup", "--json")
    # The tests themselves may run under nohup, which lets every process below it ignore SIGHUP.
    process = arena.start(*words, before=("env", "--default-signal=HUP"))
    process.stdout.readline()
    second = arena(*words)
    assert second.code == 1
    assert second.err == f"arena: process {process.pid} is already playing cup; wait for it, or stop it\n"
    assert second.out == ""
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "games are stored; the same command continues" in err
