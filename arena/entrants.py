"""What people write to name an agent, and what it stands for. Nothing of an agent is imported here."""

import difflib
import functools
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agents import names
from agents.names import NAMES
from arena.errors import UnknownAgent
from arena.staging import content_hash, stage
from arena.version import version
from games.base import Parameters, join_parameters, split_parameters
from results.record import EntrantRecord

__all__ = ["HUMAN", "Entrant", "resolve", "resolve_all"]

HUMAN: Final = NAMES["human"]
_SEAT_KEYS: Final = frozenset({"threads", "memory", "needs", "read", "trusted"})
_BUNDLED: Final = Path(names.__file__).parent


@dataclass(frozen=True, slots=True)
class Entrant:
    """A line of a league: its name there, and how a child process finds the agent."""

    name: str
    agent: str
    path: str
    stage: Path | None
    options: Parameters
    version: str
    hash: str

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.path == HUMAN

    @property
    def is_bundled(self) -> bool:
        """Whether it came with the arena."""
        return self.path.startswith("agents.") and self.stage is None

    def record(self) -> EntrantRecord:
        """The entrant as it is stored."""
        return EntrantRecord(self.name, self.agent, self.version, self.hash, dict(self.options))


def resolve_all(texts: Sequence[str], *, home: Path) -> tuple[Entrant, ...]:
    """All entrants of a league; a name that comes again gets a number."""
    entrants: list[Entrant] = []
    taken: set[str] = set()
    for text in texts:
        entrant = resolve(text, home=home)
        name, number = entrant.name, 1
        while name in taken:
            number += 1
            name = f"{entrant.name}#{number}"
        taken.add(name)
        entrants.append(replace(entrant, name=name))
    return tuple(entrants)


def resolve(text: str, *, home: Path) -> Entrant:
    """Find the agent written `name:key=value,…`: a short name, a dotted path, a file or a folder."""
    where, options = split_parameters(text)
    if reserved := sorted(_SEAT_KEYS & options.keys()):
        raise UnknownAgent(f"{text!r}: {', '.join(reserved)} cannot be set in this version")
    if not text.isprintable():
        raise UnknownAgent(f"{text!r} is no name of an agent")
    path, _, class_name = where.partition(":")
    if path in NAMES or (path.startswith("agents.") and path.count(".") > 1):
        if class_name:
            raise UnknownAgent(f"{text!r}: write options as {path}:key=value")
        return _bundled(text, NAMES.get(path, path), options)
    if path.endswith((".py", "/")) or os.sep in path or path in {".", ".."}:
        return _staged(text, Path(path), class_name, options, home=home)
    if "." in path:
        return _dotted(text, where, options, home=home)
    raise UnknownAgent(_unknown(path))


def _bundled(text: str, path: str, options: Parameters) -> Entrant:
    if path != HUMAN:
        module = _BUNDLED.joinpath(*path.split(".")[1:-1]).with_suffix(".py")
        if not module.is_file():
            raise UnknownAgent(f"no agent at {path!r}: `arena agents` lists those that there are")
    return Entrant(text, text, path, None, options, version(), _bundled_hash())


def _staged(text: str, source: Path, class_name: str, options: Parameters, *, home: Path) -> Entrant:
    if not source.exists():
        raise UnknownAgent(f"no file or folder {str(source)!r}")
    source = source.resolve()
    entry = _entry(source)
    copy = stage(source, home=home)
    name = join_parameters(class_name or source.stem, options)
    path = f"{entry}:{class_name}" if class_name else entry
    return Entrant(name, text, path, copy.folder, options, "", copy.hash)


def _entry(source: Path) -> str:
    """The file below the stage that holds the agent."""
    if not source.is_dir():
        return source.name
    modules = sorted(path.name for path in source.glob("*.py"))
    for likely in ("__init__.py", "agent.py"):
        if likely in modules:
            return f"{source.name}/{likely}"
    if len(modules) != 1:
        raise UnknownAgent(f"{source} needs an __init__.py, an agent.py or just one module; it has {len(modules)}")
    return f"{source.name}/{modules[0]}"


def _dotted(text: str, path: str, options: Parameters, *, home: Path) -> Entrant:
    top = path.partition(".")[0]
    if not path.replace(".", "").replace(":", "").isidentifier():
        raise UnknownAgent(f"{path!r} is no dotted path")
    if (local := next(_found(top, [str(Path.cwd())]), None)) is not None:
        copy = stage(local, home=home)
        return Entrant(text, text, path, copy.folder, options, "", copy.hash)
    if (installed := next(_found(top, sys.path), None)) is not None:
        return Entrant(text, text, path, None, options, "", content_hash(installed))
    raise UnknownAgent(f"no module {top!r} here or on the path of Python, so no agent at {path!r}")


def _found(top: str, folders: Sequence[str]) -> Iterator[Path]:
    """Where a top-level module or package lies, found by looking, not by importing."""
    for folder in folders:
        for candidate in (Path(folder) / top, Path(folder) / f"{top}.py"):
            if candidate.is_file() if candidate.suffix else candidate.is_dir():
                yield candidate


def _unknown(path: str) -> str:
    if Path(f"{path}.py").is_file():
        return f"no agent called {path!r}; for the file beside you write ./{path}.py"
    if Path(path).is_dir():
        return f"no agent called {path!r}; for the folder beside you write ./{path}/"
    near = difflib.get_close_matches(path, NAMES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(NAMES)}, dotted paths, files and folders"
    return f"no agent called {path!r}; {hint}"


@functools.cache
def _bundled_hash() -> str:
    return content_hash(_BUNDLED)
