"""Where a class or function of a script or a notebook cell is defined, and whether it still is what is defined there.

The source is compiled and compared, never run.
"""

import __future__

import ast
import functools
import linecache
import sys
from abc import ABCMeta
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, Final

from arena.errors import UnknownAgent

__all__ = [
    "Definition", "Statement", "bound_names", "definition_of", "flat", "functions_in", "is_made", "is_plain",
    "mangled", "statements_of",
]  # fmt: skip

#: Attributes through which decorators and descriptors lead to the functions that they wrap.
_INNER: Final = ("__func__", "__wrapped__", "fget", "fset", "fdel", "func", "py_func")
_FUTURE: Final = __future__.annotations.compiler_flag
#: How far a function is followed into what wraps it.
_DEPTH: Final = 4


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement at the top level of a file or cell, also inside `if`, `for`, `with` or `try`, with its text."""

    node: ast.stmt
    text: str


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a class or function. Its `code` is compiled from the text, not taken from the object."""

    node: ast.stmt
    text: str
    code: CodeType

    @property
    def has_lazy_annotations(self) -> bool:
        """Whether it was defined under `from __future__ import annotations`."""
        return bool(self.code.co_flags & _FUTURE)


def definition_of(thing: type | FunctionType) -> Definition | None:
    """The definition of a class or function; None if it cannot be found.

    Raises `UnknownAgent` if there are definitions of a class, but its methods are not those of any of them.
    """
    functions = [thing] if isinstance(thing, FunctionType) else _methods(thing)
    flags = functions[0].__code__.co_flags & _FUTURE if functions else 0
    is_exact = _is_compiled_from_text(thing.__module__)
    changed: list[str] | None = None
    for name, lines in _files(thing.__module__, functions):
        for found in _definitions(name, lines, flags):
            if isinstance(thing, FunctionType):
                if _is_same(thing.__code__, found.code, is_exact=is_exact):
                    return found
            elif isinstance(found.node, ast.ClassDef) and found.node.name == thing.__qualname__:
                differing = list(_changed_methods(thing, found, is_exact=is_exact))
                if not differing:
                    return found
                if changed is None or len(differing) < len(changed):
                    changed = differing
    if changed is None:
        return None
    raise UnknownAgent(
        f"class {thing.__name__} differs from its source ({', '.join(changed)}): the class or its file was changed "
        f"after the definition; define the class again as it shall play"
    )


def statements_of(module: str) -> Iterator[Statement]:
    """The statements of a module, or of all cells of a notebook, the last one first."""
    for _, lines in _files(module, []):
        yield from _statements(lines)


def flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements with those in the blocks of `if`, `for`, `while`, `with`, `try` and `match`."""
    for node in body:
        yield node
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for block in ("body", "handlers", "orelse", "finalbody", "cases"):
            for inner in getattr(node, block, []):
                yield from flat(inner.body if isinstance(inner, ast.ExceptHandler | ast.match_case) else [inner])


def functions_in(value: Any, depth: int = _DEPTH) -> Iterator[FunctionType]:
    """The function itself, or the functions inside a method, property or decorated function."""
    if isinstance(value, FunctionType):
        yield value
    if depth == 0 or isinstance(value, type):
        return
    inner = [getattr(value, name, None) for name in _INNER]
    if isinstance(value, FunctionType):
        inner += [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
    for each in inner:
        if isinstance(each, FunctionType | functools.partial) or hasattr(each, "__wrapped__"):
            yield from functions_in(each, depth - 1)


def is_plain(thing: type) -> bool:
    """Whether a class is what its body says: not an enumeration or named tuple, nor made by another metaclass."""
    return type(thing) in (type, ABCMeta) and not issubclass(thing, tuple)


def is_made(thing: type, node: ast.ClassDef) -> bool:
    """Whether a decorator or a base class may have added attributes when the class was defined."""
    return bool(node.decorator_list) or any("__init_subclass__" in vars(base) for base in thing.__mro__[:-1])


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _methods(owner: type) -> list[FunctionType]:
    found = (function for value in vars(owner).values() for function in functions_in(value))
    return [each for each in found if each.__module__ == owner.__module__]


def _files(module: str, functions: Sequence[FunctionType]) -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each file or cell that may contain a definition, the most likely first."""
    names = [function.__code__.co_filename for function in functions]
    if (file := getattr(sys.modules.get(module), "__file__", None)) is not None:
        names.append(file)
    # IPython keeps the cells of a notebook in linecache. A class without methods can be in any cell.
    if module == "__main__":
        names += [name for name in reversed(linecache.cache) if "ipykernel" in name or name.startswith("<ipython")]
    for name in dict.fromkeys(names):
        if lines := linecache.getlines(name):
            yield name, lines


