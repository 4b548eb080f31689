"""Descriptions of the bundled agents and of the engine protocols. Agents are read as text, not imported."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents import names
from agents.names import ENGINES, NAMES
from arena.entrants.engines import games_of
from arena.entrants.entrant import HUMAN

__all__ = ["Description", "EngineDescription", "bundled", "engines"]

_AGENTS: Final = Path(names.__file__).parent
_EXAMPLES: Final = {
    "stockfish": "stockfish:level=5,nodes=1000",
    "uci": 'uci:command="gnuchess --uci"',
    "gtp": 'gtp:command="gnugo --mode gtp"',
    "gomocup": "gomocup:command=./my_brain",
    "nypc": "nypc:command=./my_bot",
    "json": 'json:command="node my_bot.js"',
}


@dataclass(frozen=True, slots=True)
class Description:
    """A bundled agent: its name, its dotted path, its options with their defaults, and one line about it."""

    name: str
    path: str
    options: str
    summary: str


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """A kind of engine: its name, an example of how to write it, and the games that it plays."""

    name: str
    example: str
    games: str


def engines() -> Iterator[EngineDescription]:
    """The kinds of engine that can be entrants."""
    for name in ENGINES:
        yield EngineDescription(name, _EXAMPLES[name], ", ".join(games_of(name)) or "any game")


def bundled() -> Iterator[Description]:
    """The bundled agents, in the order of `agents.names`."""
    for name, path in NAMES.items():
        if path == HUMAN:
            yield Description(name, path, "", "You, at the terminal; only in `arena play`.")
        else:
            yield _describe(name, path)


def _describe(name: str, path: str) -> Description:
    found = _find_class(*path.rsplit(".", 1))
    assert found is not None
    summary = (ast.get_docstring(found.node) or "").partition("\n")[0]
    return Description(name, path, _options(found), summary)


@dataclass(frozen=True, slots=True)
class _Class:
    """A class of the package `agents` and the module that defines it."""

    node: ast.ClassDef
    module: str


def _find_class(module: str, name: str) -> _Class | None:
    """The class that has this name in a module; a class that the module imports from `agents` is found too."""
    file = _AGENTS.joinpath(*module.split(".")[1:]).with_suffix(".py")
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _Class(node, module)
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("agents."):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _find_class(node.module, alias.name)
    return None


def _options(found: _Class) -> str:
    """The options of the constructor, its own or that of a base class."""
    for node in found.node.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return ", ".join(_defaults(node.args))
    bases = (_find_class(found.module, base.id) for base in found.node.bases if isinstance(base, ast.Name))
    return next((_options(base) for base in bases if base is not None), "")


def _defaults(arguments: ast.arguments) -> Iterator[str]:
    positional = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for argument, default in [*zip(positional, arguments.defaults, strict=True), *keywords]:
        if default is not None:
            value = ast.unparse(default).replace("'", "")
            yield argument.arg if value == "None" else f"{argument.arg}={value}"
