"""Many games among hostile and honest agents: all verdicts are right, and no trace is left."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agents.seat import Player
from arena.entrants.entrant import Entrant, resolve
from arena.errors import Starved
from arena.process.charge import charged
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.sandbox.launch import Rules
from games.base import load
from results.record import GameRecord, Seat

#: Games in which everything is loaded that will be; after them the referee's memory must stay the same.
WARM_UP = 150
GROWTH = 4 << 20  # bytes; what Python's memory may vary by
SECONDS = 0.3  # the time of each player
TURNS = 6
TELLS_AFTER = 500  # games; `pytest -s` shows how far a long soak is
#: A part of the long soak: how many games, and which is the first. The parts together are the same games as the whole.
GAMES = int(os.environ.get("ARENA_SOAK_GAMES", "10000"))
FIRST = int(os.environ.get("ARENA_SOAK_FIRST", "0"))

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
    ("hostile_evasion.py:UnsharesItsFiles", None),
    ("hostile_evasion.py:QueuesSignals", None),
    ("hostile_evasion.py:ReadsForeignClocks", None),
    ("hostile_evasion.py:VforksAThread", "process"),
    ("hostile_evasion.py:LooksIntoThePageCache", None),
    ("hostile_evasion.py:PretendsToRunOutOfMemory", "exception"),
    ("hostile_timing.py:Spins", "time"),
    ("hostile_timing.py:SpinsInEightThreads", "time"),
    ("hostile_timing.py:StopsItself", "time"),
    ("hostile_timing.py:SpoilsItsStack", "time"),
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


def told(text: str) -> None:
    sys.stderr.write(f"{text}\n")


@dataclass
class Soak:
    """Plays the games of a range of numbers, and notes every wrong verdict with all that is known about it."""

    players: ProcessPlayers
    entrants: Sequence[tuple[Entrant, str | None]]
    job: Callable[..., Job]
    wrong: list[str] = field(default_factory=list)
    starved: int = 0
    #: For each honest agent, the most that it was charged in a game.
    most: dict[str, float] = field(default_factory=dict)

    def play(self, numbers: range) -> Iterator[int]:
        """The numbers of the games that are over."""
        for number in numbers:
            # Every agent plays every other one in turn.
            ahead, place = divmod(number, len(self.entrants))
            (first, rule), (second, other) = self.entrants[place], self.entrants[(place + ahead) % len(self.entrants)]
            record = self._played(first, second)
            expected = ("first", rule) if rule else ("second", other) if other else None
            found = (record.fault.player, record.fault.rule) if record.fault else None
            if found != expected:
                self.wrong.append(f"game {number}, {first.name} against {second.name}: {expected}, not {shown(record)}")
                told(self.wrong[-1])
            for entrant, faults, charge in zip((first, second), (rule, other), charges(record), strict=True):
                if not faults:
                    self.most[entrant.name] = max(charge, self.most.get(entrant.name, 0.0))
            yield number

    def _played(self, first: Entrant, second: Entrant) -> GameRecord:
        """Play one game; if a busy machine withholds the CPU, play it again, as a league does."""
        make = self.players.factory("fair")
        while True:
            seats: dict[Seat, Player] = {"first": make(first, "first"), "second": make(second, "second")}
            job = self.job(f"microchess:turns={TURNS}", seconds=SECONDS)
            try:
                return play(job, seats, Clock(SECONDS, charge="fair"), sandbox=self.players.level)
            except Starved as error:
                self.starved += 1
                told(f"{first.name} against {second.name} again: {error}")

    def report(self) -> str:
        most = sorted(((charge, name) for name, charge in self.most.items()), reverse=True)[:5]
        used = ", ".join(f"{name} {charge:.3f} s" for charge, name in most)
        return f"{len(self.wrong)} wrong, {self.starved} played again; honest agents used at most {used}"


def charges(record: GameRecord) -> tuple[float, float]:
    """What first and second were charged for their moves."""
    costs = [charged("fair", wall=move.wall, cpu=move.cpu, wait=move.wait) for move in record.moves]
    return sum(costs[::2]), sum(costs[1::2])


def shown(record: GameRecord) -> str:
    """The fault of a game, its evidence, and the cost of each move."""
    moves = [f"{move.wall:.3f}/{move.cpu:.3f}/{move.wait:.3f}" for move in record.moves]
    starts = f"{record.startup_first:.3f} and {record.startup_second:.3f} s"
    costs = f"(start {starts}; moves, wall/cpu/wait: {' '.join(moves)}; unanswered {record.unanswered:.3f} s)"
    fault = record.fault
    if fault is None:
        return f"{record.result} by {record.reason} {costs}"
    return f"{fault.player} {fault.rule} in {fault.phase}, turn {fault.turn}: {fault.detail} {fault.evidence} {costs}"


@pytest.mark.xdist_group("sandbox")
@pytest.mark.parametrize(
    ("first", "games"), [(0, 300), pytest.param(FIRST, GAMES, marks=pytest.mark.soak)], ids=["short", "long"]
)
def test_many_games_leave_no_trace_and_have_the_right_verdicts(
    job: Callable[..., Job], faulty: Path, tmp_path: Path, traces: Callable[[], dict[str, set[str]]],
    first: int, games: int,
) -> None:  # fmt: skip
    entrants = [(resolve(f"{faulty}/{agent}", home=tmp_path / "home"), rule) for agent, rule in AGENTS]
    before, memory = traces(), 0
    with ProcessPlayers(
        Setup(load(f"microchess:turns={TURNS}"), Rules(scratch=1 << 20), home=tmp_path / "home")
    ) as players:
        soak = Soak(players, entrants, job)
        for number in soak.play(range(first, first + games)):
            if number == first + min(WARM_UP, games - 1):
                memory = resident()
            if (number + 1) % TELLS_AFTER == 0:
                told(f"{number + 1} games: {soak.report()}; {resident() - memory:+,} bytes")
        grown = resident() - memory
    # All at once: a wrong verdict must not hide what was left behind.
    after = traces()
    left = {name: found for name in before if (found := after[name] - before[name])}
    assert (soak.wrong, left, grown < GROWTH) == ([], {}, True), f"{soak.report()}; {left}; {grown:+,} bytes"
