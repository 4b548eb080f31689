"""Honest agents never lose by a fault, whatever libraries they use."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.calls import this_machine
from arena.sandbox.launch import Rules
from arena.sandbox.watch import running_threads
from results.record import GameRecord

Contest = Callable[..., GameRecord]

HONEST = [
    "Asynchronous", "Threaded", "LinearAlgebra", "RollsDice", "Hashes", "Logs", "Prints", "Warns", "Dumps",
    "KnowsTheTime", "KnowsTheMachine", "UsesTheStandardLibrary", "ImportsALot", "AsksForWhatIsNotThere",
    "HandlesRefusals", "KeepsAThread", "SetsAlarm",
]  # fmt: skip
#: Odd or greedy but harmless agents, and what each prints after its attempt.
HARMLESS = [
    ("hostile_resources.py:DescriptorBomb", "opened 251\n"),
    ("hostile_resources.py:PipeBomb", ""),
    ("hostile_resources.py:SharesMemory", "refused\n"),
    ("hostile_resources.py:GrowsDown", "refused\n"),
    ("hostile_resources.py:LocksMemory", "refused\n"),
    ("hostile_resources.py:EightThreads", ""),
    ("hostile_processes.py:CloneThree", "ENOSYS\n"),
    ("hostile_processes.py:OwnSignals", "heard 3\n"),
    ("hostile_network.py:PassesDescriptors", "refused\n"),
    ("hostile_tamper.py:FiltersItself", "refused 1\n"),
    ("hostile_tamper.py:ReadsOwnLimits", "256\n"),
    ("hostile_timing.py:KnowsTheDate", "True True\n"),
]


def check_honest(record: GameRecord, *, turns: int = 8) -> None:
    assert record.fault is None, record.fault
    assert record.notes == ()
    assert (record.turns, record.sandbox) == (turns, "full")


@pytest.mark.parametrize("agent", HONEST)
def test_an_honest_agent_is_not_accused(contest: Contest, faulty: Path, agent: str) -> None:
    check_honest(
        contest(
            f"{faulty}/honest.py:{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", game="microchess:turns=8"
        )
    )


def test_an_honest_agent_writes_into_its_scratch_folder(contest: Contest, faulty: Path) -> None:
    before = sorted(Path("/dev/shm").iterdir())
    agent = f"{faulty}/honest.py:UsesTemporaryFiles"
    check_honest(contest(agent, agent, rules=Rules(scratch=16 << 20), game="microchess:turns=8"))
    assert sorted(Path("/dev/shm").iterdir()) == before


def test_the_output_of_an_honest_agent_is_kept(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/honest.py:Prints", ScriptedPlayer(), rules=Rules(), game="microchess:turns=8")
    assert record.output_first == "thinking about it\n" * 4


def test_warnings_and_tracebacks_are_kept(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/honest.py:Warns", ScriptedPlayer(), rules=Rules(), game="microchess:turns=1")
    check_honest(record, turns=1)
    assert "ValueError: handled" in record.output_first
    assert 'raise ValueError("handled")' in record.output_first


@pytest.mark.parametrize(("agent", "words"), HARMLESS)
def test_harmless_calls_are_not_a_fault(contest: Contest, faulty: Path, agent: str, words: str) -> None:
    record = contest(f"{faulty}/{agent}", ScriptedPlayer(), rules=Rules(), charge="fair", game="microchess:turns=1")
    check_honest(record, turns=1)
    assert record.output_first == words


def test_a_flood_of_prints_is_harmless_and_its_end_is_kept(contest: Contest, faulty: Path) -> None:
    record = contest(
        f"{faulty}/hostile_resources.py:Floods", ScriptedPlayer(), rules=Rules(), game="microchess:turns=1", seconds=60
    )
    check_honest(record, turns=1)
    assert record.output_first.endswith("the last line\n")
    assert len(record.output_first) <= 2_000


@pytest.mark.parametrize("agent", ["random", "greedy", "mcts:seconds=0.01", "abp_negamax:depth=1"])
def test_bundled_agents_are_not_accused(contest: Contest, agent: str) -> None:
    record = contest(agent, agent, rules=Rules(), charge="fair", game="microchess:turns=8")
    assert (record.fault, record.notes) == (None, ())


@pytest.fixture
def learner(faulty: Path, tmp_path: Path) -> Path:
    """The folder of an agent that learns, with weights in it."""
    import torch

    folder = tmp_path / "learner"
    shutil.copytree(faulty / "learner", folder)
    network = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
    torch.nn.init.constant_(network[0].weight, 0.125)
    torch.save(network.state_dict(), folder / "weights.pt")
    return folder


@pytest.mark.parametrize("needs", [("torch",), ()], ids=["loaded ahead", "imported by the agent"])
def test_an_agent_that_learns_with_torch_is_not_accused(
    contest: Contest, learner: Path, needs: tuple[str, ...]
) -> None:
    record = contest(
        f"{learner}/", ScriptedPlayer(), rules=Rules(memory=4 << 30), needs=needs, charge="fair",
        game="microchess:turns=4", startup=120, seconds=60,
    )  # fmt: skip
    check_honest(record, turns=4)
    assert record.output_first == "loaded 0.125\ntrained True\n"


#: Its first thread ends while another one goes on: the Linux kernel keeps the first in its list.
ENDED_THREAD = """
import ctypes, os, sys, threading, time

def other():
    while open(f"/proc/{os.getpid()}/task/{os.getpid()}/stat").read().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.001)
    print("ended", flush=True)
    sys.stdin.read()

threading.Thread(target=other).start()
ctypes.CDLL(None).syscall(int(sys.argv[1]), 0)
"""


def test_a_thread_that_has_ended_but_is_still_listed_is_not_counted() -> None:
    machine = this_machine()
    assert machine is not None
    command = [sys.executable, "-c", ENDED_THREAD, str(machine.calls["exit"])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ended\n"
        assert len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 2
        assert running_threads(process.pid, enough=2) == 2
        assert running_threads(process.pid, enough=1) == 1
        process.kill()