def _is_compiled_from_text(module: str) -> bool:
    """Whether Python compiled the module as its text says; import hooks, such as that of pytest, change the code."""
    loader = getattr(sys.modules.get(module), "__loader__", None)
    kind = loader if isinstance(loader, type) else type(loader)
    return loader is None or kind.__module__.startswith(("_frozen_importlib", "importlib", "zipimport"))


def _statements(lines: Sequence[str]) -> list[Statement]:
    """The statements of a file, the last one first; none if it cannot be parsed."""
    try:
        body = ast.parse("".join(lines)).body
    except SyntaxError:  # a notebook cell with magic commands
        return []
    return [Statement(node, _text(node, lines)) for node in reversed(list(flat(body)))]


def _text(node: ast.stmt, lines: Sequence[str]) -> str:
    text = "".join(lines[_first_line(node) - 1 : node.end_lineno]).rstrip("\n")
    # Not dedented: that would change texts of several lines.
    return f"if True:\n{text}" if node.col_offset else text


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _definitions(name: str, lines: Sequence[str], flags: int) -> Iterator[Definition]:
    """The classes and functions of a file, and the assignments of lambdas; the last one first."""
    statements = _statements(lines)
    if not statements:
        return
    compiled = compile("".join(lines), name, "exec", flags, dont_inherit=True).co_consts
    codes = [code for code in compiled if isinstance(code, CodeType)]
    for statement in statements:
        node = statement.node
        for code in codes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                is_it = (code.co_name, code.co_firstlineno) == (node.name, _first_line(node))
            else:
                is_simple = isinstance(node, ast.Assign | ast.AnnAssign) and code.co_name == "<lambda>"
                is_it = is_simple and node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)
            if is_it:
                yield Definition(node, statement.text, code)


def _changed_methods(thing: type, found: Definition, *, is_exact: bool) -> Iterator[str]:
    """The names of methods that are not those of this definition."""
    assert isinstance(found.node, ast.ClassDef)
    if not is_plain(thing):
        return
    codes = [code for code in found.code.co_consts if isinstance(code, CodeType)]
    body = list(flat(found.node.body))
    methods = {
        mangled(node.name, thing): node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assigned = {mangled(name, thing): node for node in body for name in bound_names(node)}
    for name, value in vars(thing).items():
        functions = list(functions_in(value))
        own = {code.co_name for each in functions for code in codes if _is_same(each.__code__, code, is_exact=is_exact)}
        if name in methods:
            is_wrapped = not functions and bool(methods[name].decorator_list)
            is_changed = methods[name].name not in own and not is_wrapped
        elif name in assigned:  # `act = lambda …` is its own; `act = helper` and `act = make(…)` are not
            is_lambda = any(function.__code__.co_name == "<lambda>" for function in functions)
            is_changed = is_lambda and not own
        else:
            is_changed = bool(functions) and not is_made(thing, found.node)
        if is_changed:
            yield name
    if not any(isinstance(node, ast.Delete) for node in body):
        yield from (name for name in methods if name not in vars(thing))


def bound_names(node: ast.stmt) -> Iterator[str]:
    """The names that an assignment or an import binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        return
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        if target is not None:
            yield from (
                part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            )


def mangled(name: str, owner: type) -> str:
    """The name of an attribute as Python stores it: `__x` of class A is `_A__x`."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{owner.__name__.lstrip('_')}{name}" if is_private else name


def _is_same(one: CodeType, two: CodeType, *, is_exact: bool) -> bool:
    """Whether two functions are the same definition; `is_exact` compares their code, not only where it stands."""
    if (one.co_name, one.co_firstlineno) != (two.co_name, two.co_firstlineno):
        return False
    return not is_exact or _has_same_code(one, two)


def _has_same_code(one: CodeType, two: CodeType) -> bool:
    parts = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount", "co_kwonlyargcount")
    if any(getattr(one, part) != getattr(two, part) for part in parts) or len(one.co_consts) != len(two.co_consts):
        return False
    return all(
        _has_same_code(mine, other) if isinstance(mine, CodeType) and isinstance(other, CodeType)
        else type(mine) is type(other) and (mine == other or repr(mine) == repr(other))
        for mine, other in zip(one.co_consts, two.co_consts, strict=True)
    )  # fmt: skip
