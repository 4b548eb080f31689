"""Stages: private copies of agents, in folders named by the hash of their content. No agent code runs here."""

import errno
import hashlib
import itertools
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import UnknownAgent
from games.outside import home

__all__ = [
    "Stage", "content_hash", "entry", "home", "refuse_link", "remove_stage", "stage", "stage_folders", "stage_of",
]  # fmt: skip

_MOST_BYTES: Final = 64 << 20
_MOST_FILES: Final = 1000
_MOST_LEVELS: Final = 50
_LONGEST_NAME: Final = 200
_DIGEST: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Stage:
    """A folder that contains a copy of one module or folder, and nothing else."""

    folder: Path
    hash: str


def stage(source: Path, *, home: Path) -> Stage:
    """Copy a module or a folder into a stage. The same content is copied only once."""
    stages = home / "stages"
    try:
        stages.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=stages))
        try:
            _copy(source, draft)
            digest = content_hash(draft)
            folder = stages / digest
            if _holds(folder, digest):
                os.utime(folder)  # so that nobody takes it for one that is not needed any more
            else:
                _make_read_only(draft)
                _move(draft, folder, digest)
        finally:
            remove_stage(draft)
    except OSError as error:
        raise UnknownAgent(f"cannot stage {source} in {home} ($ARENA_HOME): {error.strerror or error}") from error
    return Stage(folder, digest)


def _holds(folder: Path, digest: str) -> bool:
    try:
        return folder.is_dir() and content_hash(folder) == digest
    except FileNotFoundError:  # another process is replacing it
        return False


def _move(draft: Path, folder: Path, digest: str) -> None:
    try:
        draft.rename(folder)
    except OSError:
        if not _holds(folder, digest):  # otherwise another process has staged the same content
            remove_stage(folder)
            draft.rename(folder)


def remove_stage(folder: Path) -> None:
    """Remove a stage with its read-only folders; what cannot be removed stays."""
    for path in [folder, *folder.rglob("*")] if folder.is_dir() else []:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)


def refuse_link(source: Path) -> None:
    """Raise `UnknownAgent` for a symbolic link: it may lead to the files of somebody else."""
    if source.is_symlink():
        raise UnknownAgent(f"{str(source)!r} is a symbolic link; name the file or folder itself")


def stage_of(digest: str, *, home: Path) -> Stage | None:
    """The stage with this hash; None if it is missing or its content has changed."""
    if _DIGEST.fullmatch(digest) is None:  # it may come from a file
        return None
    folder = home / "stages" / digest
    try:
        return Stage(folder, digest) if _holds(folder, digest) else None
    except OSError:
        return None


def stage_folders(home: Path) -> list[Path]:
    """The folders of all stages."""
    return [path for path in (home / "stages").glob("*") if _DIGEST.fullmatch(path.name) and path.is_dir()]


def entry(source: Path) -> str:
    """The path, inside the stage, of the file that contains the agent of a module or a folder."""
    if not source.is_dir():
        return source.name
    modules = sorted(path.name for path in source.glob("*.py"))
    for likely in ("__init__.py", "agent.py"):
        if likely in modules:
            return f"{source.name}/{likely}"
    if len(modules) != 1:
        raise UnknownAgent(
            f"{source} must contain __init__.py, agent.py or exactly one module; it has {len(modules)} modules"
        )
    return f"{source.name}/{modules[0]}"


def content_hash(root: Path, *, ending: str = "") -> str:
    """The hash of the relative paths and bytes of all files in a folder, or of one file.

    Only files with this ending count; bytecode caches never do.
    """
    total = hashlib.sha256()
    for path, relative in _walk(root):
        if not path.name.endswith(ending):
            continue
        data = path.read_bytes()
        total.update(f"{relative.as_posix()}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        total.update(data)
    return total.hexdigest()


def _walk(root: Path) -> Iterator[tuple[Path, Path]]:
    """The files in `root`, or `root` itself if it is a file, each with its relative path, in a fixed order."""
    if not root.is_dir():
        yield root, Path(root.name)
        return
    for path in sorted(_below(root)):
        relative = path.relative_to(root)
        is_cache = "__pycache__" in relative.parts or path.suffix == ".pyc"
        if not is_cache and (path.is_symlink() or not path.is_dir()):
            yield path, relative


def _below(root: Path) -> Iterator[Path]:
    """Everything in a folder and its folders; links are not followed. Not `rglob`, which a deep folder breaks."""
    folders = [(root, 1)]
    while folders:
        folder, level = folders.pop()
        if level > _MOST_LEVELS:
            raise UnknownAgent(f"{root} contains folders that are more than {_MOST_LEVELS} levels deep")
        with os.scandir(folder) as entries:
            for found in entries:
                yield Path(found.path)
                if found.is_dir(follow_symlinks=False):
                    folders.append((Path(found.path), level + 1))


def _copy(source: Path, draft: Path) -> None:
    # Before anything is sorted: the folder may be the root of the disk.
    if source.is_dir() and next(itertools.islice(_below(source), 10 * _MOST_FILES, None), None) is not None:
        raise _too_many_files(source)
    size = 0
    inner = Path(source.name) if source.is_dir() else Path()
    for number, (path, relative) in enumerate(_walk(source), 1):
        if number > _MOST_FILES:
            raise _too_many_files(source)
        if len(path.name) > _LONGEST_NAME:
            raise UnknownAgent(f"{source} contains a file whose name is longer than {_LONGEST_NAME} characters")
        target = draft / inner / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        size += _copy_file(path, inner / relative, target, most=_MOST_BYTES - size)


def _too_many_files(source: Path) -> UnknownAgent:
    return UnknownAgent(f"{source} contains more than {_MOST_FILES} files; remove files or use a smaller folder")


def _copy_file(path: Path, inner: Path, target: Path, *, most: int) -> int:
    """Copy a file, whose place below the folder of the source is `inner`; returns its size."""
    try:
        descriptor = _opened(path.parents[len(inner.parts) - 1], inner)
    except OSError as error:
        why = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror
        raise UnknownAgent(f"cannot stage {path}: {why}") from error
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnknownAgent(f"cannot stage {path}: it is not a regular file")
        data = opened.read(most + 1)
    if len(data) > most:
        raise UnknownAgent(f"cannot stage {path}: all files together are larger than {_MOST_BYTES >> 20} MiB")
    target.write_bytes(data)
    return len(data)


def _opened(above: Path, inner: Path) -> int:
    """A descriptor of a file below a folder. No link is followed on the way, even if somebody makes one meanwhile.

    A pipe does not block: what is checked is the file that was opened. Where the system cannot refuse links, as on
    Windows, the file is the user's own: nobody else hands in there.
    """
    if not hasattr(os, "O_NOFOLLOW"):
        return os.open(above / inner, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    folder = os.open(above, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in inner.parts[:-1]:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            folder, left = os.open(name, flags, dir_fd=folder), folder
            os.close(left)
        return os.open(inner.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    finally:
        os.close(folder)


def _make_read_only(draft: Path) -> None:
    for path in draft.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    draft.chmod(0o755)  # the owner must be able to rename it
