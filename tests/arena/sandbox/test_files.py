"""Files: what a player may use, what it may not use, and what it can find."""

import errno
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.entrants.entrant import resolve
from arena.entrants.staging import stage_of
from arena.process.channels import AgentProcess
from arena.referee.scripted_player import ScriptedPlayer
from arena.sandbox.launch import Rules, Zygote
from arena.sandbox.watch import Watch
from results.record import GameRecord

Contest = Callable[..., GameRecord]

#: Agent, text that the detail must contain.
FIXED = [
    ("ReadsPasswords", "open /etc/passwd"),
    ("ReadsShadowByNumber", "open /etc/shadow"),
    ("ReadsThroughFolder", "open / "),
    ("ListsStages", "open "),
    ("ListsRoot", "open / "),
    ("ListsFolderAbove", "open "),
    ("WritesTmp", "open /tmp/hostile-was-here for writing"),
    ("WritesOwnSource", "hostile_files.py for writing"),
    ("WritesSitePackages", "hostile_was_here.pth for writing"),
    ("WritesRules", "games/base.py for writing"),
    ("WritesShm", "open /dev/shm/hostile-was-here for writing"),
    ("NamelessFile", "open /var/tmp for writing"),
    ("Creates", "open /var/tmp/hostile-was-here for writing"),
    ("MakesFolder", "mkdir(/var/tmp/hostile-was-here)"),
    ("MakesPipe", "(/var/tmp/hostile-was-here)"),
    ("Symlinks", "symlink(/var/tmp/hostile-was-here)"),
    ("ChangesModeOfOpen", "fchmod("),
    ("ReadsParentEnvironment", "/environ"),
    ("ListsParentDescriptors", "/fd"),
    ("ReadsParentMemory", "/mem for writing"),
    ("ReadsTerminal", "open /dev/console for writing"),
]
#: Agent whose option is a file of another user, text that the detail must contain.
AIMED = [
    ("ReadsPath", "open "),
    ("ReadsBeside", "/../../../"),
    ("WritesPath", " for writing"),
    ("AppendsPath", " for writing"),
    ("Truncates", "truncate("),
    ("Removes", "unlink("),
    ("Renames", "rename("),
    ("HardLinks", "link("),
    ("ChangesMode", "chmod("),
    ("ChangesOwner", "chown("),
    ("ChangesTimes", "utimensat("),
    ("ChangesAttributes", "setxattr("),
]
IN_SCRATCH = [
    ("SymlinksFromScratch", "made a link to /etc/passwd"),
    ("HardLinksFromScratch", "link("),
    ("ClimbsOutOfScratch", "/../../etc/passwd"),
]


def hostile(faulty: Path, agent: str) -> str:
    return f"{faulty}/hostile_files.py:{agent}"


def check_file_fault(record: GameRecord, words: str) -> None:
    assert record.fault is not None, record.output_first
    assert (record.fault.player, record.fault.rule) == ("first", "file")
    assert words in record.fault.detail
    assert "learnt" not in record.output_first


@pytest.mark.parametrize(("agent", "words"), FIXED)
def test_an_agent_that_uses_a_file_of_others_loses(contest: Contest, faulty: Path, agent: str, words: str) -> None:
    check_file_fault(contest(hostile(faulty, agent), ScriptedPlayer(), rules=Rules()), words)
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        assert not Path(folder, "hostile-was-here").exists()


@pytest.mark.parametrize(("agent", "words"), AIMED)
def test_the_database_is_out_of_reach(contest: Contest, faulty: Path, tmp_path: Path, agent: str, words: str) -> None:
    database = tmp_path / "arena.db"
    database.write_text("all results")
    before = database.stat()
    path = database.name if agent == "ReadsBeside" else database
    check_file_fault(contest(hostile(faulty, f"{agent}:path={path}"), ScriptedPlayer(), rules=Rules()), words)
    assert database.read_text() == "all results"
    after = database.stat()
    assert (after.st_mode, after.st_mtime, after.st_ino, after.st_nlink) == (
        before.st_mode, before.st_mtime, before.st_ino, before.st_nlink,
    )  # fmt: skip


@pytest.mark.parametrize("agent", ["ReadsPath", "ReadsBeside", "WritesPath"])
def test_the_opponents_module_is_out_of_reach(contest: Contest, faulty: Path, tmp_path: Path, agent: str) -> None:
    opponent = f"{faulty}/misbehaving.py:Honest"
    staged = stage_of(resolve(opponent, home=tmp_path / "home").hash, home=tmp_path / "home")
    assert staged is not None
    path = staged.folder / "misbehaving.py"
    assert path.is_file()
    words = path.relative_to(tmp_path) if agent == "ReadsBeside" else path
    check_file_fault(contest(hostile(faulty, f"{agent}:path={words}"), opponent, rules=Rules()), "/home/stages/")


@pytest.mark.parametrize(("agent", "words"), IN_SCRATCH)
def test_no_way_leads_out_of_the_scratch_folder(contest: Contest, faulty: Path, agent: str, words: str) -> None:
    check_file_fault(contest(hostile(faulty, agent), ScriptedPlayer(), rules=Rules(scratch=1 << 20)), words)


