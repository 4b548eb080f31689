"""`arena doctor`, and what other commands do on a machine without a sandbox."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.competition.doctor import PROBES, Denial, Diagnosis, diagnose
from arena.sandbox import level, linux
from arena.sandbox.launch import Rules

WITHOUT_LANDLOCK = (
    "import arena.sandbox.linux as linux; linux.landlock_abi = lambda: 0; from arena.__main__ import main; main()"
)


def without_landlock(arena: Any, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `arena` like on a Linux kernel without Landlock."""
    return subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT_LANDLOCK, *words], cwd=arena.folder, env=arena.environment,
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_every_denial_is_proven_here(arena: Any) -> None:
    ran = arena("doctor", "--json")
    found = json.loads(ran.out)
    assert [denial for denial in found["denials"] if not denial["proven"]] == []
    assert (ran.code, found["fit"], found["proven"]) == (0, True, len(PROBES))
    assert found["landlock"] == linux.landlock_abi()
    assert {denial["rule"] for denial in found["denials"]} >= {"file", "network", "process", "tamper", "memory"}


def test_the_table_starts_with_the_brief_line(arena: Any) -> None:
    table, brief = arena("doctor"), arena("doctor", "--brief")
    assert (table.code, brief.code) == (0, 0)
    assert brief.out.count("\n") == 1
    assert table.out.startswith(brief.out)
    stopped = f"{len(PROBES)} of {len(PROBES)} forbidden actions were stopped"
    assert f"{stopped}, kernels of chess, go, gomoku, microchess, " in brief.out
    assert table.out.count(" yes\n") == len(PROBES)


@pytest.mark.parametrize(
    ("rules", "unproven"),
    [
        (Rules(seccomp=False), {"chmod", "socket", "fork", "ptrace", "peek", "priority", "threads", "ponder"}),
        (Rules(landlock=False), {"read_quietly"}),
        (Rules(seccomp=False, landlock=False), {"read", "write", "list", "exec", "kill"}),
    ],
)
def test_probes_succeed_without_the_part_of_the_sandbox_that_stops_them(rules: Rules, unproven: set[str]) -> None:
    found = diagnose(rules)
    assert {denial.probe.name for denial in found.denials if not denial.is_proven} >= unproven
    assert not found.is_fit


def test_doctor_leaves_nothing_behind(arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    assert arena("doctor", "--brief").code == 0
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not (tmp_path / "home").exists()


def test_the_hostile_agent_has_a_method_for_every_probe() -> None:
    source = Path(level.__file__).with_name("hostile.py").read_text()
    assert {f"try_{probe.name}" for probe in PROBES} == {
        line.split("(")[0].removeprefix("    def ") for line in source.splitlines() if line.startswith("    def try_")
    }


def test_a_machine_with_an_unproven_denial_is_not_fit() -> None:
    proven = Denial(PROBES[0], True)
    assert Diagnosis("full", 7, (proven,)).is_fit
    assert Diagnosis("reduced", 4, (proven,)).is_fit
    assert not Diagnosis("full", 7, (proven, Denial(PROBES[1], False, "nothing stopped it"))).is_fit
    assert not Diagnosis("none", 0, ()).is_fit


def test_doctor_fails_without_landlock(arena: Any) -> None:
    ran = without_landlock(arena, "doctor")
    assert ran.returncode == 1
    assert "sandbox none (no Landlock), 0 of " in ran.stdout
    assert ran.stdout.count(" NO: ") == len(PROBES)
    assert "a league is refused" in ran.stdout
    assert ran.stderr == ""
    assert without_landlock(arena, "doctor", "--brief").stdout.count("\n") == 1


@pytest.mark.parametrize("words", [["league", "random", "first_move"], ["play", "random", "random"]])
def test_a_league_without_landlock_is_refused_in_one_line(arena: Any, words: list[str]) -> None:
    ran = without_landlock(arena, *words, "--turns", "4")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("arena: this machine cannot confine agents")
    assert "trust-agents" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_trusted_agents_run_without_landlock_and_the_records_show_it(arena: Any) -> None:
    ran = without_landlock(arena, "league", "random", "first_move", "--turns", "4", "--trust-agents", "--json")
    assert ran.returncode == 0
    assert "agents are trusted: they run without the sandbox" in ran.stderr
    *games, _ = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [game["sandbox"] for game in games] == ["none", "none"]
    assert "The players were trusted" in arena("why", "1").out


@pytest.mark.parametrize("words", [["check", "random"], ["submit", "mine.py"]])
def test_no_agent_is_checked_without_a_sandbox(arena: Any, words: list[str]) -> None:
    marker = arena.folder / "marker"
    (arena.folder / "mine.py").write_text(f"open({str(marker)!r}, 'w')")
    ran = without_landlock(arena, *words)
    assert ran.returncode == 2
    assert "no agent can be checked" in ran.stderr
    assert not marker.exists()


def test_a_record_contains_the_level_of_the_sandbox(arena: Any) -> None:
    (game,) = arena("play", "random", "first_move", "--turns", "4", "--json").json
    assert game["sandbox"] == level.level()
