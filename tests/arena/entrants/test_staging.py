"""Stages: private copies of agents."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import staging
from arena.entrants.staging import content_hash, stage
from arena.errors import UnknownAgent


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "mine"
    (made / "inner").mkdir(parents=True)
    (made / "agent.py").write_text("a")
    (made / "inner" / "data.txt").write_text("b")
    return made


def test_a_file_is_copied_without_the_files_beside_it(tmp_path: Path, home: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    (tmp_path / "b.py").write_text("another agent")
    staged = stage(tmp_path / "a.py", home=home)
    assert [path.name for path in staged.folder.iterdir()] == ["a.py"]
    assert staged.folder.is_relative_to(home)
    assert (staged.folder / "a.py").stat().st_mode & 0o777 == 0o444


def test_a_folder_is_copied_with_its_name(folder: Path, home: Path) -> None:
    staged = stage(folder, home=home)
    assert sorted(str(path.relative_to(staged.folder)) for path in staged.folder.rglob("*.*")) == [
        "mine/agent.py", "mine/inner/data.txt",
    ]  # fmt: skip


def test_bytecode_caches_are_not_staged(folder: Path, home: Path) -> None:
    before = stage(folder, home=home)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "agent.cpython-311.pyc").write_bytes(b"different code")
    (folder / "agent.pyc").write_bytes(b"different code")
    assert stage(folder, home=home) == before


def test_the_hash_depends_on_contents_and_names(folder: Path, home: Path) -> None:
    hashes = [stage(folder, home=home).hash]
    (folder / "agent.py").write_text("changed")
    hashes.append(stage(folder, home=home).hash)
    (folder / "agent.py").rename(folder / "other.py")
    hashes.append(stage(folder, home=home).hash)
    assert len(set(hashes)) == 3


def test_the_same_content_is_staged_once(tmp_path: Path, home: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    assert stage(tmp_path / "a.py", home=home) == stage(tmp_path / "a.py", home=home)
    assert len(list((home / "stages").iterdir())) == 1


def test_a_changed_copy_is_replaced(tmp_path: Path, home: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    staged = stage(tmp_path / "a.py", home=home)
    copy = staged.folder / "a.py"
    copy.chmod(0o644)
    copy.write_text("tampered")
    assert stage(tmp_path / "a.py", home=home) == staged
    assert copy.read_text() == "a"


@pytest.mark.parametrize("kind", ["link", "pipe", "broken link", "link to a folder"])
def test_only_regular_files_are_staged(folder: Path, home: Path, kind: str) -> None:
    odd = folder / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to({"link": "/etc/passwd", "broken link": "/nowhere", "link to a folder": "/etc"}[kind])
    with pytest.raises(UnknownAgent, match=r"cannot stage .*odd"):
        stage(folder, home=home)
    assert list((home / "stages").iterdir()) == []


def test_too_many_or_too_large_files_are_an_error(folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_MOST_FILES", 1)
    with pytest.raises(UnknownAgent, match="more than 1 files"):
        stage(folder, home=home)
    monkeypatch.undo()
    monkeypatch.setattr(staging, "_MOST_BYTES", 1)
    with pytest.raises(UnknownAgent, match="MiB"):
        stage(folder, home=home)


def test_a_home_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    with pytest.raises(UnknownAgent, match="cannot stage"):
        stage(tmp_path / "a.py", home=Path("/proc/nowhere"))


def test_home_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_HOME", "/some/where")
    assert staging.home() == Path("/some/where")
    monkeypatch.delenv("ARENA_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert staging.home() == Path("/data/arena")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert staging.home() == Path.home() / ".local" / "share" / "arena"


def test_the_hash_of_a_file_depends_on_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    (tmp_path / "b.py").write_text("a")
    assert content_hash(tmp_path / "a.py") != content_hash(tmp_path / "b.py")


@pytest.fixture
def deep(arena: Any) -> Iterator[Path]:
    """A folder whose path is too long for most system calls. pytest could not remove it."""
    folder = arena.folder / "deep"
    folder.mkdir()
    (folder / "agent.py").write_text("a")
    inside = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=inside)
        deeper = os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = deeper
    os.close(inside)
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


def test_a_deep_folder_is_one_clear_line(arena: Any, deep: Path) -> None:
    ran = arena("check", "./deep")
    assert ran.code == 2
    assert ran.error == f"arena: {deep} contains folders that are more than 50 levels deep"


def test_a_link_in_place_of_an_agent_is_refused(arena: Any, faulty: Path) -> None:
    for name, target in (("mine.py", faulty / "steady.py"), ("mine", faulty / "learner"), ("mymodule", faulty)):
        (arena.folder / name).symlink_to(target)
    named = {"./mine.py": "mine.py", "./mine": "mine", "mine/": "mine", "./mine.py:LastMove": "mine.py"}
    for agent, shown in named.items():
        for command in ("check", "submit"):
            ran = arena(command, agent)
            assert ran.code == 2
            assert ran.error == f"arena: {shown!r} is a symbolic link; name the file or folder itself"
    (arena.folder / "class").mkdir()
    for name in ("mine.py", "mine"):
        (arena.folder / "class" / name).symlink_to(arena.folder / name)
    ran = arena("submit", "--all", "class")
    assert (ran.code, ran.out.count("is a symbolic link"), "0 of 2 submitted" in ran.out) == (1, 2, True)
    ran = arena("check", "mymodule.steady.LastMove")
    assert ran.error.endswith("mymodule' is a symbolic link; name the file or folder itself")


def test_a_file_that_becomes_a_link_before_it_is_copied_is_not_staged(
    folder: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = tmp_path / "mine.py", tmp_path / "theirs.py"
    theirs.write_text("secret")
    mine.touch()
    place = staging.own_path(mine)
    mine.unlink()
    mine.symlink_to(theirs)
    with pytest.raises(UnknownAgent, match=r"cannot stage .*mine\.py: it is a symbolic link"):
        staging.stage(place, home=home)
    place = staging.own_path(folder)
    shown = folder.rename(tmp_path / "other")
    folder.symlink_to(shown)
    with pytest.raises(UnknownAgent, match=r"it is a symbolic link|Not a directory"):
        staging.stage(place, home=home)
    monkeypatch.chdir(shown)
    assert staging.own_path(Path()) == shown.resolve()
    assert staging.own_path(Path("..")) == shown.resolve().parent


def test_a_hash_that_is_a_path_names_no_stage(tmp_path: Path) -> None:
    for digest in ("", "..", "/", "/etc", "0" * 63, "../stages/" + "0" * 64):
        assert staging.stage_of(digest, home=tmp_path) is None


def test_a_folder_that_becomes_a_link_while_it_is_copied_leads_nowhere(
    folder: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "inner").mkdir(exist_ok=True)
    for place in (elsewhere, folder / "inner"):
        (place / "secret.txt").write_text(f"in {place.name}")
    walk = staging._walk

    def walk_and_swap(root: Path) -> Iterator[tuple[Path, Path]]:
        found = list(walk(root))
        if root == folder and not (folder / "inner").is_symlink():
            (folder / "inner").rename(tmp_path / "aside")
            (folder / "inner").symlink_to(elsewhere)
        yield from found

    monkeypatch.setattr(staging, "_walk", walk_and_swap)
    with pytest.raises(UnknownAgent, match=r"cannot stage .*: Not a directory"):
        stage(folder, home=home)
    assert not list((home / "stages").glob("*/**/secret.txt"))
