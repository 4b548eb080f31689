"""The clock cannot be cheated, and no agent computes during the opponent's turn."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from agents.seat import Answer, History, Times
from arena.process.channels import AgentProcess
from arena.process.charge import charged
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules, Zygote
from games.base import load
from results.record import GameRecord

Contest = Callable[..., GameRecord]

LATE = ["Sleeps", "Spins", "SpinsInC", "BlocksSignals", "PatchesTime", "StopsItself", "SpinsInEightThreads"]


class Wakes(ScriptedPlayer):
    """Lets its frozen opponent run again, and waits until that has computed."""

    def ask(self, history: History, times: Times) -> Answer:
        for pid in stopped_children():
            clock = (~pid << 3) | 2  # its CPU seconds
            enough = time.clock_gettime(clock) + 0.05
            os.kill(pid, signal.SIGCONT)
            while time.clock_gettime(clock) < enough:
                os.sched_yield()
        return super().ask(history, times)


def stopped_children() -> list[int]:
    found = []
    for task in Path("/proc/self/task").iterdir():
        for pid in (task / "children").read_text().split():
            with suppress(OSError):  # it has just ended
                if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T":
                    found.append(int(pid))
    return found


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


@pytest.mark.parametrize("agent", LATE)
def test_an_agent_that_gives_no_answer_in_time_loses(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_timing.py:{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", seconds=0.3)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "time")
    assert record.fault.detail == "no answer in time"


@pytest.mark.parametrize("agent", ["hostile_import.py", "hostile_import_busy.py", "hostile_timing.py:SleepsInReset"])
def test_an_agent_that_takes_too_long_to_start_loses(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", startup=0.5)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "startup")


@pytest.mark.parametrize("agent", ["Spins", "SpinsInEightThreads"])
def test_a_busy_loop_beside_a_foreign_process_loses_on_time(
    contest: Contest, faulty: Path, stranger: None, agent: str
) -> None:
    record = contest(f"{faulty}/hostile_timing.py:{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", seconds=0.3)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "time")


def test_an_honest_agent_beside_a_foreign_process_is_not_charged_for_withheld_time(
    contest: Contest, faulty: Path, stranger: None
) -> None:
    # Alone it would need 0.8 s; beside the busy process it needs about twice as long.
    record = contest(
        f"{faulty}/hostile_timing.py:Works:seconds=0.2", ScriptedPlayer(), rules=Rules(), charge="fair",
        seconds=1.6, game="microchess:turns=8",
    )  # fmt: skip
    assert record.fault is None
    own = record.moves[::2]
    charges = [charged("fair", wall=move.wall, cpu=move.cpu, wait=move.wait) for move in own]
    assert sum(charges) < sum(move.wall for move in own)
    assert all(move.wait > 0 for move in own)


def thoughts(record: GameRecord) -> list[int]:
    """What the thread of `Ponders` counted in each turn of the opponent."""
    assert record.fault is None, record.fault
    return [int(text) for text in re.findall(r"thought (\d+)", record.output_first)][1:]


@pytest.mark.parametrize("agent", ["Ponders", "WakesByAlarm"])
def test_a_thread_gets_no_cpu_during_the_opponents_turn(contest: Contest, faulty: Path, agent: str) -> None:
    path, opponent = f"{faulty}/hostile_timing.py:{agent}", f"{faulty}/hostile_timing.py:Works:seconds=0.2"
    frozen = thoughts(contest(path, opponent, rules=Rules(), charge="fair", game="microchess:turns=8"))
    free = thoughts(contest(path, opponent, rules=Rules(seccomp=False), game="microchess:turns=8"))
    assert len(frozen) == len(free) == 3
    # The rest is the moment between its answer and the stop.
    assert max(frozen) < min(free) / 5


def test_an_agent_that_computes_during_the_opponents_turn_loses(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/hostile_timing.py:Ponders", Wakes(), rules=Rules(), charge="fair")
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", "pondering")
    assert "of CPU during the opponent's turn" in record.fault.detail


def test_a_frozen_process_is_stopped_until_the_next_request() -> None:
    zygote = Zygote("microchess")
    process = AgentProcess(zygote.start(None, Rules()))
    try:
        for _ in range(3):
            assert process.receive(process.send("reset", {}), deadline=time.monotonic() + 60) is not None
            assert Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    finally:
        process.end()
        zygote.close()
