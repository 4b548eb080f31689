"""Proves that the tests of the sandbox would fail without it: each layer is switched off once."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord

Contest = Callable[..., GameRecord]

NAKED = Rules(landlock=False, seccomp=False)
NO_FILTER = Rules(seccomp=False)
READS = ["ReadsPasswords", "ReadsThroughFolder", "ListsRoot", "ListsStages", "ListsFolderAbove"]
NETWORK = [
    "ConnectsTcp", "ConnectsTcp6", "SendsUdp", "Listens", "TalksAbstractly", "LooksUpName", "OpensSocketByNumber",
    "OpensNetlink",
]  # fmt: skip


@pytest.mark.parametrize("agent", READS)
def test_without_the_sandbox_files_are_read(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_files.py:{agent}", ScriptedPlayer(), rules=NAKED, game="microchess:turns=1")
    assert record.fault is None
    assert record.output_first.startswith("learnt ")


def test_without_the_sandbox_the_database_is_written(contest: Contest, faulty: Path, tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    database.write_text("all results")
    for agent in ("ReadsPath", "AppendsPath", "WritesPath", "ChangesMode", "ChangesTimes", "Truncates", "Removes"):
        record = contest(
            f"{faulty}/hostile_files.py:{agent}:path={database}", ScriptedPlayer(), rules=NAKED,
            game="microchess:turns=1",
        )  # fmt: skip
        assert record.fault is None, agent
    assert not database.exists()


@pytest.mark.parametrize(
    "agent", ["ReadsPasswords", "ReadsShadowByNumber", "ListsRoot", "WritesTmp", "WritesOwnSource"]
)
def test_landlock_alone_refuses_files(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_files.py:{agent}", ScriptedPlayer(), rules=NO_FILTER)
    assert record.fault is not None
    assert record.fault.rule == "exception"
    assert f"[Errno {errno.EACCES}]" in record.fault.detail
    assert "learnt" not in record.output_first
    assert not Path("/tmp/hostile-was-here").exists()


def test_landlock_alone_refuses_a_link_out_of_the_scratch_folder(contest: Contest, faulty: Path) -> None:
    record = contest(
        f"{faulty}/hostile_files.py:SymlinksFromScratch", ScriptedPlayer(),
        rules=Rules(seccomp=False, scratch=1 << 20), game="microchess:turns=1",
    )  # fmt: skip
    assert record.output_first == f"linked\nrefused {errno.EACCES}\n"


def test_the_notification_alone_names_the_fault(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/hostile_files.py:ReadsPasswords", ScriptedPlayer(), rules=Rules(landlock=False))
    assert record.fault is not None
    assert record.fault.rule == "file"


@pytest.mark.parametrize("agent", NETWORK)
def test_without_the_filter_the_network_can_be_used(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_network.py:{agent}", ScriptedPlayer(), rules=NAKED, game="microchess:turns=1")
    assert record.fault is None
    assert record.output_first == "reached\n"


@pytest.mark.parametrize("agent", ["Unshares", "HidesFromInspection", "LimitsItself", "MakesSharedMemory"])
def test_without_the_filter_tampering_goes_unnoticed(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_tamper.py:{agent}", ScriptedPlayer(), rules=NAKED, game="microchess:turns=1")
    assert record.fault is None


@pytest.mark.parametrize("agent", ["Forks", "StartsSession", "RunsProgram"])
def test_without_the_filter_processes_start(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_processes.py:{agent}", ScriptedPlayer(), rules=NAKED, game="microchess:turns=1")
    assert record.fault is None or record.fault.rule != "process"
