"""Every hostile agent loses by the rule that it breaks, and the record says what it did."""

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.seat import RULES
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules
from results.record import GameRecord

Contest = Callable[..., GameRecord]

#: Agent, text that the detail must contain.
NETWORK = [
    ("ConnectsTcp", "socket(2, "),
    ("ConnectsTcp6", "socket(10, "),
    ("SendsUdp", "socket(2, "),
    ("Listens", "socket(2, "),
    ("TalksAbstractly", "socket(1, "),
    ("LooksUpName", "socket("),
    ("LooksUpUrl", "socket("),
    ("OpensSocketByNumber", "socket(2, 1, 0)"),
    ("OpensNetlink", "socket(16, "),
    ("OpensPackets", "socket(17, "),
    ("AddressesItsOwnSocket", "sendto("),
    ("ConnectsAsynchronously", "socket(2, "),
]
PROCESS = [
    ("Forks", "clone("),
    ("ForksInImport", "clone("),
    ("Vforks", ""),
    ("RunsProgram", ""),
    ("RunsShell", ""),
    ("SpawnsProgram", ""),
    ("BecomesProgram", "execve(/bin/true)"),
    ("BecomesOpenFile", "execveat("),
    ("UsesMultiprocessing", "clone("),
    ("UsesMultiprocessingSpawn", ""),
    ("StartsSession", "setsid("),
    ("ChangesGroup", "setpgid("),
]
SIGNALS = [
    ("KillsReferee", "kill("),
    ("KillsEverybody", "kill("),
    ("KillsItsGroup", "kill(0, 15, "),
    ("KillsSibling", "kill("),
    ("OpensProcess", "pidfd_open("),
    ("QueuesSignal", "rt_sigqueueinfo("),
    ("KillsThread", "tkill("),
    ("SignalsByFile", "fcntl("),
    ("ChoosesSignal", "fcntl("),
    ("OwnsByStructure", "fcntl("),
    ("LeasesFile", "fcntl("),
    ("WakesItselfUp", "timer_create("),
]
TAMPER = [
    ("ChoosesCores", "sched_setaffinity("),
    ("ChoosesScheduler", "sched_setscheduler("),
    ("PushesAhead", "setpriority("),
    ("PushesParentBack", "setpriority("),
    ("LimitsParent", "prlimit64("),
    ("ReadsParentLimits", "prlimit64("),
    ("LimitsItself", "prlimit64("),
    ("Unshares", "unshare("),
    ("HidesFromInspection", "prctl(4, "),
    ("OutlivesItsParent", "prctl(1, "),
    ("MakesSharedMemory", "memfd_create("),
    ("ChangesUser", "setuid("),
    ("MountsOver", "mount("),
]
TAMPERING_CALLS = [
    "add_key", "bpf", "capset", "io_uring_setup", "ioprio_set", "kcmp", "keyctl", "landlock_create_ruleset",
    "memfd_secret", "mq_open", "perf_event_open", "personality", "pidfd_getfd", "process_vm_readv",
    "process_vm_writev", "ptrace", "sched_setattr", "semget", "setns", "shmget", "userfaultfd",
]  # fmt: skip
RESOURCES = [
    ("BytearrayBomb", "memory", "MemoryError"),
    ("ListBomb", "memory", "MemoryError"),
    ("NumpyBomb", "memory", "Unable to allocate 64.0 GiB"),
    ("MapsAnonymously", "memory", "MemoryError"),
    ("ThreadBomb", "threads", "started more than 8 threads"),
    ("Crashes", "exit", "signal SIGSEGV"),
    ("Aborts", "exit", "signal SIGABRT"),
    ("Vanishes", "exit", "exit status 7"),
    ("Exits", "exception", "SystemExit: 3"),
    ("Recurses", "exception", "RecursionError"),
]
PROTOCOL = [
    ("ClosesWire", "exit", "closed its connection"),
    ("Empty", "exit", ""),
    ("SpeaksEarly", "protocol", "sent a message"),
    ("SpeaksInAdvance", "protocol", "sent a message"),
    ("WrongTag", "protocol", "answers no request"),
    ("GiantMessage", "protocol", "malformed message of 16"),
    ("LongError", "protocol", "malformed message"),
    ("Binary", "protocol", "malformed message of 264 bytes"),
    ("TagOnly", "protocol", "malformed message of 8 bytes"),
    ("Floods", "protocol", "malformed message"),
    ("FloodsInAdvance", "protocol", "sent a message"),
    ("ForgesResult", "protocol", "malformed message"),
    ("SaysDone", "protocol", "wrong kind of message"),
    ("IllegalMove", "illegal-move", "'a1a1'"),
    ("NullMove", "illegal-move", "'0000'"),
    ("OpponentsMove", "illegal-move", "'a4a3'"),
    ("BadSpelling", "illegal-move", "' A1A2 '"),
    ("ClaimsResult", "illegal-move", "'1-0'"),
    ("NoMove", "illegal-move", "'None'"),
]


def faulted(record: GameRecord) -> tuple[str, str]:
    """The rule that first broke, and the detail."""
    assert (record.result, record.reason, record.sandbox) == ("0-1", "fault", "full")
    assert record.fault is not None
    assert record.fault.player == "first"
    assert record.fault.rule in RULES
    return record.fault.rule, record.fault.detail


