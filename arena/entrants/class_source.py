"""Agent classes defined in a script or a notebook cell, written as a module that can be staged.

Code is taken from its source: a class that is not what its source says is refused. Values, of global names and of
attributes of the class, are written as they are now.
"""

import ast
import builtins
import symtable
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, Final

from arena.entrants.definitions import (
    Definition,
    bound_names,
    definition_of,
    flat,
    functions_in,
    is_made,
    is_plain,
    mangled,
    statements_of,
)
from arena.entrants.written_values import ValueWriter
from arena.errors import UnknownAgent

__all__ = ["source_of"]

#: Objects of types of these modules never change: the assignment that made one makes the same again.
_UNCHANGING: Final = frozenset({"datetime", "decimal", "fractions", "functools", "operator", "pathlib", "typing"})
_ALIASES: Final = (type(list[int]), type(int | None))


def source_of(agent: type) -> str:
    """The text of a module with the class and the imports, functions, classes and values that it uses.

    Raises `UnknownAgent` if the source cannot be found, if the class was changed after its definition, or if it uses a
    value that cannot be written as source.
    """
    return _Collector(agent).text()


class _Collector:
    """Follows the global names that a class uses, and those that they use in turn."""

    def __init__(self, agent: type) -> None:
        self._agent = agent
        self._namespace: Mapping[str, Any] = vars(sys.modules[agent.__module__])
        self._writer = ValueWriter(self._name_of)
        self._parts: list[str] = []
        self._seen: set[str] = {agent.__name__}
        self._has_lazy_annotations = False

    def text(self) -> str:
        """The whole module."""
        if not self._define(self._agent):
            raise UnknownAgent(
                f"the source of class {self._agent.__qualname__} cannot be found; define it at the top level of a "
                f"script, a module or a notebook cell, or write it into a file"
            )
        future = ["from __future__ import annotations"] if self._has_lazy_annotations else []
        imports = "\n".join([*future, *sorted(self._writer.imports)])
        return "\n\n".join(filter(None, [imports, *self._parts])) + "\n"

    def _define(self, thing: type | FunctionType) -> bool:
        """Add the definition of a class or function, after everything that it uses; False if it cannot be found."""
        found = definition_of(thing)
        if found is None:
            return False
        self._has_lazy_annotations |= found.has_lazy_annotations
        self._use_all(found.node, found.text)
        self._parts.append(found.text)
        if isinstance(thing, type):
            self._check_bases(thing, found)
            self._parts += self._attributes(thing, found)
        return True

    def _use_all(self, node: ast.stmt, text: str) -> None:
        for name, is_local in _global_names(text).items():
            if name == self._agent.__name__ and self._namespace.get(name, self._agent) is not self._agent:
                raise UnknownAgent(f"{name} uses its own name, but the name now belongs to something else; rename it")
            is_special = name.startswith("__") and name.endswith("__")
            if name in self._namespace and name not in self._seen and not is_special:
                self._seen.add(name)
                self._use(name, is_local=is_local)
        self._writer.imports.update(_submodules(node, self._namespace))

    def _use(self, name: str, *, is_local: bool) -> None:
        value = self._namespace[name]
        if isinstance(value, ModuleType):
            self._writer.imports.add(_import(value.__name__, name))
        elif self._define_own(name, value):
            pass
        elif (statement := _import_from(value, name, own=self._agent.__module__)) is not None:
            self._writer.imports.add(statement)
        elif (written := self._writer.write(value)) is not None:
            self._parts.append(f"{name} = {written}")
        elif not self._copy_statement(name, value) and not is_local and not hasattr(builtins, name):
            raise UnknownAgent(
                f"{self._agent.__name__} uses {name!r}, a {type(value).__name__} that cannot be written as source; "
                f"create it inside the class, or write the agent into a file of its own"
            )

    def _define_own(self, name: str, value: Any) -> bool:
        """Define a class or function of the same script, also if it is decorated or has a second name."""
        if isinstance(value, type):
            if value.__module__ != self._agent.__module__:
                return False
            known = value.__name__
            if known == name:
                return self._define(value)
            if self._namespace.get(known) is not value:
                return False
        else:
            own = [each for each in functions_in(value) if each.__module__ == self._agent.__module__]
            original = next((each for each in own if each.__code__.co_qualname == name), None)
            if original is not None:
                return self._define(original)
            if not own or own[0] is not value or self._namespace.get(known := value.__name__) is not value:
                return False
        if known not in self._seen:
            self._seen.add(known)
            self._use(known, is_local=False)
        self._parts.append(f"{name} = {known}")
        return True

    def _copy_statement(self, name: str, value: Any) -> bool:
        """Copy the only statement that binds a name, if it makes the same value again."""
        found = [each for each in statements_of(self._agent.__module__) if name in bound_names(each.node)]
        if len({ast.unparse(each.node) for each in found}) != 1 or not _is_repeatable(value, found[0].node):
            return False
        node, text = found[0].node, found[0].text
        if isinstance(value, FunctionType) and definition_of(value) is None:  # a lambda that was changed since
            return False
        if isinstance(node, ast.ImportFrom):
            self._writer.imports.add(ast.unparse(node))
        else:
            self._use_all(node, text)
            self._parts.append(text)
        return True

    def _check_bases(self, thing: type, found: Definition) -> None:
        assert isinstance(found.node, ast.ClassDef)
        for base in found.node.bases:
            now = self._namespace.get(base.id) if isinstance(base, ast.Name) else None
            if isinstance(now, type) and now not in thing.__bases__:
                raise UnknownAgent(
                    f"{now.__name__}, the base class of {thing.__name__}, was defined again; define {thing.__name__} "
                    f"again too"
                )

    def _attributes(self, thing: type, found: Definition) -> Iterator[str]:
        """Assignments for the attributes of a class whose value is not the one in its source."""
        assert isinstance(found.node, ast.ClassDef)
        if not is_plain(thing):
            return
        body = list(flat(found.node.body))
        given = {mangled(name, thing): node for node in body for name in bound_names(node)}
        skipped = _SPECIAL | {mangled(node.name, thing) for node in body if isinstance(node, ast.ClassDef | _DEF)}
        for name, value in vars(thing).items():
            if name in skipped or isinstance(value, type | MemberDescriptorType) or any(functions_in(value)):
                continue
            if name not in given and is_made(thing, found.node):
                continue
            written, literal = self._writer.write(value), _literal(given.get(name))
            if written is None and (name not in given or literal is not None):
                raise UnknownAgent(
                    f"{thing.__name__}.{name} was set to a {type(value).__name__} after the definition of the class, "
                    f"which cannot be written as source; set it inside the class"
                )
            if written is not None and written != literal:
                yield f"{thing.__name__}.{name} = {written}"

    def _name_of(self, kind: type) -> str | None:
        """The name of a class in the written module."""
        name = kind.__name__
        if getattr(builtins, name, None) is kind:
            return name
        if self._namespace.get(name) is kind:
            if name not in self._seen:
                self._seen.add(name)
                self._use(name, is_local=False)
            return name
        if _import_from(kind, name, own=self._agent.__module__) is None:
            return None
        self._writer.imports.add(f"import {kind.__module__}")
        return f"{kind.__module__}.{name}"


