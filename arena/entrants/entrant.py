"""What people write to name an agent, and what it stands for. Nothing of an agent is imported here."""

import difflib
import functools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from agents import names
from agents.names import ENGINES, NAMES
from arena.entrants.command import read_command, stamp_of
from arena.entrants.size import check_memory, read_size
from arena.entrants.staging import content_hash, entry, stage, stage_of
from arena.entrants.submissions import Submission, Submissions
from arena.errors import UnknownAgent
from arena.version import version
from games.base import Parameters, join_parameters, split_parameters
from results.record import EntrantRecord

__all__ = ["HUMAN", "LIBRARIES", "Entrant", "Grants", "recall", "resolve", "resolve_all"]

#: Heavy libraries that an entrant may declare, so that they are loaded before its process is forked.
LIBRARIES: Final = ("numpy", "onnxruntime", "scipy", "torch")

HUMAN: Final = NAMES["human"]
#: The earlier platform's name for it.
_STOCKFISH: Final = "agents.stockfish.agent.Stockfish"
_PROTOCOL: Final = "protocol:"
_ENGINE_KEYS: Final = frozenset({"read", "trusted"})
_BUNDLED: Final = Path(names.__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """What an entrant is given beside its options: threads, bytes of memory (None: as all), libraries loaded ahead.

    An engine also: places that it may read, and the organiser's trust.
    """

    threads: int | None = None
    memory: int | None = None
    needs: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    trusted: bool = False

    def as_dict(self) -> dict[str, int | str]:
        """Those that are given, as they are stored."""
        given: dict[str, int | str | None] = {
            "threads": self.threads,
            "memory": self.memory,
            "needs": " ".join(self.needs) or None,
            "read": os.pathsep.join(self.read) or None,
            "trusted": "yes" if self.trusted else None,
        }
        return {key: value for key, value in given.items() if value is not None}

    @classmethod
    def of(cls, stored: Mapping[str, int | str]) -> Self:
        """What `as_dict` wrote."""
        threads, memory = stored.get("threads"), stored.get("memory")
        return cls(
            threads=None if threads is None else int(threads), memory=None if memory is None else int(memory),
            needs=tuple(str(stored.get("needs", "")).split()),
            read=tuple(filter(None, str(stored.get("read", "")).split(os.pathsep))), trusted="trusted" in stored,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entrant:
    """A line of a league: its name there, and how a child process finds the agent."""

    name: str
    agent: str
    path: str
    #: Whether its code is a staged copy, found by its hash; else it is installed where it plays.
    is_staged: bool
    options: Parameters
    version: str
    hash: str
    grants: Grants = field(default_factory=Grants)
    #: What runs an engine: its program by its absolute path, and what that is given.
    command: tuple[str, ...] = ()
    #: Its program as it was when it was hashed.
    stamp: str = ""

    @property
    def protocol(self) -> str:
        """What an engine speaks; empty for agents and people."""
        return self.path.removeprefix(_PROTOCOL) if self.path.startswith(_PROTOCOL) else ""

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.path == HUMAN

    @property
    def is_bundled(self) -> bool:
        """Whether it came with the arena."""
        return self.path.startswith("agents.") and not self.is_staged

    def record(self) -> EntrantRecord:
        """The entrant as it is stored."""
        return EntrantRecord(
            self.name, self.agent, self.version, self.hash, dict(self.options),
            path=self.path.encode("unicode_escape").decode(),  # a name of a file can hold anything
            grants=self.grants.as_dict(),
        )  # fmt: skip


def resolve_all(
    texts: Sequence[str], *, home: Path, names: Mapping[int, str] | None = None, taken: Iterable[str] = ()
) -> tuple[Entrant, ...]:
    """All entrants of a league; `names` gives some of them, by index, another name.

    A name that comes again or is taken gets a number.
    """
    entrants: list[Entrant] = []
    taken = set(taken)
    for index, text in enumerate(texts):
        entrant = resolve(text, home=home)
        entrant = replace(entrant, name=(names or {}).get(index, entrant.name))
        name, number = entrant.name, 1
        if name in taken and entrant.is_staged and not entrant.version:  # alice/agent.py and bob/agent.py
            name = f"{Path(split_parameters(text)[0].partition(':')[0]).absolute().parent.name}/{name}"
        while name in taken:
            number += 1
            name = f"{entrant.name}#{number}"
        taken.add(name)
        entrants.append(replace(entrant, name=name))
    return tuple(entrants)


def resolve(text: str, *, home: Path) -> Entrant:
    """Find the agent written `name:key=value,…`: a short or submitted name, a dotted path, a file or a folder."""
    if not text.isprintable():
        raise UnknownAgent(f"{text!r} is no name of an agent")
    where, options = split_parameters(text)
    where = "stockfish" if where == _STOCKFISH else where
    base = where.partition(":")[0]
    if where != base and base in ENGINES:
        raise UnknownAgent(f"{text!r}: write options as {base}:key=value")
    grants = _grants(text, options, is_engine=where in ENGINES)
    found = _engine(text, where, options, home=home) if where in ENGINES else _find(text, where, options, home=home)
    needs = tuple(dict.fromkeys((*found.grants.needs, *grants.needs)))
    trusted = grants.trusted or found.grants.trusted
    return replace(found, grants=replace(grants, needs=needs, read=(*found.grants.read, *grants.read), trusted=trusted))


def recall(stored: EntrantRecord, *, home: Path) -> Entrant:
    """An entrant as it was stored, with the code that it had then; bundled and installed ones with the code of today.

    Its hash is that of the code that will play.
    """
    path = stored.path.encode().decode("unicode_escape")
    if path.startswith(_PROTOCOL):  # its program is not ours to keep: it is looked for again
        return replace(resolve(stored.agent, home=home), name=stored.name)
    copy = stage_of(stored.hash, home=home)
    if copy is not None:
        digest = copy.hash
    elif path.startswith("agents."):
        digest = _bundled_hash()
    elif (installed := next(_found(path.partition(".")[0], sys.path), None)) is not None:
        digest = content_hash(installed)
    else:
        raise UnknownAgent(f"the files of {stored.name!r} are gone or changed; it cannot play as it was")
    grants = Grants.of(stored.grants)
    return Entrant(stored.name, stored.agent, path, copy is not None, stored.options, stored.version, digest, grants)


def _grants(text: str, options: dict[str, int | float | str], *, is_engine: bool) -> Grants:
    """Take the keys that belong to the seat out of the options: they never reach an agent."""
    if not is_engine and (reserved := sorted(_ENGINE_KEYS & options.keys())):
        raise UnknownAgent(f"{text!r}: {', '.join(reserved)} can be set for engines only")
    try:
        memory = read_size(str(options.pop("memory"))) if "memory" in options else None
        threads = int(options.pop("threads")) if "threads" in options else None
        check_memory(memory)
        if threads is not None and threads < 1:
            raise ValueError("at least one thread is needed")
    except ValueError as error:
        raise UnknownAgent(f"{text!r}: {error}") from error
    needs = tuple(str(options.pop("needs", "")).replace("+", " ").split())
    if unknown := [name for name in needs if name not in LIBRARIES]:
        raise UnknownAgent(f"{text!r} needs {unknown[0]!r}; known are {', '.join(LIBRARIES)} (join several with +)")
    read = tuple(str(Path(place).resolve()) for place in str(options.pop("read", "")).split(os.pathsep) if place)
    if missing := [place for place in read if not Path(place).exists()]:
        raise UnknownAgent(f"{text!r}: no file or folder {missing[0]!r} to read")
    trusted = options.pop("trusted", "no")
    if trusted not in ("yes", "no"):
        raise UnknownAgent(f"{text!r}: trusted is yes or no, not {trusted!r}")
    return Grants(threads=threads, memory=memory, needs=needs, read=read, trusted=trusted == "yes")


def _engine(text: str, protocol: str, options: Parameters, *, home: Path) -> Entrant:
    """An engine by its protocol; which program Stockfish is depends on the game and is found with it."""
    path = f"{_PROTOCOL}{protocol}"
    if protocol == "stockfish":
        return Entrant(text, text, path, False, options, "", "", Grants(trusted=True))
    if "command" not in options:
        raise UnknownAgent(f"{text!r}: say what to run, as in {protocol}:command=./my_engine")
    found = read_command(str(options["command"]), home=home)
    stamp = stamp_of(Path(found.words[0]))
    title = f"./{found.title}" if found.title in (*NAMES, *ENGINES) else found.title
    name = join_parameters(title, {key: value for key, value in options.items() if key != "command"})
    return Entrant(name, text, path, False, options, "", found.hash, Grants(read=found.read), found.words, stamp)


def _find(text: str, where: str, options: Parameters, *, home: Path) -> Entrant:
    path, _, class_name = where.partition(":")
    if path in NAMES or (path.startswith("agents.") and path.count(".") > 1):
        if class_name:
            raise UnknownAgent(f"{text!r}: write options as {path}:key=value")
        return _bundled(text, NAMES.get(path, path), options)
    if path.endswith((".py", "/")) or os.sep in path or path in {".", ".."}:
        return _staged(text, Path(path), class_name, options, home=home)
    if "." in path:
        return _dotted(text, where, options, home=home)
    submissions = Submissions(home)
    if (submission := submissions.latest(path)) is not None:
        if class_name:
            raise UnknownAgent(f"{text!r}: write options as {path}:key=value")
        return _submitted(text, submission, options, home=home)
    raise UnknownAgent(_unknown(path, [found.name for found in submissions.all_latest()]))


def _bundled(text: str, path: str, options: Parameters) -> Entrant:
    if path == HUMAN and options:
        raise UnknownAgent("people take no options")
    if path != HUMAN:
        module = _BUNDLED.joinpath(*path.split(".")[1:-1]).with_suffix(".py")
        if not module.is_file():
            raise UnknownAgent(f"no agent at {path!r}: `arena agents` lists those that there are")
    return Entrant(text, text, path, False, options, version(), _bundled_hash())


def _staged(text: str, source: Path, class_name: str, options: Parameters, *, home: Path) -> Entrant:
    if not source.exists():
        raise UnknownAgent(f"no file or folder {str(source)!r}")
    if source.is_file() and source.suffix != ".py":
        hint = f"a program is named by its protocol, as in json:command={source}"
        raise UnknownAgent(f"{str(source)!r} is no Python file; {hint}")
    stem = source.stem or source.resolve().stem
    source = source.resolve()
    file = entry(source)
    copy = stage(source, home=home)
    name = join_parameters(class_name or (f"./{stem}" if stem in NAMES else stem), options)
    path = f"{file}:{class_name}" if class_name else file
    return Entrant(name, text, path, True, options, "", copy.hash)


def _submitted(text: str, found: Submission, options: Parameters, *, home: Path) -> Entrant:
    copy = stage_of(found.hash, home=home)
    if copy is None:
        raise UnknownAgent(
            f"the files of {found.name!r} (version {found.version}) are gone or changed; submit it again"
        )
    name = join_parameters(found.name, options)
    grants = Grants(needs=found.needs)
    return Entrant(name, text, found.entry, True, options, str(found.version), found.hash, grants)


def _dotted(text: str, path: str, options: Parameters, *, home: Path) -> Entrant:
    top = path.partition(".")[0]
    if not path.replace(".", "").replace(":", "").isidentifier():
        raise UnknownAgent(f"{path!r} is no dotted path")
    if (local := next(_found(top, [str(Path.cwd())]), None)) is not None:
        copy = stage(local, home=home)
        return Entrant(text, text, path, True, options, "", copy.hash)
    if (installed := next(_found(top, sys.path), None)) is not None:
        return Entrant(text, text, path, False, options, "", content_hash(installed))
    raise UnknownAgent(f"no module {top!r} here or on the path of Python, so no agent at {path!r}")


def _found(top: str, folders: Sequence[str]) -> Iterator[Path]:
    """Where a top-level module or package lies, found by looking, not by importing."""
    for folder in folders:
        for candidate in (Path(folder) / top, Path(folder) / f"{top}.py"):
            if candidate.is_file() if candidate.suffix else candidate.is_dir():
                yield candidate


def _unknown(path: str, submitted: Sequence[str]) -> str:
    if not path:
        return "an agent needs a name"
    if Path(f"{path}.py").is_file():
        return f"no agent called {path!r}; for the file beside you write ./{path}.py"
    if Path(path).is_dir():
        return f"no agent called {path!r}; for the folder beside you write ./{path}/"
    known = [*NAMES, *ENGINES, *submitted]
    near = difflib.get_close_matches(path, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}, dotted paths, files and folders"
    return f"no agent called {path!r}; {hint}"


@functools.cache
def _bundled_hash() -> str:
    return content_hash(_BUNDLED, ending=".py")
