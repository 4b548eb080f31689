"""No process outlives its game, its referee or its league."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord
from results.store.store import Store

Contest = Callable[..., GameRecord]

#: Only a guard against waiting for ever.
GUARD_SECONDS = 600

#: One hostile agent of each kind: nothing of it may be left.
HOSTILE = [
    "hostile_processes.py:Forks", "hostile_files.py:WritesShm", "hostile_network.py:ConnectsTcp",
    "hostile_tamper.py:MakesSharedMemory", "hostile_tamper.py:Calls:call=shmget", "hostile_resources.py:ThreadBomb",
    "hostile_resources.py:DescriptorBomb", "hostile_resources.py:Vanishes", "hostile_timing.py:StopsItself",
    "hostile_protocol.py:ClosesWire", "hostile_protocol.py:Floods", "misbehaving.py:Honest",
]  # fmt: skip


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_referee_killed_during_a_move_leaves_no_process(arena: Any, faulty: Path, processes: Any) -> None:
    process = arena.start("play", f"{faulty}/hostile_timing.py:Sleeps", f"{faulty}/misbehaving.py:Honest")
    arena.next_line(process)
    # One player thinks, the other is frozen: both must go, and the zygote.
    assert processes.until(lambda: {"S", "T"} <= {player.state for player in processes.confined(process.pid)})
    assert len(processes.of_games(process.pid)) == 3
    kill(process)
    assert processes.until(lambda: not processes.of_games(process.pid))


def test_a_referee_killed_while_both_players_are_frozen_leaves_no_process(arena: Any, processes: Any) -> None:
    process = arena.start("play", "human", "random", "--time", "600", stdin=subprocess.PIPE)
    arena.next_line(process)
    assert processes.until(lambda: [player.state for player in processes.confined(process.pid)] == ["T"])
    kill(process)
    assert processes.until(lambda: not processes.of_games(process.pid))


def test_a_referee_killed_while_it_starts_players_leaves_no_process(arena: Any, faulty: Path, processes: Any) -> None:
    # It starts for as long as it may: on a machine with many processes one look at all of them takes a while.
    words = ("benchmark", f"{faulty}/hostile_timing.py:SleepsInReset", "random", "--games", "8")
    for _ in range(3):
        process = arena.start(*words)
        assert processes.until(lambda: processes.confined(arena.folder))
        kill(process)
        assert processes.until(lambda: not processes.of_games(arena.folder))


def test_a_killed_zygote_voids_a_game_that_is_played_again(arena: Any, processes: Any) -> None:
    words = ("league", "random", "first_move", "--rounds", "20", "--turns", "8", "--workers", "1", "--name", "cup")
    process = arena.start(*words, "--json")
    lines = 0
    for _ in range(3):
        # A league whose output nobody reads waits, and starts no zygote.
        while not (found := processes.zygotes(arena.folder)):
            arena.next_line(process)
            lines += 1
        zygote = found[0]
        os.kill(zygote.pid, signal.SIGKILL)
        assert processes.until(lambda zygote=zygote: not zygote.runs)
    out, _ = process.communicate(timeout=GUARD_SECONDS)
    assert process.returncode == 0
    assert len(out.splitlines()) == 40 - lines + 1
    with Store.open(arena.folder / "arena.db", create=False) as store:
        attempts = store.voids("cup")
        records = list(store.records("cup"))
    assert len(records) == 40
    assert [record.fault for record in records if record.fault] == []
    assert attempts
    assert all("process" in attempt.reason for attempt in attempts)


def test_hostile_games_leave_no_trace(
    contest: Contest, faulty: Path, tmp_path: Path, traces: Callable[[], dict[str, set[str]]]
) -> None:
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
