"""No process outlives its game, its referee or its league."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord
from results.store.store import Store

Contest = Callable[..., GameRecord]
Find = Callable[[int], Sequence[int]]

#: One hostile agent of each kind: nothing of it may be left.
HOSTILE = [
    "hostile_processes.py:Forks", "hostile_files.py:WritesShm", "hostile_network.py:ConnectsTcp",
    "hostile_tamper.py:MakesSharedMemory", "hostile_tamper.py:Calls:call=shmget", "hostile_resources.py:ThreadBomb",
    "hostile_resources.py:DescriptorBomb", "hostile_resources.py:Vanishes", "hostile_timing.py:StopsItself",
    "hostile_protocol.py:ClosesWire", "hostile_protocol.py:Floods", "misbehaving.py:Honest",
]  # fmt: skip


def state(pid: int) -> str:
    """The state letter of a process in /proc; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def is_confined(pid: int) -> bool:
    try:
        return "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def is_zygote(pid: int) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return b"arena.sandbox.zygote" in words and not is_confined(pid) and os.getsid(pid) == pid
    except OSError:  # gone by now
        return False


def holds(condition: Callable[[], bool], *, seconds: float = 30.0) -> bool:
    """Wait until the condition holds; False if it does not within the time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


def next_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], 60.0)
    assert ready, "the game does not go on"
    return process.stdout.readline()


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_referee_killed_during_a_move_leaves_no_process(arena: Any, faulty: Path, processes_of: Find) -> None:
    process = arena.start("play", f"{faulty}/hostile_timing.py:Sleeps", f"{faulty}/misbehaving.py:Honest")
    next_line(process)
    # One player thinks, the other is frozen: both must end, and the zygote too.
    assert holds(lambda: {"S", "T"} <= {state(pid) for pid in processes_of(process.pid) if is_confined(pid)})
    assert len(processes_of(process.pid)) == 3
    kill(process)
    assert holds(lambda: not processes_of(process.pid))


def test_a_referee_killed_while_both_players_are_frozen_leaves_no_process(arena: Any, processes_of: Find) -> None:
    process = arena.start("play", "human", "random", "--time", "600", stdin=subprocess.PIPE)
    next_line(process)
    assert holds(lambda: [state(pid) for pid in processes_of(process.pid) if is_confined(pid)] == ["T"])
    kill(process)
    assert holds(lambda: not processes_of(process.pid))


def test_a_referee_killed_while_it_starts_players_leaves_no_process(arena: Any, processes_of: Find) -> None:
    for _ in range(3):
        process = arena.start("benchmark", "first_move", "random", "--games", "500", "--turns", "1")
        assert holds(lambda: any(is_confined(pid) for pid in processes_of(arena.folder)))
        kill(process)
        assert holds(lambda: not processes_of(arena.folder))


def test_a_killed_zygote_voids_a_game_that_is_played_again(arena: Any, processes_of: Find) -> None:
    words = ("league", "random", "first_move", "--rounds", "20", "--turns", "8", "--workers", "1", "--name", "cup")
    process = arena.start(*words, "--json")
    for _ in range(3):
        next_line(process)
        zygote = min(pid for pid in processes_of(arena.folder) if is_zygote(pid))
        os.kill(zygote, signal.SIGKILL)
        assert holds(lambda zygote=zygote: state(zygote) in ("Z", ""))
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert len(out.splitlines()) == 40 - 3 + 1
    with Store.open(arena.folder / "arena.db", create=False) as store:
        attempts = store.voids("cup")
        records = list(store.records("cup"))
    assert len(records) == 40
    assert [record.fault for record in records if record.fault] == []
    assert attempts
    assert all("process" in attempt.reason for attempt in attempts)


def traces() -> dict[str, set[str]]:
    """What a game could leave behind on this machine."""
    own = Path("/proc/self")
    children = {pid for task in (own / "task").iterdir() for pid in (task / "children").read_text().split()}
    return {
        "descriptors": {f"{entry.name} {entry.readlink()}" for entry in (own / "fd").iterdir() if entry.is_symlink()},
        "children": children,
        "shm": {entry.name for entry in Path("/dev/shm").iterdir() if not entry.name.startswith("sem.")},
        "segments": set(Path("/proc/sysvipc/shm").read_text().splitlines()),
        "files": {entry.name for folder in ("/tmp", "/var/tmp") for entry in Path(folder).glob("hostile*")},
    }


def test_hostile_games_leave_no_trace(contest: Contest, faulty: Path, tmp_path: Path) -> None:
    before = traces()
    for agent in HOSTILE:
        contest(f"{faulty}/{agent}", f"{faulty}/honest.py:Prints", rules=Rules(scratch=1 << 20), seconds=0.2)
        contest(ScriptedPlayer(), f"{faulty}/{agent}", rules=Rules(), seconds=0.2)
    after = traces()
    assert {name: after[name] - before[name] for name in before} == {name: set() for name in before}
    assert [entry.name for entry in tmp_path.iterdir()] == ["home"]
    assert [entry.name for entry in (tmp_path / "home" / "stages").iterdir() if entry.name.startswith("draft")] == []


@pytest.mark.parametrize("agent", ["hostile_processes.py:KillsReferee", "hostile_processes.py:KillsEverybody"])
def test_an_agent_cannot_end_the_league(arena: Any, faulty: Path, agent: str) -> None:
    ran = arena("play", f"{faulty}/{agent}", "random", "--json")
    assert ran.code == 0
    assert ran.json[0]["result"] == "0-1"
    assert ran.json[0]["fault"]["rule"] == "tamper"
