"""Many games among hostile and honest agents: all verdicts are right, and no trace is left."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from agents.seat import Player
from arena.entrants.entrant import Entrant, resolve
from arena.errors import Starved
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.sandbox.launch import Rules
from games.base import load
from results.record import GameRecord, Seat

#: Games in which everything is loaded that will be; after them the referee's memory must stay the same.
WARM_UP = 150
GROWTH = 4 << 20  # bytes; what Python's memory may vary by

#: Agent, the rule it breaks; None for the honest.
AGENTS = [
    ("hostile_files.py:ReadsPasswords", "file"),
    ("hostile_files.py:WritesTmp", "file"),
    ("hostile_files.py:ChangesModeOfOpen", "file"),
    ("hostile_files.py:OddPaths", None),
    ("hostile_network.py:ConnectsTcp", "network"),
    ("hostile_network.py:LooksUpName", "network"),
    ("hostile_processes.py:Forks", "process"),
    ("hostile_processes.py:RunsProgram", "process"),
    ("hostile_processes.py:KillsReferee", "tamper"),
    ("hostile_processes.py:SignalsByFile", "tamper"),
    ("hostile_tamper.py:ChoosesCores", "tamper"),
    ("hostile_tamper.py:MakesSharedMemory", "tamper"),
    ("hostile_tamper.py:Calls:call=shmget", "tamper"),
    ("hostile_resources.py:NumpyBomb", "memory"),
    ("hostile_resources.py:ThreadBomb", "threads"),
    ("hostile_resources.py:DescriptorBomb", None),
    ("hostile_resources.py:Crashes", "exit"),
    ("hostile_resources.py:Exits", "exception"),
    ("hostile_evasion.py:LocksFiles", None),
    ("hostile_evasion.py:EnlargesBuffers", None),
    ("hostile_evasion.py:HoardsSockets", None),
    ("hostile_evasion.py:FillsPageTables", None),
    ("hostile_evasion.py:SplitsItsFiles", "process"),
    ("hostile_evasion.py:VforksAThread", "process"),
    ("hostile_evasion.py:LooksIntoThePageCache", None),
    ("hostile_evasion.py:PretendsToRunOutOfMemory", "exception"),
    ("hostile_timing.py:Spins", "time"),
    ("hostile_timing.py:SpinsInEightThreads", "time"),
    ("hostile_timing.py:StopsItself", "time"),
    ("hostile_protocol.py:Binary", "protocol"),
    ("hostile_protocol.py:Floods", "protocol"),
    ("hostile_protocol.py:WrongTag", "protocol"),
    ("hostile_protocol.py:ClaimsResult", "illegal-move"),
    ("honest.py:Asynchronous", None),
    ("honest.py:Threaded", None),
    ("honest.py:LinearAlgebra", None),
    ("honest.py:UsesTemporaryFiles", None),
    ("honest.py:Warns", None),
]


def resident() -> int:
    """Bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def played(players: ProcessPlayers, job: Job, first: Entrant, second: Entrant) -> GameRecord:
    """Play one game; if a busy machine withholds the CPU, play it again, as a league does."""
    make = players.factory("fair")
    while True:
        seats: dict[Seat, Player] = {"first": make(first, "first"), "second": make(second, "second")}
        with suppress(Starved):
            return play(job, seats, Clock(job.seconds, charge="fair"), sandbox=players.level)


@pytest.mark.xdist_group("sandbox")
@pytest.mark.parametrize("games", [300, pytest.param(10_000, marks=pytest.mark.soak)])
def test_many_games_leave_no_trace_and_have_the_right_verdicts(
    job: Callable[..., Job], faulty: Path, tmp_path: Path, traces: Callable[[], dict[str, set[str]]], games: int
) -> None:
    game = load("microchess:turns=6")
    entrants = [(resolve(f"{faulty}/{agent}", home=tmp_path / "home"), rule) for agent, rule in AGENTS]
    wrong: list[str] = []
    before, memory = traces(), 0
    with ProcessPlayers(Setup(game, Rules(scratch=1 << 20), home=tmp_path / "home")) as players:
        for number in range(games):
            if number == WARM_UP:
                memory = resident()
            # Every agent plays every other one in turn.
            ahead, place = divmod(number, len(AGENTS))
            (first, rule), (second, other) = entrants[place], entrants[(place + ahead) % len(AGENTS)]
            record = played(players, job("microchess:turns=6", seconds=0.3), first, second)
            expected = ("first", rule) if rule else ("second", other) if other else None
            found = (record.fault.player, record.fault.rule) if record.fault else None
            if found != expected:
                wrong.append(f"{first.name} against {second.name}: {expected}, not {record.fault}")
            if number % 1000 == 999:  # `pytest -s` shows how far a long soak is
                sys.stderr.write(f"{number + 1} games, {len(wrong)} wrong, {resident() - memory:+,} bytes\n")
        grown = resident() - memory
    assert wrong == []
    after = traces()
    assert {name: after[name] - before[name] for name in before} == {name: set() for name in before}
    assert grown < GROWTH
