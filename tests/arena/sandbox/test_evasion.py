"""Former ways around a limit, which are closed."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Fault
from arena.process.channels import AgentProcess
from arena.process.spawned_process import SpawnedProcess
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord

Contest = Callable[..., GameRecord]


@pytest.fixture
def play_against_us(contest: Contest, faulty: Path) -> Callable[..., GameRecord]:
    def play(agent: str, opponent: Any = None, **how: Any) -> GameRecord:
        how = {"rules": Rules(), "charge": "fair", "game": "microchess:turns=2", "seconds": 20.0} | how
        return contest(f"{faulty}/hostile_evasion.py:{agent}", opponent or ScriptedPlayer(), **how)

    return play


def test_a_player_cannot_splice_into_the_pipe_that_the_referee_reads(
    play_against_us: Callable[..., GameRecord],
) -> None:
    record = play_against_us("SplicesIntoItsOutput")
    assert record.fault is None
    assert record.output_first == "spliced [-1, -1] 38\n"


def test_a_thread_that_could_not_be_stopped_counts_as_a_process(play_against_us: Callable[..., GameRecord]) -> None:
    fault = play_against_us("VforksAThread").fault
    assert fault is not None
    assert (fault.rule, "called clone(" in fault.detail) == ("process", True)


def test_read_only_memory_is_counted_too(play_against_us: Callable[..., GameRecord]) -> None:
    fault = play_against_us("HoldsReadOnlyMemory", rules=Rules(memory=256 << 20)).fault
    assert fault is not None
    assert (fault.rule, fault.detail) == ("memory", "used more than 256 MB")


def test_a_player_that_does_not_read_its_requests_breaks_the_protocol() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    process = AgentProcess(SpawnedProcess(os.getpid(), ours, reading))

    def ask_for_ever() -> None:
        for _ in range(1000):  # a player that only peeks at its requests leaves them in the socket
            process.send("act", {"moves": ["d2d3"] * 500})

    with pytest.raises(Fault) as caught:
        ask_for_ever()
    assert (caught.value.rule, caught.value.detail) == ("protocol", "replied to requests without reading them")
    for end in (ours, theirs):
        end.close()
    os.close(reading)
    os.close(writing)


def test_variables_of_the_users_shell_are_not_in_a_players_memory(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    assert play_against_us("LooksForVariables").output_first == "found False False\n"


def test_a_player_that_cannot_be_stopped_loses(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.process.child_process._STOP_SECONDS", -1.0)
    monkeypatch.setattr("arena.process.child_process.os.waitid", lambda *_: None)
    fault = play_against_us("LooksForVariables").fault
    assert fault is not None
    assert (fault.rule, fault.detail, fault.phase) == ("pondering", "could not be stopped after its answer", "load")
