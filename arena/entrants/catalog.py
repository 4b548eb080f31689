"""Descriptions of the bundled agents and of the engine protocols. Agents are read as text, not imported."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents import names
from agents.names import ENGINES, NAMES, SPECIALISTS
from arena.entrants.engines import games_of

__all__ = ["Description", "EngineDescription", "bundled", "engines", "option_names"]

_AGENTS: Final = Path(names.__file__).parent
_EXAMPLES: Final = {
    "stockfish": "stockfish:level=5,nodes=1000",
    "uci": 'uci:command="gnuchess --uci"',
    "gtp": 'gtp:command="gnugo --mode gtp"',
    "gomocup": "gomocup:command=./my_brain",
    "nboard": "nboard:command=./my_engine,depth=10",
    "nypc": "nypc:command=./my_bot",
    "json": 'json:command="node my_bot.js"',
}


@dataclass(frozen=True, slots=True)
class Description:
    """A bundled agent: its name, dotted path, options with their defaults, its only game if any, and one line."""

    name: str
    path: str
    options: str
    game: str
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
        if name == "human":
            yield Description(name, path, "", "", "You, at the terminal; only in `arena play`.")
        else:
            yield _describe(name, path)


def _describe(name: str, path: str) -> Description:
    found = _find_class(*path.rsplit(".", 1))
    assert found is not None
    summary = (ast.get_docstring(found.node) or "").partition("\n")[0]
    game = SPECIALISTS.get(".".join(path.split(".")[:2]), "")
    return Description(name, path, _options(found), game, summary)


def option_names(path: str) -> list[str] | None:
    """The options of the bundled agent with this dotted path; None if there is no such class or it is not known."""
    found = _find_class(*path.rsplit(".", 1))
    if found is None:
        return None
    names: set[str] = set()
    for node in (node for each in _with_bases(found) for node in each.node.body):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            names |= {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
    return sorted(names - {"self", "name", "color"})


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
    nodes = [node for each in _with_bases(found) for node in each.node.body]
    limits = next((_limits(node) for node in nodes if isinstance(node, ast.AnnAssign) and _limits(node)), {})
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return ", ".join(_defaults(node.args, limits))
    return ""


def _with_bases(found: _Class) -> list[_Class]:
    """The class and its base classes, in the order in which Python looks for a method."""
    bases = (_find_class(found.module, base.id) for base in found.node.bases if isinstance(base, ast.Name))
    above = [each for base in bases if base is not None for each in _with_bases(base)]
    # A base that several classes share comes after all of them.
    kept = {(each.module, each.node.name): each for each in reversed(above)}
    return [found, *reversed(kept.values())]


def _limits(node: ast.AnnAssign) -> dict[str, object]:
    """The values of `default_limits`, which hold if no option limits a move; empty for other assignments."""
    if not isinstance(node.target, ast.Name) or node.target.id != "default_limits" or node.value is None:
        return {}
    limits = ast.literal_eval(node.value)
    assert isinstance(limits, dict)
    return limits


def _defaults(arguments: ast.arguments, limits: Mapping[str, object]) -> Iterator[str]:
    positional = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for argument, default in [*zip(positional, arguments.defaults, strict=True), *keywords]:
        if default is not None:
            value = ast.unparse(default).replace("'", "")
            value = str(limits.get(argument.arg, "")) if value == "None" else value
            yield f"{argument.arg}={value}" if value else argument.arg
