"""Untrusted text, made safe to show and to store."""

import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["cell", "counted", "display_width", "line_of", "padded", "plain", "share_of", "storable"]

#: Controls, formats (bidirectional ones among them), surrogates, private and unassigned characters, line separators.
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ELLIPSIS: Final = "…"
#: A spreadsheet runs text that starts with one of these as a formula; this includes the full-width forms.
_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # noqa: RUF001
_CELL_CHARACTERS: Final = 10_000


def plain(text: str, limit: int = 200, *, multiline: bool = False) -> str:
    r"""At most `limit` visible characters of `text`: control characters are escaped.

    Newlines and tabs are kept only if `multiline`. Plain text does not change, so a second call does no harm.

    >>> plain("a\x1b[31mred\nline", 40)
    'a\\x1b[31mred\\x0aline'
    >>> plain("abcdef", 4)
    'abc…'
    """
    if len(text) <= limit and text.isascii() and text.isprintable():
        return text
    kept = "\n\t" if multiline else ""
    # Each character gives at least one, so no more than these are needed.
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


def cell(value: object) -> object:
    """The value for a table that a spreadsheet reads: text gets a `'` in front if it looks like a formula.

    >>> cell("=1+1"), cell(2)
    ("'=1+1", 2)
    """
    if not isinstance(value, str):
        return value
    text = plain(value, limit=_CELL_CHARACTERS)
    return f"'{text}" if text.startswith(_FORMULA) else text


def display_width(text: str) -> int:
    """The number of columns that one line of plain text takes in a terminal.

    >>> [display_width(text) for text in ("bot", "봇", "é")]
    [3, 2, 1]
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # not at the top: it takes longer to import than this module

    width = int(wcswidth(text))
    return width if width >= 0 else len(text)  # text with control characters


def padded(text: str, width: int) -> str:
    """The text, with spaces after it until it takes `width` columns in a terminal.

    >>> padded("봇", 4) + "|"
    '봇  |'
    """
    return text + " " * (width - display_width(text))


def line_of(moves: Iterable[str]) -> str:
    """Moves in one line, separated by `;` in games whose moves contain spaces.

    >>> line_of(["d2d3", "a4a3"]), line_of(["0 0 0 1", "-1 -1 -1 -1"])
    ('d2d3 a4a3', '0 0 0 1; -1 -1 -1 -1')
    """
    listed = list(moves)
    return ("; " if any(" " in move for move in listed) else " ").join(listed)


def storable(text: str) -> str:
    """The text with lone surrogates escaped, which cannot be written as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _visible(char: str) -> str:
    if char.isascii():
        return char if char.isprintable() else f"\\x{ord(char):02x}"
    if unicodedata.category(char) in _UNSAFE:
        return char.encode("ascii", "backslashreplace").decode("ascii")
    return char


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "game"), counted(2, "game")
    ('1 game', '2 games')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def share_of(done: int, total: int | None, noun: str) -> str:
    """How many of a number of things there are; a total that is not known is left out.

    >>> share_of(2, 6, "game"), share_of(1, None, "game")
    ('2 of 6 games', '1 game')
    """
    return counted(done, noun) if total is None else f"{done} of {counted(total, noun)}"
