"""The command line on a system that is not Linux, made by hiding from Python what other systems lack."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import COMMANDS

PROJECT = Path(__file__).parents[3]
#: Imported by Python before anything else: no module and function that Windows or macOS lacks.
OTHER_SYSTEM = """
import ctypes, os, select, signal, socket, subprocess, sys, tempfile

for module in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[module] = None
for module, names in {
    os: "O_CLOEXEC O_NOFOLLOW O_PATH P_PID getuid memfd_create pidfd_open posix_spawn sched_getaffinity "
        "sched_setaffinity sysconf wait4 waitid waitid_result",
    select: "poll",
    signal: "SIGCHLD SIGCONT SIGHUP SIGKILL SIGSTOP SIGUSR1 SIGUSR2 pthread_sigmask sigtimedwait",
    socket: "AF_UNIX MSG_DONTWAIT SOCK_SEQPACKET",
}.items():
    for name in names.split():
        delattr(module, name)
real = ctypes.CDLL
ctypes.CDLL = lambda name, *more, **options: real(name.lower(), *more, **options)  # no library without a name
sys.platform = "darwin"
"""
#: Runs each line of words as a command, and prints exit code and both outputs as a line of JSON.
RUN_ALL = """
import contextlib, io, json, sys
from arena.cli import run

for words in json.load(sys.stdin):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    print(json.dumps([code, *(one.buffer.getvalue().decode() for one in (out, err))]))
"""
ANYWHERE = {"agents", "exclude", "export", "games", "leagues", "records", "report", "show", "standings", "why"}


@pytest.fixture
def elsewhere(arena: Any) -> Any:
    """Python on another system, in the folder of the shell."""
    (arena.folder / "other").mkdir()
    (arena.folder / "other" / "sitecustomize.py").write_text(OTHER_SYSTEM)
    path = os.pathsep.join((str(arena.folder / "other"), str(PROJECT)))
    environment = arena.environment | {"PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}

    def python(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", *words], input=given, env=environment, cwd=arena.folder, text=True,
            capture_output=True, check=False,
        )  # fmt: skip

    return python


def test_results_can_be_read_and_every_other_command_says_that_it_needs_linux(arena: Any, elsewhere: Any) -> None:
    assert arena("play", "random", "random", "--game", "microchess:turns=2").code == 0
    reading = [
        ["games"], ["agents"], ["leagues"], ["records"], ["standings"], ["standings", "--crosstable"], ["show", "1"],
        ["show", "1", "--format", "html"], ["why", "1"], ["export", "--format", "csv"], ["report", "-o", "page.html"],
        ["exclude", "1", "--because", "test"],
    ]  # fmt: skip
    others = [[name] for name in COMMANDS if name not in ANYWHERE]
    assert {words[0] for words in reading} == ANYWHERE
    ran = elsewhere("-c", RUN_ALL, given=json.dumps(reading + others))
    assert ran.returncode == 0, ran.stderr
    done = [json.loads(line) for line in ran.stdout.splitlines()]
    for words, (code, out, err) in zip(reading, done, strict=False):
        assert (code, bool(out) or words[0] in ("report", "exclude")) == (0, True), (words, err)
    assert "random" in (arena.folder / "page.html").read_text()
    for words, (code, out, err) in zip(others, done[len(reading) :], strict=True):
        line = f"`arena {words[0]}` needs Linux, and this is darwin: use WSL2, a container or a virtual machine"
        assert (code, out, err) == (1, "", f"Error: {line} (see arena/README.md)\n")


def test_the_command_itself_starts_without_linux(elsewhere: Any) -> None:
    played = elsewhere("-m", "arena", "league", "random", "random")
    assert (played.returncode, played.stdout) == (1, "")
    assert len(played.stderr.splitlines()) == 1
    assert "`arena league` needs Linux" in played.stderr


def test_the_dev_container_installs_by_make() -> None:
    container = json.loads((PROJECT / ".devcontainer" / "devcontainer.json").read_text())
    assert container["image"].startswith("python:3.11")
    assert container["postCreateCommand"] == "make"
    assert "macOS: end of `arena/README.md`" in (PROJECT / "README.md").read_text()
    assert (PROJECT / "arena" / "README.md").read_text().count("## Windows (WSL2), macOS (a container") == 1
