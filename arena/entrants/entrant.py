"""Entrants, and how the text that names an agent becomes one. Code of agents is not imported here."""

import difflib
import functools
import os
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from agents import names
from agents.base import BaseAgent, no_such_option
from agents.names import ENGINES, NAMES, SPECIALISTS
from arena.entrants.catalog import option_names
from arena.entrants.engines import dialect, find_program, games_of, hash_of, read_command, starts_of
from arena.entrants.grants import Grants, check_installed, take_grants
from arena.entrants.staging import content_hash, entry, own_path, refuse_link, stage, stage_of
from arena.entrants.submissions import Submission, Submissions
from arena.errors import BadSettings, UnknownAgent
from arena.version import version
from games.base import Game, Parameters, join_parameters, split_parameters
from games.base import names as game_names
from games.errors import BadParameters
from results.record import EntrantRecord

__all__ = [
    "HUMAN",
    "PROTOCOL",
    "STOCKFISH",
    "Agent",
    "Entrant",
    "bundled_hash",
    "check_class",
    "entrant_of",
    "fitted",
    "modules",
    "resolve",
    "resolve_all",
    "with_names",
]

#: An agent in the Python API: a text as on the command line, a path, or a class; or a mapping of these with options,
#: see `arena.competition.league_file.entrant_line`.
Agent: TypeAlias = str | Path | type[BaseAgent] | Mapping[str, object]

