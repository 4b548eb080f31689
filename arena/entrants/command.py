"""The command of an engine: its program found, its files staged, all of it hashed."""

import hashlib
import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.entrants.staging import stage
from arena.errors import UnknownAgent

__all__ = ["Command", "find_program", "hash_of", "read_command", "stamp_of"]

_ELF = b"\x7fELF"
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys")


@dataclass(frozen=True, slots=True)
class Command:
    """What to run: words (the program by its absolute path), folders that it reads, a hash of it all, a title.

    The hash is that of the program's bytes; where files of the command were staged, of them too.
    """

    words: tuple[str, ...]
    read: tuple[str, ...]
    hash: str
    title: str


def read_command(text: str, *, home: Path) -> Command:
    """The command written as a shell would read it. Files and folders among its words are staged like agents.

    Those of the system stay where they are; a word that names no file is left alone.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UnknownAgent(f"cannot read the command {text!r}: {error}") from error
    if not words:
        raise UnknownAgent("the command is empty")
    program = find_program(words[0])
    stages = {word: stage(Path(word).resolve(), home=home) for word in words[1:] if _is_own(word)}
    given = [str(stages[word].folder / Path(word).resolve().name) if word in stages else word for word in words[1:]]
    hashes = [hash_of(program), *(stages[word].hash for word in stages)]
    digest = hashes[0] if not stages else hashlib.sha256("\n".join(hashes).encode()).hexdigest()
    # What an interpreter runs is better known than the interpreter.
    scripts = [word for word in stages if Path(word).is_file()] if not _is_own(str(program)) else []
    title = Path(scripts[0] if scripts else words[0]).stem
    return Command((str(program), *given), tuple(str(copy.folder) for copy in stages.values()), digest, title)


def find_program(name: str) -> Path:
    """The program behind a command's first word: on the path, or among the games of Debian."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if found is None and (os.sep not in name or not os.path.lexists(name)):
        raise UnknownAgent(f"no program {name!r}; give its path, or install the package that brings it")
    path = Path(found or name).resolve()
    if not path.is_file():
        raise UnknownAgent(f"{name!r} is no file, so no program")
    if found is None:
        raise UnknownAgent(f"{name!r} cannot be executed (chmod +x)")
    with path.open("rb") as opened:
        start = opened.read(len(_ELF))
    if start.startswith(b"#!"):
        raise UnknownAgent(f"{name} is a script, which would start a second program: name its interpreter first")
    if start != _ELF:
        raise UnknownAgent(f"{name!r} is no program that this machine can run")
    return path


def hash_of(program: Path) -> str:
    """The SHA-256 of a program's bytes."""
    with program.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def stamp_of(program: Path) -> str:
    """What tells that a file has been changed or replaced since."""
    found = program.stat()
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def _is_own(word: str) -> bool:
    """Whether a word names a file that is not part of the system."""
    path = Path(word)
    try:
        if word.startswith("-") or not path.exists():
            return False
    except (OSError, ValueError):  # too long for a name, a null byte
        return False
    return not any(path.resolve().is_relative_to(place) for place in _SYSTEM)
