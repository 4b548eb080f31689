"""The rows of the fault-or-void table that need no sandbox, with real processes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.seat import RULES, Fault
from arena.errors import Void
from arena.process import child_process
from arena.referee.scripted_player import ScriptedPlayer
from results.record import GameRecord

Contest = Callable[..., GameRecord]

#: Agent, rule it breaks, text that the detail must contain.
IN_ACT = [
    ("Hangs", "time", "no answer in time"),
    ("Sleeps", "time", "no answer in time"),
    ("SleepsThroughSignals", "time", "no answer in time"),
    ("RaisesInAct", "exception", "ValueError: no move for you"),
    ("Exits", "exception", "SystemExit: 0"),
    ("Recurses", "exception", "RecursionError"),
    ("PressesCtrlC", "exception", "KeyboardInterrupt"),
    ("Unprintable", "exception", "Nasty"),
    ("Vanishes", "exit", "exit status 7"),
    ("Crashes", "exit", "signal SIGSEGV"),
    ("ClosesWire", "exit", "closed its connection"),
    ("IllegalMove", "illegal-move", "'a1a1'"),
    ("NoMove", "illegal-move", "'None'"),
    ("ListOfMoves", "illegal-move", "[Move.from_uci("),
    ("OddText", "illegal-move", "?"),
    ("LongText", "illegal-move", ""),
    ("SpeaksUnasked", "protocol", "answers no request"),
    ("GiantMessage", "protocol", "answers no request"),
]
IN_START = [
    ("misbehaving.py:RaisesInConstructor", "exception", "load", "no constructor for you"),
    ("misbehaving.py:RaisesInReset", "exception", "reset", "no reset for you"),
    ("misbehaving.py:HangsInReset", "startup", "load or reset", "no answer in time"),
    ("misbehaving.py:SpeaksEarly", "protocol", "reset", "answers no request"),
    ("misbehaving.py:NotThere", "exception", "load", "has no class NotThere"),
    ("misbehaving.py:Honest:depth=3", "exception", "load", "Honest has no option 'depth'; it has no options"),
    ("two_agents.py", "exception", "load", "has several agent classes (One, Two)"),
    ("raises_on_import.py", "exception", "load", "does not want to be imported"),
]


@pytest.mark.parametrize(("agent", "rule", "words"), IN_ACT)
def test_an_agent_that_breaks_a_rule_in_act_loses_by_that_rule(
    contest: Contest, faulty: Path, agent: str, rule: str, words: str
) -> None:
    short = {"seconds": 0.5} if rule == "time" else {}
    record = contest(f"{faulty}/misbehaving.py:{agent}", ScriptedPlayer(), **short)
    assert record.result == "0-1"
    assert record.reason == "fault"
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("first", rule)
    assert (record.fault.phase, record.fault.turn) == ("act", record.turns + 1)
    assert words in record.fault.detail
    assert rule in RULES


@pytest.mark.parametrize(("agent", "rule", "phase", "words"), IN_START)
def test_an_agent_that_breaks_a_rule_while_starting_loses_by_that_rule(
    contest: Contest, faulty: Path, agent: str, rule: str, phase: str, words: str
) -> None:
    short = {"startup": 1.0} if rule == "startup" else {}
    record = contest(ScriptedPlayer(), f"{faulty}/{agent}", **short)
    assert (record.result, record.turns) == ("1-0", 0)
    assert record.fault is not None
    assert (record.fault.player, record.fault.rule) == ("second", rule)
    assert record.fault.phase in phase.split(" or ")  # a slow machine may still load it when its time is up
    assert record.fault.turn is None
    assert words in record.fault.detail


def test_a_fault_keeps_its_evidence(contest: Contest, faulty: Path) -> None:
    fault = contest(f"{faulty}/misbehaving.py:RaisesInAct", ScriptedPlayer()).fault
    assert fault is not None
    assert 'raise ValueError("no move for you")' in fault.evidence["traceback"]
    assert "agents/child.py" not in fault.evidence["traceback"]
    assert fault.evidence["stderr"] == "about to fail\n"
    assert float(fault.evidence["cpu"]) > 0
    assert float(fault.evidence["wall"]) >= 0
    assert int(fault.evidence["peak_memory"]) > 1 << 20
    assert fault.evidence["exit"] == "-9"


def test_an_illegal_move_keeps_the_answer_and_the_position(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/misbehaving.py:NoMove", ScriptedPlayer())
    assert record.fault is not None
    assert (record.fault.evidence["answer"], record.fault.evidence["position"]) == ("None", record.start)


def test_a_missing_class_is_evidence(contest: Contest, faulty: Path) -> None:
    fault = contest(f"{faulty}/misbehaving.py:NotThere", ScriptedPlayer()).fault
    assert fault is not None
    assert fault.evidence["no_agent"] == fault.detail == "misbehaving.py has no class NotThere"
    assert "traceback" not in fault.evidence


def test_start_up_is_not_charged(contest: Contest, faulty: Path) -> None:
    # Starting Python takes more CPU seconds than this whole budget.
    record = contest(
        f"{faulty}/misbehaving.py:Honest", ScriptedPlayer(), seconds=0.04, charge="cpu", game="microchess:turns=2"
    )
    assert record.fault is None


def test_the_text_of_an_agent_is_escaped(contest: Contest, faulty: Path) -> None:
    fault = contest(f"{faulty}/misbehaving.py:OddText", ScriptedPlayer()).fault
    assert fault is not None
    assert fault.detail.isprintable()
    assert fault.detail.isascii()


def test_a_flood_of_prints_is_harmless_and_its_end_is_kept(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/misbehaving.py:Floods", ScriptedPlayer(), game="microchess:turns=2", seconds=60)
    assert record.fault is None
    assert record.output_first.endswith("the last line\n")
    assert len(record.output_first) <= 2_000


@pytest.mark.parametrize("agent", ["ClosesOutput", "SpoilsItsState"])
def test_odd_but_honest_agents_play_on(contest: Contest, faulty: Path, agent: str) -> None:
    record = contest(f"{faulty}/misbehaving.py:{agent}", ScriptedPlayer())
    assert record.fault is None
    assert record.turns > 4


@pytest.mark.parametrize(("agent", "rule"), [("RaisesInClose", "exception"), ("HangsInClose", "time")])
def test_a_fault_in_close_is_noted_and_the_result_stands(
    contest: Contest, faulty: Path, monkeypatch: pytest.MonkeyPatch, agent: str, rule: str
) -> None:
    monkeypatch.setattr("arena.referee.agent_player.CLOSE_SECONDS", 0.3 if rule == "time" else 600.0)
    record = contest(f"{faulty}/misbehaving.py:{agent}", ScriptedPlayer(), game="microchess:turns=2")
    assert (record.reason, record.fault) == ("turn-limit", None)
    (note,) = record.notes
    assert (note.player, note.rule, note.phase, note.turn) == ("first", rule, "close", None)


def test_a_player_killed_because_the_machine_has_no_memory_is_our_failure(
    contest: Contest, faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = iter(range(100))
    monkeypatch.setattr(child_process, "_oom_kills", lambda: next(counts))
    killed = ScriptedPlayer()
    with pytest.raises(Void, match="ran out of memory"):
        contest(f"{faulty}/ended_by_kill.py", killed)
    assert killed.closed == 1


def test_a_player_killed_by_another_process_loses(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/ended_by_kill.py", ScriptedPlayer())
    assert record.fault is not None
    assert (record.fault.rule, record.fault.detail) == ("exit", "signal SIGKILL")


def test_no_process_is_left_after_faults(
    contest: Contest, faulty: Path, processes_of: Callable[[int], list[int]]
) -> None:
    for agent, _, _ in IN_ACT[:3]:
        contest(f"{faulty}/misbehaving.py:{agent}", f"{faulty}/misbehaving.py:Honest", seconds=0.1)
    assert processes_of(os.getpid()) == []


def test_a_fault_must_name_a_rule_that_exists() -> None:
    with pytest.raises(ValueError, match="there is no rule called 'rudeness'"):
        Fault("rudeness")