@pytest.fixture
def lose(contest: Contest, faulty: Path) -> Callable[..., tuple[str, str]]:
    """Let a confined hostile agent play; returns the rule by which it lost, and the detail."""

    def run(agent: str, *, rules: Rules | None = None) -> tuple[str, str]:
        return faulted(contest(f"{faulty}/{agent}", ScriptedPlayer(), rules=rules or Rules(), charge="fair"))

    return run


Lose = Callable[..., tuple[str, str]]


FORBIDDEN_CALLS = [
    (file, rule, *case)
    for file, rule, cases in (
        ("hostile_network.py", "network", NETWORK),
        ("hostile_processes.py", "process", PROCESS),
        ("hostile_processes.py", "tamper", SIGNALS),
        ("hostile_tamper.py", "tamper", TAMPER),
    )
    for case in cases
]


@pytest.mark.parametrize(("file", "rule", "agent", "words"), FORBIDDEN_CALLS)
def test_an_agent_that_makes_a_forbidden_call_loses(lose: Lose, file: str, rule: str, agent: str, words: str) -> None:
    broken, detail = lose(f"{file}:{agent}")
    assert broken == rule
    assert f"called {words}" in detail


@pytest.mark.parametrize("call", TAMPERING_CALLS)
def test_an_agent_that_attacks_the_kernel_or_other_processes_loses(lose: Lose, call: str) -> None:
    rule, detail = lose(f"hostile_tamper.py:Calls:call={call}")
    assert rule == "tamper"
    assert f"called {call}(" in detail


if platform.machine() == "x86_64":  # only this architecture has three sets of call numbers

    @pytest.mark.parametrize("agent", ["SpeaksAnotherMachine", "SpeaksX32"])
    def test_system_calls_of_another_architecture_end_the_process(lose: Lose, agent: str) -> None:
        rule, detail = lose(f"hostile_tamper.py:{agent}")
        assert rule == "exit"
        assert "signal SIGSYS" in detail


@pytest.mark.parametrize(("agent", "rule", "words"), RESOURCES)
def test_an_agent_that_uses_too_much_or_crashes_loses(lose: Lose, agent: str, rule: str, words: str) -> None:
    found, detail = lose(f"hostile_resources.py:{agent}")
    assert found == rule
    assert words in detail


@pytest.mark.parametrize(("agent", "rule", "words"), PROTOCOL)
def test_an_agent_that_breaks_the_protocol_loses(lose: Lose, agent: str, rule: str, words: str) -> None:
    found, detail = lose(f"hostile_protocol.py:{agent}")
    assert found == rule
    assert words in detail


@pytest.mark.parametrize("agent", ["EscapeMove", "EscapeError"])
def test_odd_text_in_a_move_is_escaped(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/hostile_protocol.py:{agent}", ScriptedPlayer(), rules=Rules())
    assert record.fault is not None
    assert record.fault.detail.isprintable()
    assert len(record.fault.detail) <= 500
    assert all(text.replace("\n", "").isprintable() for text in record.fault.evidence.values())


def test_odd_text_in_the_output_is_escaped(contest: Contest, faulty: Path) -> None:
    record = contest(
        f"{faulty}/hostile_protocol.py:EscapePrint", ScriptedPlayer(), rules=Rules(), game="microchess:turns=1"
    )
    assert record.fault is None
    assert record.output_first.isprintable()
    assert record.output_first.endswith(" printed")


def test_an_agent_that_ends_while_a_call_waits_for_a_decision_cannot_void_the_game(lose: Lose) -> None:
    for _ in range(10):
        rule, detail = lose("hostile_resources.py:EndsWhileItAsks")
        assert rule == "exit"
        assert "exit status 7" in detail


def test_a_fault_comes_with_evidence(contest: Contest, faulty: Path) -> None:
    fault = contest(f"{faulty}/hostile_resources.py:SpeaksBeforeItFails", ScriptedPlayer(), rules=Rules()).fault
    assert fault is not None
    assert fault.rule == "file"
    assert (fault.detail, fault.phase) == ("tried to open /etc/passwd for reading", "act")
    assert fault.evidence["stderr"] == "about to read\n"
    assert fault.evidence["denied"] == "open /proc/meminfo for reading"
    assert float(fault.evidence["cpu"]) > 0
    assert float(fault.evidence["wall"]) >= 0
    assert int(fault.evidence["peak_memory"]) > 1 << 20
    assert fault.evidence["exit"] == "-9"


def test_a_denial_in_close_is_noted_and_the_result_stands(contest: Contest, faulty: Path) -> None:
    record = contest(
        f"{faulty}/hostile_processes.py:ForksInClose", ScriptedPlayer(), rules=Rules(), game="microchess:turns=2"
    )
    assert (record.reason, record.fault) == ("turn-limit", None)
    assert [(note.player, note.rule) for note in record.notes] == [("first", "process")]


def test_a_module_body_is_confined_too(lose: Lose) -> None:
    assert lose("hostile_import_reads.py") == ("file", "tried to open /etc/passwd for reading")
