"""The clock cannot be cheated, and no agent computes during the opponent's turn."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Answer, Ended, History, Times
from arena.entrants.entrant import resolve
from arena.process.channels import AgentProcess
from arena.process.charge import charged
from arena.referee.agent_player import startup_limit
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules, Zygote
from games.base import load
from results.record import GameRecord

Contest = Callable[..., GameRecord]

LATE = [
    "Sleeps", "Spins", "SpinsInC", "BlocksSignals", "PatchesTime", "StopsItself", "SpoilsItsStack",
    "SpinsInEightThreads",
]  # fmt: skip


class Wakes(ScriptedPlayer):
    """Lets its frozen opponent run again, and waits until that has computed."""

    def __init__(self, processes: Any) -> None:
        super().__init__()
        self._processes = processes

    def ask(self, history: History, times: Times) -> Answer:
        for player in self._processes.confined(os.getpid()):
            clock = (~player.pid << 3) | 2  # its CPU seconds
            enough = time.clock_gettime(clock) + 0.05
            os.kill(player.pid, signal.SIGCONT)
            while time.clock_gettime(clock) < enough:
                os.sched_yield()
        return super().ask(history, times)


@pytest.fixture
def stranger() -> Iterator[None]:
    """A busy process on the core where this process plays its games."""
    with ProcessPlayers(Setup(load("microchess"), Rules())):
        (core,) = os.sched_getaffinity(0)
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint('busy', flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == b"busy\n"
        yield
        busy.kill()


# A tenth of a second: a busy machine must grant it that much CPU before it counts as withheld, 5 s later.
@pytest.mark.parametrize("agent", LATE)
def test_an_agent_that_gives_no_answer_in_time_loses(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_timing.py:{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", seconds=0.1)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "time")
    assert record.fault.detail == "no answer in time"


@pytest.mark.parametrize("agent", ["hostile_import.py", "hostile_import_busy.py", "hostile_timing.py:SleepsInReset"])
def test_an_agent_that_takes_too_long_to_start_loses(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", startup=0.1)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "startup")


@pytest.mark.parametrize("agent", ["Spins", "SpinsInEightThreads"])
def test_a_busy_loop_beside_a_foreign_process_loses_on_time(
    contest: Contest, faulty: Path, stranger: None, agent: str
) -> None:
    record = contest(f"{faulty}/hostile_timing.py:{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", seconds=0.1)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "time")


def test_an_honest_agent_beside_a_foreign_process_is_not_charged_for_withheld_time(
    contest: Contest, faulty: Path, stranger: None
) -> None:
    # It needs 0.8 s of CPU; beside the stranger that takes at least twice as long.
    record = contest(
        f"{faulty}/hostile_timing.py:Works:seconds=0.2", ScriptedPlayer(), rules=Rules(), charge="fair",
        seconds=16, game="microchess:turns=8",
    )  # fmt: skip
    assert record.fault is None
    own = record.moves[::2]
    charges = [charged("fair", wall=move.wall, cpu=move.cpu, wait=move.wait) for move in own]
    assert sum(charges) < sum(move.wall for move in own)
    assert all(move.wait > 0 for move in own)


class Observes(ScriptedPlayer):
    """Notes how many CPU seconds its opponent uses during its own turns; `least` is how many it waits for."""

    def __init__(self, processes: Any, *, least: float) -> None:
        super().__init__()
        self.used: list[float] = []
        self._processes = processes
        self._least = least

    def ask(self, history: History, times: Times) -> Answer:
        player = max(self._processes.of_games(os.getpid()), key=lambda process: process.began)  # after its zygote
        clock = (~player.pid << 3) | 2  # its CPU seconds
        before, own = time.clock_gettime(clock), time.thread_time()
        while time.thread_time() < own + 0.02:
            os.sched_yield()  # on the same core: a player that can run does run
        assert self._processes.until(lambda: time.clock_gettime(clock) >= before + self._least)
        self.used.append(time.clock_gettime(clock) - before)
        return super().ask(history, times)


@pytest.mark.parametrize("agent", ["Ponders", "WakesByAlarm"])
def test_a_thread_gets_no_cpu_during_the_opponents_turn(
    contest: Contest, faulty: Path, processes: Any, agent: str
) -> None:
    path, game = f"{faulty}/hostile_timing.py:{agent}", "microchess:turns=8"
    frozen, free = Observes(processes, least=0.0), Observes(processes, least=0.05)
    assert contest(path, frozen, rules=Rules(), charge="fair", game=game).fault is None
    assert contest(path, free, rules=Rules(seccomp=False), game=game).fault is None
    assert frozen.used == [0.0] * 4
    assert len(free.used) == 4


def test_an_agent_that_computes_during_the_opponents_turn_loses(contest: Contest, faulty: Path, processes: Any) -> None:
    record = contest(f"{faulty}/hostile_timing.py:Ponders", Wakes(processes), rules=Rules(), charge="fair")
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "pondering")
    assert "of CPU during the opponent's turn" in record.fault.detail


def test_a_process_killed_while_it_is_frozen_has_ended_and_did_not_ponder(monkeypatch: pytest.MonkeyPatch) -> None:
    zygote = Zygote("microchess")
    process = AgentProcess(zygote.start(None, Rules()))
    try:
        assert process.receive(process.send("reset", {}), deadline=time.monotonic() + 600) is not None
        os.kill(process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        used = process.cpu() + 1.0  # what the end of a large process may cost
        monkeypatch.setattr(process, "cpu", lambda: used)
        process.thaw()
        with pytest.raises(Ended):
            process.send("reset", {})
    finally:
        process.end()
        zygote.close()


def test_a_frozen_process_is_stopped_until_the_next_request(processes: Any) -> None:
    zygote = Zygote("microchess")
    process = AgentProcess(zygote.start(None, Rules()))
    try:
        for _ in range(3):
            assert process.receive(process.send("reset", {}), deadline=time.monotonic() + 600) is not None
            assert processes(process.pid).state == "T"
    finally:
        process.end()
        zygote.close()


@pytest.mark.parametrize(
    ("seconds", "needs", "limit"),
    [(1, (), 3), (29, (), 3), (60, (), 6), (400, (), 30), (1e6, (), 30), (1, ("torch",), 10), (200, ("torch",), 20)],
)
def test_the_limit_for_start_up_follows_the_time_budget(seconds: float, needs: tuple[str, ...], limit: float) -> None:
    assert startup_limit(seconds, needs) == limit


@pytest.mark.parametrize("needs", [(), ("torch",)])
def test_players_of_a_game_get_the_limit_of_its_budget(
    faulty: Path, tmp_path: Path, needs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    monkeypatch.setattr("arena.referee.players.AgentPlayer", lambda *_, startup, **__: given.append(startup))
    entrant = resolve(f"{faulty}/steady.py:LastMove", home=tmp_path / "home")
    with ProcessPlayers(Setup(load("microchess"), None, needs, tmp_path / "home")) as players:
        for seconds in (1.0, 400.0):
            players.factory("fair", seconds=seconds)(entrant, "first")
    assert given == [10.0 if needs else 3.0, 30.0]


def test_the_time_to_start_is_in_the_record(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/hostile_timing.py:WorksInReset", ScriptedPlayer(), rules=Rules(), charge="fair")
    assert record.fault is None
    assert record.startup_first >= 0.2  # the CPU time that it uses in `reset`
    assert record.startup_second == 0.0
    late = contest(f"{faulty}/hostile_timing.py:SleepsInReset", ScriptedPlayer(), rules=Rules(), startup=0.1)
    assert late.startup_first >= 0.1