#: The path of the agent `human`.
HUMAN: Final = NAMES["human"]
#: The name of `stockfish` on the earlier platform.
STOCKFISH: Final = "agents.stockfish.agent.Stockfish"
#: The path of an engine starts with it.
PROTOCOL: Final = "protocol:"
_BUNDLED: Final = Path(names.__file__).parent


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant of a league: its name in the league, and what a child process needs to load the agent."""

    name: str
    #: The text that named the agent.
    agent: str
    path: str
    #: Whether its code is a staged copy, found by its hash; else it is installed where it plays.
    is_staged: bool
    options: Parameters
    version: str
    hash: str
    grants: Grants = field(default_factory=Grants)
    #: The arguments that start an engine, first the absolute path of its program.
    command: tuple[str, ...] = ()
    #: The SHA-256 of its program's bytes: a machine that plays the engine checks it.
    program_hash: str = ""
    #: The name of the folder that contains its file; empty for agents that are not files.
    folder: str = ""

    @property
    def protocol(self) -> str:
        """The protocol of an engine; empty for agents and people."""
        return self.path.removeprefix(PROTOCOL) if self.path.startswith(PROTOCOL) else ""

    @property
    def is_human(self) -> bool:
        """Whether a person plays."""
        return self.path == HUMAN

    @property
    def is_bundled(self) -> bool:
        """Whether the agent is part of arena."""
        return self.path.startswith("agents.") and not self.is_staged

    @property
    def is_submitted(self) -> bool:
        """Whether it is a version of a submitted agent."""
        return self.is_staged and bool(self.version)

    @property
    def is_trusted(self) -> bool:
        """Whether it is part of arena, or an engine that the organiser trusts: it does not try to cheat."""
        return self.is_bundled or self.grants.trusted

    def record(self) -> EntrantRecord:
        """The entrant in the form that is stored."""
        return EntrantRecord(
            self.name, self.agent, self.version, self.hash, dict(self.options),
            path=self.path.encode("unicode_escape").decode(),  # the name of a file can contain any character
            grants=self.grants.as_dict(),
        )  # fmt: skip


def with_names(
    entrants: Iterable[Entrant], *, names: Mapping[int, str] | None = None, taken: Iterable[str] = ()
) -> tuple[Entrant, ...]:
    """The entrants with a different name for each; `names` gives some of them, by index, a name of their own.

    A name that is already taken gets the name of the file's folder in front, or a number.
    """
    found: list[Entrant] = []
    taken = set(taken)
    for index, entrant in enumerate(entrants):
        entrant = replace(entrant, name=(names or {}).get(index, entrant.name))
        name, number = entrant.name, 1
        if name in taken and entrant.folder:  # alice/agent.py and bob/agent.py
            name = f"{entrant.folder}/{name}"
        while name in taken:
            number += 1
            name = f"{entrant.name}#{number}"
        taken.add(name)
        found.append(replace(entrant, name=name))
    return tuple(found)


def resolve_all(
    texts: Sequence[str], *, home: Path, names: Mapping[int, str] | None = None, taken: Iterable[str] = ()
) -> tuple[Entrant, ...]:
    """All entrants of a league, each with a different name; see `with_names`."""
    return with_names((resolve(text, home=home) for text in texts), names=names, taken=taken)


def entrant_of(agent: Agent, *, home: Path, text: str = "") -> Entrant:
    """The entrant for an agent. A class is staged like a file, together with everything that it uses.

    `text` is the name of a class with its options, as in `MyAgent:depth=3`.
    """
    if isinstance(agent, str | Path):
        return resolve(str(agent), home=home)
    check_class(agent)
    assert isinstance(agent, type)
    from arena.entrants.class_source import source_of  # seldom needed, slow to import

    _, options = split_parameters(text)
    grants = take_grants(text, options, is_engine=False)
    name, source = agent.__name__, source_of(agent)
    with tempfile.TemporaryDirectory(prefix="arena-class-") as folder:
        file = Path(folder) / f"{name}.py"
        file.write_text(source, encoding="utf-8")
        copy = stage(file, home=home)
    shown = join_parameters(name, options)
    return Entrant(shown, shown, f"{name}.py:{name}", True, options, "", copy.hash, grants)


def check_class(agent: object) -> None:
    """Raise `UnknownAgent` if this is not a class that can play."""
    if isinstance(agent, BaseAgent):
        raise UnknownAgent(f"give the class {type(agent).__name__}, not an object of it")
    if not isinstance(agent, type):
        raise UnknownAgent(f"an agent is a text, a path or a class, not {agent!r:.60}")
    if not issubclass(agent, BaseAgent):
        raise UnknownAgent(f"class {agent.__name__} is not an agent: it must be a subclass of BaseAgent")
    if missing := sorted(agent.__abstractmethods__):
        raise UnknownAgent(f"class {agent.__name__} has no method {missing[0]}(self, state)")


def resolve(text: str, *, home: Path) -> Entrant:
    """The entrant for `name:key=value,…`; the name is a short or submitted name, a dotted path, a file or a folder."""
    if not text.isprintable():
        raise UnknownAgent(f"{text!r} cannot name an agent: it contains characters that cannot be printed")
    where, options = split_parameters(text)
    where = "stockfish" if where == STOCKFISH else where
    base = where.partition(":")[0]
    if where != base and base in ENGINES:
        raise _class_not_allowed(text, base)
    grants = take_grants(text, options, is_engine=where in ENGINES)
    found = _engine(text, where, options, home=home) if where in ENGINES else _agent(text, where, options, home=home)
    needs = tuple(dict.fromkeys((*found.grants.needs, *grants.needs)))
    trusted = grants.trusted or found.grants.trusted
    return replace(found, grants=replace(grants, needs=needs, read=(*found.grants.read, *grants.read), trusted=trusted))


def fitted(entrant: Entrant, game: Game, *, opening_turns: int = 0, has_positions: bool = False) -> Entrant:
    """The entrant, ready to play this game. Agents stay unchanged; the game decides which program Stockfish is.

    Raises `UnknownAgent` if it cannot play the game, and `BadSettings` if it cannot start as requested.
    """
    check_installed(entrant.grants.needs, where=entrant.name)
    games = games_of(entrant.protocol) if entrant.protocol else _games_of_agent(entrant, game)
    if games and game.name not in games:
        raise UnknownAgent(f"{entrant.name} plays {' and '.join(games)}, not {game.name}")
    if not entrant.protocol:
        return entrant
    starts = starts_of(entrant.protocol)
    try:
        if entrant.protocol == "stockfish":
            entrant = _stockfish(entrant, game)
        dialect(entrant.protocol, game, entrant.options)
    except BadParameters as error:
        raise UnknownAgent(f"{entrant.name}: {error}") from error
    if has_positions and starts != "anywhere":
        raise BadSettings(
            f"{entrant.name} cannot start from a given position: its protocol has no command for it; "
            f"leave position and openings out"
        )
    if opening_turns and starts == "start":
        raise BadSettings(
            f"{entrant.name} cannot start after opening turns: its protocol has no command for it; "
            f"leave opening-turns and openings out"
        )
    return entrant


def _games_of_agent(entrant: Entrant, game: Game) -> tuple[str, ...]:
    """The games of a bundled agent that plays only some; empty for all games, and for games outside this repository."""
    package = ".".join(entrant.path.split(".")[:2])
    if not entrant.is_bundled or package not in SPECIALISTS or game.name not in game_names():
        return ()
    return (SPECIALISTS[package],)


def _engine(text: str, protocol: str, options: Parameters, *, home: Path) -> Entrant:
    """An engine, named by its protocol. The program of `stockfish` is not known before the game: see `fitted`."""
    path = f"{PROTOCOL}{protocol}"
    if protocol == "stockfish":
        return Entrant(text, text, path, False, options, "", "", Grants(trusted=True))
    if "command" not in options:
        raise UnknownAgent(f"{text!r}: the command of the engine is missing; write it as in {protocol}:command=./mine")
    found = read_command(str(options["command"]), home=home)
    program_hash = hash_of(Path(found.arguments[0]))
    # A participant's own program must not look like an agent or engine of ours; a program of the system keeps its name.
    is_ambiguous = found.is_own and found.title in (*NAMES, *ENGINES)
    title = f"./{found.title}" if is_ambiguous else found.title
    name = join_parameters(title, {key: value for key, value in options.items() if key != "command"})
    grants = Grants(read=found.read)
    return Entrant(name, text, path, False, options, "", found.hash, grants, found.arguments, program_hash)


def _stockfish(entrant: Entrant, game: Game) -> Entrant:
    from stockfish_bridge.stockfish import plan

    planned = plan(game, entrant.options)
    digest = hash_of(find_program(planned.command[0]))
    return replace(
        entrant, command=planned.command, options=planned.options, hash=digest, program_hash=digest,
        grants=replace(entrant.grants, read=(*entrant.grants.read, *planned.read)),
    )  # fmt: skip


def _agent(text: str, where: str, options: Parameters, *, home: Path) -> Entrant:
    path, _, class_name = where.partition(":")
    if path in NAMES or (path.startswith("agents.") and path.count(".") > 1):
        if class_name:
            raise _class_not_allowed(text, path)
        return _bundled(text, NAMES.get(path, path), options)
    if path.endswith((".py", "/")) or os.sep in path or path in {".", ".."}:
        return _staged(text, Path(path), class_name, options, home=home)
    if "." in path:
        return _dotted(text, where, options, home=home)
    submissions = Submissions(home)
    name, at, number = path.partition("@")
    if (submission := submissions.version(name, number) if at else submissions.latest(path)) is not None:
        if class_name:
            raise _class_not_allowed(text, path)
        return _submitted(text, submission, options, home=home)
    raise UnknownAgent(_unknown(path, [found.name for found in submissions.all_latest()]))


def _class_not_allowed(text: str, name: str) -> UnknownAgent:
    return UnknownAgent(f"{text!r}: write options as {name}:key=value")


def _bundled(text: str, path: str, options: Parameters) -> Entrant:
    if path == HUMAN and options:
        raise UnknownAgent("human takes no options")
    if path != HUMAN:
        module = _BUNDLED.joinpath(*path.split(".")[1:-1]).with_suffix(".py")
        if not module.is_file():
            raise UnknownAgent(f"unknown agent {path!r}; `arena agents` lists the bundled agents")
        known = option_names(path) if options else None
        if known is not None and (unknown := min(options.keys() - known, default="")):
            raise UnknownAgent(no_such_option(text.partition(":")[0], unknown, known))
    return Entrant(text, text, path, False, options, version(), bundled_hash())


def _staged(text: str, source: Path, class_name: str, options: Parameters, *, home: Path) -> Entrant:
    if not source.exists():
        raise UnknownAgent(f"there is no file or folder {str(source)!r}")
    if source.is_file() and source.suffix != ".py":
        hint = f"to run a program, write its protocol, as in json:command={source}"
        raise UnknownAgent(f"{str(source)!r} is not a Python file; {hint}")
    source = own_path(source)
    stem = unicodedata.normalize("NFC", source.stem)
    file = entry(source)
    copy = stage(source, home=home)
    name = join_parameters(class_name or (f"./{stem}" if stem in NAMES else stem), options)
    path = f"{file}:{class_name}" if class_name else file
    return Entrant(name, text, path, True, options, "", copy.hash, folder=source.parent.name)


def _submitted(text: str, found: Submission, options: Parameters, *, home: Path) -> Entrant:
    copy = stage_of(found.hash, home=home)
    if copy is None:
        raise UnknownAgent(
            f"the files of {found.name!r} (version {found.version}) are missing or changed; submit it again"
        )
    name = join_parameters(unicodedata.normalize("NFC", split_parameters(text)[0]), options)
    grants = Grants(needs=found.needs)
    return Entrant(name, text, found.entry, True, options, str(found.version), found.hash, grants)


def _dotted(text: str, path: str, options: Parameters, *, home: Path) -> Entrant:
    top = path.partition(".")[0]
    if not path.replace(".", "").replace(":", "").isidentifier():
        raise UnknownAgent(f"{path!r} is not a dotted path; write it as in my_package.my_module.MyAgent")
    if (local := next(modules(top, [str(Path.cwd())]), None)) is not None:
        refuse_link(local)
        copy = stage(local, home=home)
        return Entrant(text, text, path, True, options, "", copy.hash)
    if (installed := next(modules(top, sys.path), None)) is not None:
        return Entrant(text, text, path, False, options, "", content_hash(installed))
    raise UnknownAgent(f"unknown agent {path!r}: there is no module {top!r} in this folder or on Python's path")


def modules(top: str, folders: Sequence[str]) -> Iterator[Path]:
    """The files and folders of a top-level module or package, found without importing it."""
    for folder in folders:
        for candidate in (Path(folder) / top, Path(folder) / f"{top}.py"):
            if candidate.is_file() if candidate.suffix else candidate.is_dir():
                yield candidate


def _unknown(path: str, submitted: Sequence[str]) -> str:
    if not path:
        return "the name of an agent is empty; `arena agents` lists names"
    if Path(f"{path}.py").is_file():
        return f"unknown agent {path!r}; there is a file {path}.py: write ./{path}.py"
    if Path(path).is_dir():
        return f"{path!r} is a folder: write ./{path}/"
    known = [*NAMES, *ENGINES, *submitted]
    near = difflib.get_close_matches(path, known, n=1)
    if near:
        return f"unknown agent {path!r}; did you mean {near[0]!r}?"
    return f"unknown agent {path!r}; use a dotted path, a file, a folder or one of the names {', '.join(known)}"


@functools.cache
def bundled_hash() -> str:
    """The hash of all bundled agents."""
    return content_hash(_BUNDLED, ending=".py")
