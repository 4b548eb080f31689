"""A command that the server of the tests forks is like one that a shell starts."""

import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest


def seen(process: Any) -> dict[str, Any]:
    """What a process is, as far as its command can tell."""
    folder = Path("/proc", str(process.pid))
    status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
    kept = ("Umask", "PPid", "Uid", "Gid", "Groups", "Threads", "SigBlk", "SigIgn", "SigCgt", "CapEff", "NoNewPrivs")
    return {name: status[name] for name in kept} | {
        "files": {entry.name: re.sub(r"\d+", "N", str(entry.readlink())) for entry in (folder / "fd").iterdir()},
        "folder": (folder / "cwd").readlink(), "program": (folder / "exe").readlink(),
        "group": os.getpgid(process.pid) == process.pid, "session": os.getsid(process.pid) == process.pid,
        "priority": os.getpriority(os.PRIO_PROCESS, process.pid),
    }  # fmt: skip


@pytest.mark.parametrize("leads", [False, True])
def test_a_forked_command_is_like_one_that_was_started(arena: Any, leads: bool) -> None:
    both = []
    for before in ((), ("env",)):
        words = ("engine", "--protocol", "uci", "--agent", "random")
        process = arena.start(*words, stdin=subprocess.PIPE, start_new_session=leads, before=before)
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert arena.next_line(process) == "readyok\n"
        both.append(seen(process))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
        both[-1]["code"] = process.returncode
    assert both[0] == both[1]
