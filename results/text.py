"""Text that others wrote, made safe to show and to store."""

import unicodedata
from typing import Final

__all__ = ["plain", "storable"]

#: Controls, formats (bidirectional ones among them), surrogates, private and unassigned characters, line separators.
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ELLIPSIS: Final = "…"


def plain(text: str, limit: int = 200, *, multiline: bool = False) -> str:
    r"""At most `limit` visible characters of `text`: no control reaches a terminal, a table or a page.

    Newlines and tabs are kept only if `multiline`. Plain text stays as it is, so doing it twice does no harm.

    >>> plain("a\x1b[31mred\nline", 40)
    'a\\x1b[31mred\\x0aline'
    >>> plain("abcdef", 4)
    'abc…'
    """
    kept = "\n\t" if multiline else ""
    # Every character gives at least one, so more than these cannot be needed.
    units = [char if char in kept else _visible(char) for char in text[: limit + 1]]
    if sum(map(len, units)) <= limit:
        return "".join(units)
    out, room = [], limit - len(_ELLIPSIS)
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        out.append(unit)
    return "".join(out) + _ELLIPSIS


def storable(text: str) -> str:
    """The text with lone surrogates escaped: everything else can be written as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _visible(char: str) -> str:
    if char.isascii():
        return char if char.isprintable() else f"\\x{ord(char):02x}"
    if unicodedata.category(char) in _UNSAFE:
        return char.encode("ascii", "backslashreplace").decode("ascii")
    return char
