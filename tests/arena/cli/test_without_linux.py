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
# Without signals, Python itself ends a process in another way.
subprocess.Popen.kill = lambda self: os.kill(self.pid, 9) if self.poll() is None else None
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
    others = [[name] for name in COMMANDS if name not in ANYWHERE | {"play"}]
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


AGENTS = {
    "bot.py": "print('hello')\n        return self.rng.choice(list(state.legal_moves))",
    "weights.py": "open('weights.py').close()\n        return list(state.legal_moves)[0]",
    "hang.py": "while True: pass",
    "exits.py": "import os; os._exit(3)",
    "raises.py": "return 1 / 0",
    "wrong.py": "return 'e9'",
}
AGENT = "from agents import BaseAgent\n\nclass Agent(BaseAgent):\n    def act(self, state):\n        {}\n"


def test_agents_that_are_trusted_play_on_every_system(arena: Any, elsewhere: Any) -> None:
    for name, body in AGENTS.items():
        (arena.folder / name).write_text(AGENT.format(body))
    trusted = ["random", "--trust-agents", "--turns", "4", "--json"]
    games = [["play", name, *trusted, *(["--time", "1"] if name == "hang.py" else [])] for name in AGENTS]
    games += [["play", "mcts:simulations=10", "random", "--trust-agents", "--turns", "2", "--reports", "--json"]]
    ran = elsewhere("-c", RUN_ALL, given=json.dumps(games))
    assert ran.returncode == 0, ran.stderr
    done = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [code for code, *_ in done] == [0] * len(games), done
    records = [json.loads(out) for _, out, _ in done]
    rules = [record["fault"] and record["fault"]["rule"] for record in records]
    assert rules == [None, None, "time", "exit", "exception", "illegal-move", None]
    assert {record["sandbox"] for record in records} == {"none"}
    assert all("run without the sandbox" in err for *_, err in done)
    shown = elsewhere("-c", RUN_ALL, given=json.dumps([["show", "1"], ["why", "5"]]))
    (_, bot, _), (_, raises, _) = map(json.loads, shown.stdout.splitlines())
    assert "hello" in bot
    assert "raises.py:5 in act" in raises


def test_a_person_plays_against_a_trusted_agent_on_every_system(elsewhere: Any) -> None:
    played = elsewhere("-m", "arena", "play", "human", "random", "--trust-agents", given="hint\nresign\n")
    assert played.returncode == 0, played.stderr
    assert "hint: " in played.stderr
    assert "noted: human (first) asked for 1 hint" in played.stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["random", "random"],
            "agents are confined only on Linux, and this is darwin: play agents that you trust with --trust-agents, or "
            "use WSL2, a container or a virtual machine (see arena/README.md)",
        ),
        (
            ["uci:command=/bin/cat", "random", "--trust-agents"],
            "cat is an engine, and engines play only on Linux; this is darwin",
        ),
        (
            ["random", "random", "--trust-agents", "--clock", "cpu"],
            "the clock cpu needs Linux, and this is darwin: leave --clock out",
        ),
    ],
)
def test_what_cannot_be_played_without_linux_is_one_line(elsewhere: Any, words: list[str], line: str) -> None:
    played = elsewhere("-m", "arena", "play", *words)
    assert (played.returncode, played.stdout, played.stderr) == (2, "", f"arena: {line}\n")


API = """
import sys, arena
from games.errors import ArenaError

for call in (lambda: arena.league(["random", "random"], name="a"), lambda: arena.check("random")):
    try:
        call()
    except ArenaError as error:
        print(type(error).__name__, error)
"""


def test_the_python_api_says_what_needs_linux(elsewhere: Any) -> None:
    ran = elsewhere("-c", API)
    assert ran.returncode == 0, ran.stderr
    league, check = ran.stdout.splitlines()
    assert league.startswith("BadSettings leagues and agents that are not trusted need Linux, and this is darwin")
    assert check.startswith("BadSettings the sandbox does not work on this machine")


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
