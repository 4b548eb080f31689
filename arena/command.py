"""The command of an engine: its program found, its files staged, all of it hashed."""

import hashlib
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UnknownAgent
from arena.staging import content_hash, stage

__all__ = ["Command", "find_program", "read_command"]

_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys")


@dataclass(frozen=True, slots=True)
class Command:
    """What to run: words (the program by its absolute path), folders that it reads, a hash of it all, a title."""

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
    hashes = [content_hash(program), *(stages[word].hash for word in stages)]
    digest = hashes[0] if not stages else hashlib.sha256("\n".join(hashes).encode()).hexdigest()
    title = Path(next(iter(stages), words[0])).stem
    return Command((str(program), *given), tuple(str(copy.folder) for copy in stages.values()), digest, title)


def find_program(name: str) -> Path:
    """The program behind a command's first word: on the path, or among the games of Debian."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if found is None:
        raise UnknownAgent(f"no program {name!r}; give its path, or install the package that brings it")
    path = Path(found).resolve()
    with path.open("rb") as opened:
        if opened.read(2) == b"#!":
            raise UnknownAgent(f"{name} is a script, which would start a second program: name its interpreter first")
    return path


def _is_own(word: str) -> bool:
    """Whether a word names a file that is not part of the system."""
    path = Path(word)
    if word.startswith("-") or not path.exists():
        return False
    return not any(path.resolve().is_relative_to(place) for place in _SYSTEM)