_DEF: Final = ast.FunctionDef | ast.AsyncFunctionDef
#: Attributes that Python itself sets, and the text that nobody plays by.
_SPECIAL: Final = frozenset({
    "__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__hash__", "__match_args__", "__module__",
    "__orig_bases__", "__parameters__", "__qualname__", "__slots__", "__weakref__", "_abc_impl",
})  # fmt: skip


def _global_names(text: str) -> dict[str, bool]:
    """The global names that a statement uses; True for those that may be names of its own instead."""
    found: dict[str, bool] = {}
    tables = [symtable.symtable(text, "agent", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            is_outside = table.get_type() == "module" or symbol.is_global()
            is_both = table.get_type() == "class" and symbol.is_assigned()
            if symbol.is_referenced() and (is_outside or is_both):
                is_local = symbol.is_assigned() and not symbol.is_declared_global()
                found[symbol.get_name()] = found.get(symbol.get_name(), True) and is_local
    return dict(sorted(found.items()))


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


def _import_from(value: Any, name: str, *, own: str) -> str | None:
    """The import statement for a value that another module defines; None if it cannot be imported."""
    module, origin = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(origin, str) or module in (own, "builtins") or "." in origin:
        return None
    if getattr(sys.modules.get(module), origin, None) is not value:
        return None
    return f"from {module} import {origin}" + ("" if origin == name else f" as {name}")


def _is_repeatable(value: Any, node: ast.stmt) -> bool:
    """Whether the statement that bound a name makes the same value again."""
    if isinstance(node, ast.ImportFrom):
        module = sys.modules.get(node.module or "")
        return node.level == 0 and any(getattr(module, alias.name, None) is value for alias in node.names)
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    is_unchanging = type(value).__module__ in _UNCHANGING or isinstance(value, _ALIASES)
    return is_unchanging or isinstance(value, type | FunctionType)


def _literal(node: ast.stmt | None) -> str | None:
    """The value of an assignment as it would be written; None if it is not a literal."""
    value = getattr(node, "value", None)
    if not isinstance(node, ast.Assign | ast.AnnAssign) or value is None:
        return None
    if isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name):
        return None
    try:
        return ValueWriter(lambda _: None).write(ast.literal_eval(value))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
