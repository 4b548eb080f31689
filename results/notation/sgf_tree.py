"""The brackets of SGF: nodes of properties as text, and text as nodes. Knows no game."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from results.errors import NotationError
from results.text import plain

__all__ = ["Node", "escaped", "lines", "main_lines"]

#: Properties by name, each with its values.
Node: TypeAlias = Mapping[str, Sequence[str]]

_TOKEN: Final = re.compile(r"\s*+(?:([();])|([A-Z]+)|\[((?:[^\]\\]|\\.)*+)\])", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_NODES_A_LINE: Final = 10


def escaped(text: str) -> str:
    r"""Somebody's text as it may stand in a value.

    >>> escaped(r"x];B[aa]\\")
    'x\\];B[aa\\]\\\\\\\\'
    """
    return plain(text).replace("\\", r"\\").replace("]", r"\]")


def lines(root: Node, moves: Sequence[Node]) -> Iterator[str]:
    """The lines of a game without variations; the values are written as they are."""
    yield "(;" + "\n".join(_properties(root))
    for at in range(0, len(moves), _NODES_A_LINE):
        yield "".join(f";{''.join(_properties(node))}" for node in moves[at : at + _NODES_A_LINE])
    yield ")"


def main_lines(text: str) -> Iterator[list[Node]]:
    """The nodes of each game's main line: all up to the first bracket that closes."""
    nodes: list[dict[str, list[str]]] = []
    values: list[str] | None = None
    depth, is_main = 0, True
    for mark, name, value in _tokens(text.strip()):
        if (depth == 0 and mark != "(") or (name and not nodes) or (value is not None and values is None):
            raise NotationError(f"there is {mark or name or 'a value'} where SGF has none")
        if mark is not None:
            values = None
            depth += {"(": 1, ";": 0, ")": -1}[mark]
            is_main = is_main and mark != ")"
            if mark == ";" and is_main:
                nodes.append({})
            if depth == 0:
                yield list(nodes)
                nodes, is_main = [], True
        elif name is not None:
            values = nodes[-1].setdefault(name, []) if is_main else []
        elif value is not None and values is not None:
            values.append(_ESCAPE.sub(_unescaped, value))
    if depth > 0:
        raise NotationError("it breaks off")


def _properties(node: Node) -> Iterator[str]:
    for name, values in node.items():
        yield name + "".join(f"[{value}]" for value in values)


def _tokens(text: str) -> Iterator[tuple[str | None, str | None, str | None]]:
    """A bracket or semicolon, the name of a property, or a value: one of the three each time."""
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotationError(f"this is no SGF: {text[at : at + 40]!r}")
        yield token[1], token[2], token[3]
        at = token.end()


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1][0] in "\r\n" else found[1]
