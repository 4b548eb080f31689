"""Which process is which."""

import os
import signal
import subprocess
from typing import Any

from arena.process.presence import began, is_alive


def test_a_process_is_itself_and_nobody_else() -> None:
    moment = began(os.getpid())
    assert is_alive(os.getpid(), moment)
    assert not is_alive(os.getpid(), moment + "0")
    assert not is_alive(2**22 + 1, moment)
    assert not is_alive(2**22 + 1, "")


def test_a_process_that_has_ended_is_not_alive_even_before_it_is_reaped() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        moment = began(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(process.pid, moment)


def test_the_same_league_twice_at_once_is_refused_at_once(arena: Any) -> None:
    words = ("league", "random", "first_move", "--rounds", "2000", "--turns", "8", "--name", "cup", "--json")
    process = arena.start(*words)
    process.stdout.readline()
    second = arena(*words)
    assert second.code == 1
    assert f"process {process.pid} is already playing cup" in second.err
    assert second.out == ""
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "games are stored; the same command continues" in err
