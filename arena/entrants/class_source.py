"""Agent classes defined in a script or a notebook cell, written as a module that can be staged."""

import ast
import builtins
import inspect
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from arena.errors import UnknownAgent

__all__ = ["source_of"]


def source_of(agent: type) -> str:
    """The text of a module with the class and the imports, functions, classes and constants that it uses.

    Raises `UnknownAgent` if the source cannot be found, or if the class uses a value that cannot be written as source.
    """
    return "\n\n".join(_Collector(agent).parts()) + "\n"


class _Collector:
    """Follows the global names that a class uses, and those that they use in turn."""

    def __init__(self, agent: type) -> None:
        self._agent = agent
        self._namespace: Mapping[str, Any] = vars(sys.modules[agent.__module__])
        self._imports: list[str] = []
        self._constants: list[str] = []
        self._definitions: list[str] = []
        self._seen: set[str] = set()

    def parts(self) -> Iterator[str]:
        self._seen.add(self._agent.__name__)
        self._define(self._agent)
        if self._imports:
            yield "\n".join(sorted(set(self._imports)))
        if self._constants:
            yield "\n".join(self._constants)
        yield from self._definitions

    def _define(self, thing: type | FunctionType) -> None:
        node, source = _definition(thing)
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        assigned = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        for name in dict.fromkeys(name.id for name in names):
            if name not in self._seen and name in self._namespace:
                self._seen.add(name)
                self._add(name, self._namespace[name], is_local=name in assigned)
        self._imports += _submodules(node, self._namespace)
        self._definitions.append(source)

    def _add(self, name: str, value: Any, *, is_local: bool) -> None:
        own = self._agent.__module__
        if isinstance(value, ModuleType):
            self._imports.append(_import(value.__name__, name))
        elif isinstance(value, type | FunctionType) and value.__module__ == own:
            self._define(value)
        elif (statement := _import_from(value, own)) is not None:
            self._imports.append(statement if statement.endswith(f" {name}") else f"{statement} as {name}")
        elif _is_literal(value):
            self._constants.append(f"{name} = {value!r}")
        elif not is_local and not hasattr(builtins, name):
            raise UnknownAgent(
                f"{self._agent.__name__} uses {name!r}, a {type(value).__name__} that cannot be written as source; "
                f"create it inside the class, or write the agent into a file of its own"
            )


def _definition(thing: type | FunctionType) -> tuple[ast.stmt, str]:
    """The definition of a class or function: its syntax tree and its source."""
    wanted = ast.ClassDef if isinstance(thing, type) else ast.FunctionDef
    for lines in _files(thing):
        source = "".join(lines)
        try:
            statements = ast.parse(source).body
        except SyntaxError:  # a notebook cell with magic commands
            continue
        # Of several definitions the last one counts.
        for node in reversed(statements):
            if isinstance(node, wanted) and node.name == thing.__name__:
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                return node, "".join(lines[first - 1 : node.end_lineno]).rstrip("\n")
    kind = "class" if isinstance(thing, type) else "function"
    raise UnknownAgent(
        f"the source of {kind} {thing.__qualname__} cannot be found; "
        f"define it at the top level of a script, a module or a notebook cell, or write it into a file"
    )


def _files(thing: type | FunctionType) -> Iterator[list[str]]:
    """The lines of each file or notebook cell that may contain the definition, the most likely first."""
    functions = [thing] if isinstance(thing, FunctionType) else _functions(thing)
    names = [function.__code__.co_filename for function in functions]
    module = sys.modules.get(thing.__module__)
    if (file := getattr(module, "__file__", None)) is not None:
        names.append(file)
    # IPython keeps the cells of a notebook in linecache. A class without methods can be in any cell.
    names += [name for name in reversed(linecache.cache) if "ipykernel" in name or name.startswith("<ipython")]
    for name in dict.fromkeys(names):
        if lines := linecache.getlines(name):
            yield lines


def _functions(owner: type) -> list[FunctionType]:
    members = (getattr(value, "fget", None) or getattr(value, "__func__", value) for value in vars(owner).values())
    found = (inspect.unwrap(member) for member in members)
    return [each for each in found if isinstance(each, FunctionType) and each.__module__ == owner.__module__]


def _submodules(node: ast.AST, namespace: Mapping[str, Any]) -> list[str]:
    """Imports for `package.module` where only `package` is a global name."""
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            package = namespace.get(part.value.id)
            name = f"{package.__name__}.{part.attr}" if isinstance(package, ModuleType) else ""
            if name in sys.modules:
                found.append(f"import {name}")
    return found


def _import(module: str, name: str) -> str:
    return f"import {module}" if module == name else f"import {module} as {name}"


def _import_from(value: Any, own: str) -> str | None:
    """The import statement for a value that another module defines; None if it cannot be imported."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module in (own, "builtins") or "." in name:
        return None
    if getattr(sys.modules.get(module), name, None) is not value:
        return None
    return f"from {module} import {name}"


def _is_literal(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
