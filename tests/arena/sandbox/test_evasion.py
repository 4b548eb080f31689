"""Former ways around a limit, which are closed."""

import itertools
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.seat import Fault, Player
from arena.entrants.entrant import resolve
from arena.errors import Starved
from arena.process.channels import AgentProcess
from arena.process.spawned_process import SpawnedProcess
from arena.referee.players import ProcessPlayers, Setup
from arena.referee.referee import Clock, Job, play
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord, Seat

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


def test_page_tables_are_bounded(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("FillsPageTables", rules=Rules(memory=1 << 30))
    assert record.fault is None
    _, mapped, _ = record.output_first.split()
    assert int(mapped) < 10  # 8 GB and twice the memory, less what Python has mapped: tables of 20 MB at most


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


@pytest.fixture
def unstoppable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.process.child_process._STOP_SECONDS", -1.0)
    monkeypatch.setattr("arena.process.child_process.os.waitid", lambda *_: None)


@pytest.mark.usefixtures("unstoppable")
def test_a_player_that_cannot_be_stopped_and_computes_on_loses(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count()
    monkeypatch.setattr("arena.process.child_process.ChildProcess.cpu", lambda _: float(next(seconds)))
    fault = play_against_us("LooksForVariables").fault
    assert fault is not None
    assert (fault.rule, fault.detail, fault.phase) == ("pondering", "could not be stopped after its answer", "load")


@pytest.mark.usefixtures("unstoppable")
def test_a_player_that_the_machine_holds_up_after_its_answer_does_not_lose(
    play_against_us: Callable[..., GameRecord],
) -> None:
    with pytest.raises(Starved, match="could not be stopped after its answer, and used no CPU time"):
        play_against_us("LooksForVariables")


@pytest.mark.usefixtures("unstoppable")
def test_a_player_that_is_held_up_again_and_again_loses(play_against_us: Callable[..., GameRecord]) -> None:
    fault = play_against_us("LooksForVariables", charge="wall").fault
    assert fault is not None
    detail = "could not be stopped after its answer, and used no CPU time"
    assert (fault.rule, fault.detail, fault.phase) == ("pondering", detail, "load")


def test_a_player_that_should_stop_is_looked_at_less_and_less_often(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee that wakes up very often on the core of the player can keep it from running, and so from stopping."""
    pauses: list[float] = []
    answers, real = itertools.repeat(None, 10), os.waitid
    monkeypatch.setattr(
        "arena.process.child_process.os.waitid", lambda *of: None if next(answers, 1) is None else real(*of)
    )
    monkeypatch.setattr("arena.process.child_process._sleep_with_signal", pauses.append)
    play_against_us("LooksForVariables")
    assert pauses[:10] == pytest.approx([0.0002 * 2**number for number in range(8)] + [0.05] * 2)


def test_locks_of_files_are_refused(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("LocksFiles")
    assert record.fault is None
    assert record.output_first.splitlines() == ["refused EPERM"] * 6


def test_buffers_of_sockets_and_pipes_cannot_be_enlarged(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("EnlargesBuffers")
    assert record.fault is None
    assert record.output_first.splitlines() == ["refused EPERM"] * 3


def test_a_player_gets_no_handle_of_the_referee(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("TakesAHandleOfTheReferee")
    assert record.fault is None
    assert record.output_first.splitlines() == ["refused EPERM", "learnt 5"]


def test_the_number_of_sockets_is_bounded(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("HoardsSockets")
    assert record.fault is None
    (sockets, _), (_, is_small) = (line.split()[::-1] for line in record.output_first.splitlines())
    assert int(sockets) <= 32
    assert is_small == "bytes"


def test_a_thread_with_open_files_of_its_own_counts_as_a_process(play_against_us: Callable[..., GameRecord]) -> None:
    fault = play_against_us("SplitsItsFiles").fault
    assert fault is not None
    assert (fault.rule, "called clone(" in fault.detail) == ("process", True)


def test_a_thread_cannot_leave_the_table_of_open_files(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("UnsharesItsFiles")
    assert record.fault is None
    first, second = map(int, record.output_first.split())
    assert first + second <= 16  # pairs; otherwise each thread has more than that


def test_the_cpu_time_of_others_cannot_be_read(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("ReadsForeignClocks")
    assert record.fault is None
    assert record.output_first.splitlines() == ["refused EINVAL", "learnt EINVAL", "learnt True", "learnt True"]


def test_signals_that_wait_are_bounded(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("QueuesSignals")
    assert record.fault is None
    assert int(record.output_first) <= 256


def test_the_page_cache_cannot_be_observed_or_changed(play_against_us: Callable[..., GameRecord]) -> None:
    record = play_against_us("LooksIntoThePageCache")
    assert record.fault is None
    assert record.output_first.splitlines() == [
        "refused ENOTSUP", "learnt 16", "refused EPERM", "refused EPERM", "refused EINVAL", "learnt None",
    ]  # fmt: skip


def test_a_player_finds_nothing_of_its_opponents_in_its_memory(
    job: Callable[..., Job], faulty: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    names = ("steady.py:LastMove", "hostile_league.py:Dices", "hostile_files.py:OddPaths", "honest.py:Warns")
    others = [resolve(f"{faulty}/{name}", home=home) for name in names]
    curious = resolve(f"{faulty}/hostile_evasion.py:SearchesItsMemory", home=home)
    made = job("microchess:turns=2", seconds=600.0)
    with ProcessPlayers(Setup(made.game, Rules(), home=home)) as players:
        make = players.factory("fair")
        for other in 4 * others:  # all of them are forked from one process
            seats: dict[Seat, Player] = {"first": make(other, "first"), "second": make(curious, "second")}
            record = play(made, seats, Clock(made.seconds, charge="fair"), sandbox=players.level)
            # What is found besides may be pieces of its own stage that lie side by side.
            found = set(record.output_second.split())
            assert curious.hash[:16] in found
            assert found.isdisjoint(one.hash[:16] for one in others)


def test_an_exception_with_the_words_of_a_memory_error_is_an_exception(
    play_against_us: Callable[..., GameRecord],
) -> None:
    fault = play_against_us("PretendsToRunOutOfMemory").fault
    assert fault is not None
    assert fault.rule == "exception"


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}])
def test_a_path_in_any_letters_is_a_loss_in_every_locale(
    arena: Any, faulty: Path, monkeypatch: pytest.MonkeyPatch, locale: dict[str, str]
) -> None:
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    (arena.folder / "geheim-\N{BLACK CHESS KNIGHT}").write_text("secret")
    ran = arena("play", f"{faulty}/hostile_evasion.py:OpensOtherLetters:path={arena.folder}", "first_move", "--json")
    assert ran.code == 0, ran.err
    fault = ran.json[-1]["fault"]
    assert (fault["player"], fault["rule"]) == ("first", "file")
    assert "geheim-" in fault["detail"]


def test_a_call_that_we_fail_to_judge_is_a_loss(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise UnicodeEncodeError("ascii", "", 0, 1, "a letter")

    monkeypatch.setattr("arena.sandbox.watch.Watch._judge_sockets", fail)
    fault = play_against_us("EnlargesBuffers").fault
    assert fault is not None
    assert (fault.rule, "could not be judged: UnicodeEncodeError" in fault.detail) == ("network", True)


def test_no_wait_for_a_process_is_without_a_limit(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, wait4 = os.waitid, os.wait4

    def limited(kind: int, pid: int, options: int) -> Any:
        assert options & os.WNOHANG
        return wait(kind, pid, options)

    def limited4(pid: int, options: int) -> Any:
        assert options & os.WNOHANG
        return wait4(pid, options)

    monkeypatch.setattr("arena.process.child_process.os.waitid", limited)
    monkeypatch.setattr("arena.process.child_process.os.wait4", limited4)
    record = play_against_us("LooksForVariables")
    assert (record.fault, record.turns) == (None, 2)


def test_a_process_that_cannot_be_ended_does_not_hang_the_referee(
    play_against_us: Callable[..., GameRecord], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pids = []

    def never(pid: int, _options: int) -> tuple[int, int, Any]:
        pids.append(pid)
        return 0, 0, resource.getrusage(resource.RUSAGE_CHILDREN)

    monkeypatch.setattr("arena.process.child_process.os.wait4", never)
    record = play_against_us("PretendsToRunOutOfMemory")
    assert record.fault is not None
    assert (record.fault.rule, record.fault.evidence["exit"]) == ("exception", "-9")
    assert "could not be ended" in caplog.text
    monkeypatch.undo()
    for pid in pids:
        os.waitpid(pid, 0)
