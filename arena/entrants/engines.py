"""Engines: the protocols that they speak, and the commands that start them."""

import hashlib
import importlib
import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, cast

from agents.external.protocol import EngineProtocol, Starts
from arena.entrants.staging import own_path, stage
from arena.errors import UnknownAgent
from games.base import Game, Parameters

__all__ = [
    "Command", "dialect", "find_program", "games_of", "hash_of", "installed_engines", "read_command", "stamp_of",
    "starts_of",
]  # fmt: skip

#: The class of each protocol. Its module is imported when it is needed.
_PROTOCOLS: Final[Mapping[str, str]] = {
    "gomocup": "agents.external.gomocup.Gomocup",
    "gtp": "agents.external.gtp.Gtp",
    "json": "agents.external.json_lines.JsonLines",
    "nboard": "agents.external.nboard.NBoard",
    "nypc": "agents.external.nypc.Nypc",
    "stockfish": "stockfish_bridge.stockfish.Stockfish",
    "uci": "stockfish_bridge.uci.Uci",
}

#: Engines that Debian packages, by the name of the program.
_KNOWN_ENGINES: Final = ("stockfish", "fairy-stockfish", "gnuchess", "toga2", "gnugo", "gtp-rhino")
#: Where Debian installs games; often not on the path.
_GAMES_FOLDER: Final = "/usr/games"

_ELF: Final = b"\x7fELF"
_SYSTEM: Final = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys")


class _ProtocolClass(Protocol):
    games: tuple[str, ...]
    starts: Starts

    def __call__(self, game: Game, options: Parameters) -> EngineProtocol: ...


def dialect(protocol: str, game: Game, options: Parameters) -> EngineProtocol:
    """A new speaker of this protocol, for one engine process. Raises `BadParameters` for options it does not know."""
    return _protocol_class(protocol)(game, {key: value for key, value in options.items() if key != "command"})


def games_of(protocol: str) -> tuple[str, ...]:
    """The games that can be played in a protocol; empty for all games."""
    return _protocol_class(protocol).games


def starts_of(protocol: str) -> Starts:
    """The positions from which a game can start in a protocol."""
    return _protocol_class(protocol).starts


def installed_engines() -> dict[str, str]:
    """The path of each well-known engine on this machine; empty for an engine that is not installed."""
    return {name: _which(name) or "" for name in _KNOWN_ENGINES}


@dataclass(frozen=True, slots=True)
class Command:
    """How an engine is started: the arguments (first the absolute path of the program), and the folders that it reads.

    The hash is that of the program's bytes and of all staged files among the arguments. The title is a short name.
    `is_own` means that the program, or a file of its command, does not belong to the system.
    """

    arguments: tuple[str, ...]
    read: tuple[str, ...]
    hash: str
    title: str
    is_own: bool = True


def read_command(text: str, *, home: Path) -> Command:
    """The command, split like a shell splits it. Files and folders among its arguments are staged like agents.

    Files of the system are not staged; an argument that is not the name of a file stays unchanged.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UnknownAgent(f"cannot read the command {text!r}: {error}") from error
    if not words:
        raise UnknownAgent("the command of the engine is empty")
    program = find_program(words[0])
    own = {word: own_path(Path(word)) for word in words[1:] if _is_own_file(word)}
    stages = {word: stage(path, home=home) for word, path in own.items()}
    arguments = [str(stages[word].folder / own[word].name) if word in stages else word for word in words[1:]]
    hashes = [hash_of(program), *(stages[word].hash for word in stages)]
    digest = hashes[0] if not stages else hashlib.sha256("\n".join(hashes).encode()).hexdigest()
    return Command(
        (str(program), *arguments), tuple(str(copy.folder) for copy in stages.values()), digest,
        _title(words[0], program, list(stages)), is_own=_is_own_file(str(program)) or bool(stages),
    )  # fmt: skip


def _title(given: str, program: Path, own: list[str]) -> str:
    """A short name of a command: that of its script or folder if an interpreter of the system runs it."""
    if not own or _is_own_file(str(program)):
        return Path(given).stem
    source = Path(own[0]).resolve()
    if not source.is_dir():
        return source.stem
    if program.name.startswith("python") and not (source / "__main__.py").is_file():
        raise UnknownAgent(f"{own[0]!r} has no file __main__.py, which Python runs; add it, or name a file")
    return source.name


def find_program(name: str) -> Path:
    """The program that a command starts, searched on the path and in Debian's folder of games."""
    found = _which(name)
    if found is None and (os.sep not in name or not os.path.lexists(name)):
        raise UnknownAgent(f"program {name!r} not found; give its path, or install it")
    path = Path(found or name).resolve()
    if not path.is_file():
        raise UnknownAgent(f"{name!r} is not a program but a folder or a special file; give the path of the program")
    if found is None:
        raise UnknownAgent(f"{name!r} is not executable; make it executable with chmod +x")
    with path.open("rb") as opened:
        start = opened.read(len(_ELF))
    if start.startswith(b"#!"):
        raise UnknownAgent(
            f"{name} is a script, which would start a second program; write its interpreter in front of it"
        )
    if start != _ELF:
        raise UnknownAgent(f"{name!r} is not a program that this machine can run; give the path of an ELF program")
    return path


def hash_of(program: Path) -> str:
    """The SHA-256 of a program's bytes."""
    with program.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def stamp_of(program: Path) -> str:
    """A text that changes when a file is changed or replaced."""
    found = program.stat()
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def _which(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=_GAMES_FOLDER)


def _is_own_file(word: str) -> bool:
    """Whether a word is the name of a file or folder that does not belong to the system."""
    path = Path(word)
    try:
        if word.startswith("-") or not path.exists():
            return False
    except (OSError, ValueError):  # too long for a name, or with a null byte
        return False
    return not any(path.resolve().is_relative_to(place) for place in _SYSTEM)


def _protocol_class(protocol: str) -> _ProtocolClass:
    module, _, name = _PROTOCOLS[protocol].rpartition(".")
    return cast(_ProtocolClass, getattr(importlib.import_module(module), name))