def test_the_scratch_folder_has_a_limit_and_leaves_nothing(contest: Contest, faulty: Path) -> None:
    record = contest(
        f"{faulty}/hostile_resources.py:FillsScratch", ScriptedPlayer(),
        rules=Rules(scratch=1 << 20), game="microchess:turns=1",
    )  # fmt: skip
    assert record.fault is None
    assert record.output_first == f"refused {errno.ENOSPC}\n"
    assert not Path("/dev/shm/big").exists()


def test_file_locks_are_refused_without_a_fault(contest: Contest, faulty: Path) -> None:
    record = contest(hostile(faulty, "Locks"), ScriptedPlayer(), rules=Rules(), game="microchess:turns=1")
    assert (record.fault, record.output_first) == (None, "refused\n")


def test_odd_paths_give_the_usual_errors(contest: Contest, faulty: Path) -> None:
    outside = contest(hostile(faulty, "OddPaths"), ScriptedPlayer(), rules=None, game="microchess:turns=1")
    inside = contest(hostile(faulty, "OddPaths"), ScriptedPlayer(), rules=Rules(), game="microchess:turns=1")
    assert outside.fault is None
    assert inside.fault is None
    assert inside.output_first == outside.output_first
    for number in (errno.EFAULT, errno.ENOENT, errno.ENAMETOOLONG, errno.EBADF):
        assert str(number) in inside.output_first


def test_the_odd_name_of_a_forbidden_file_is_escaped(contest: Contest, faulty: Path, tmp_path: Path) -> None:
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff%s\x1b[31m", os.O_CREAT | os.O_WRONLY))
    record = contest(hostile(faulty, f"OddNamesOfTheForbidden:path={tmp_path}"), ScriptedPlayer(), rules=Rules())
    check_file_fault(record, "%s\\x1b[31m")
    assert record.fault is not None
    assert record.fault.detail.isprintable()


def test_probes_of_honest_libraries_are_refused_and_noted(contest: Contest, faulty: Path) -> None:
    fault = contest(hostile(faulty, "ProbesThenForks"), ScriptedPlayer(), rules=Rules()).fault
    assert fault is not None
    assert fault.rule == "process"
    assert fault.evidence["stderr"].count(f" {errno.EACCES}\n") == 4
    assert re.findall(r"/\S+", fault.evidence["denied"]) == [
        "/proc/meminfo", "/proc/self/environ", "/sys/devices", "/etc/nsswitch.conf",
    ]  # fmt: skip


def test_notes_of_denials_have_an_end(contest: Contest, faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    close = Watch.close
    monkeypatch.setattr(Watch, "close", lambda watch: (notes.append(watch.refused()), close(watch)))
    record = contest(hostile(faulty, "ProbesForEver"), ScriptedPlayer(), rules=Rules(), game="microchess:turns=1")
    assert record.fault is None
    assert notes[0].count("/sys/xxx") == 100


@pytest.fixture
def zygote() -> Iterator[Zygote]:
    made = Zygote("microchess")
    yield made
    made.close()


def test_a_player_inherits_no_descriptor_and_no_privilege(zygote: Zygote, processes: Any) -> None:
    process = AgentProcess(zygote.start(None, Rules()))
    # It replies, so its lock-down is complete.
    assert process.receive(process.send("reset", {}), deadline=time.monotonic() + 600) is not None
    folder = Path(f"/proc/{process.pid}")
    status = processes(process.pid).status
    descriptors = sorted(int(entry.name) for entry in (folder / "fd").iterdir())
    where = {number: str((folder / "fd" / str(number)).readlink()) for number in descriptors}
    process.end()
    assert descriptors == [0, 1, 2, 3, 4]
    assert where[0] == "/dev/null"
    assert where[1] == where[2]
    assert where[3].startswith("socket:")
    assert where[4].startswith("/memfd:stack")
    assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    if os.getuid() == 0:  # other users cannot empty the bounding set, and gain nothing from it
        assert status["CapBnd"] == "0" * 16
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert status["Threads"] == "1"


def test_a_player_sees_five_descriptors(contest: Contest, faulty: Path) -> None:
    record = contest(f"{faulty}/hostile_tamper.py:ListsDescriptors", "random", rules=Rules(), game="microchess:turns=1")
    assert record.output_first == "[0, 1, 2, 3, 4]\n"


def test_a_player_finds_nothing_of_the_referee_or_the_opponent(
    contest: Contest, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    opponent = f"{faulty}/misbehaving.py:Honest"
    # Written backwards, so that the spy does not find its own option.
    hidden = "x" + resolve(opponent, home=tmp_path / "home").hash[15::-1]
    spy = f"{faulty}/hostile_tamper.py:LooksAround:secret={hidden}"
    for first, second in ((spy, opponent), (opponent, spy)):
        record = contest(first, second, rules=Rules(), game="microchess:turns=2")
        assert record.fault is None
        seen = record.output_first if first == spy else record.output_second
        assert "kinds []\nmodules []\nsecret []\n" in seen
        assert "SECRET_TOKEN" not in seen
        assert "'HOME'" in seen
        assert "'PATH'" not in seen
