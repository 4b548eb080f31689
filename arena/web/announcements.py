"""Announcements of the organiser: Markdown files in a folder beside the results file; nothing of them runs.

`arena.db.announcements/thursday.md` stands on the page of the league `thursday`; files with other names stand on the
first page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.web.plain_files import read_plain
from arena.web.shell import Visit
from results.pages.page import moment, section
from results.store import utc
from results.text import plain

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["Announcement", "announcements", "folder_of", "rendered", "shown_announcements"]

_MOST: Final = 50
_MOST_BYTES: Final = 32 << 10
#: The headings of an announcement stand below that of its section.
_BELOW: Final = 2


@dataclass(frozen=True, slots=True)
class Announcement:
    """The name of a file without its ending, when it was changed, and its text."""

    name: str
    changed: str
    text: str


def folder_of(db: Path) -> Path:
    """The folder of the announcements about a results file."""
    return db.with_name(f"{db.name}.announcements")


def announcements(db: Path) -> list[Announcement]:
    """The announcements about a results file, the newest first; files that cannot be read are left out."""
    try:
        places = sorted(folder_of(db).glob("*.md"))[:_MOST]
    except OSError:
        return []
    found = [one for place in places if (one := _read(place)) is not None]
    return sorted(found, key=lambda one: one.changed, reverse=True)


def _read(place: Path) -> Announcement | None:
    file = read_plain(place, most=_MOST_BYTES)
    if file is None:
        return None
    try:
        changed = utc.stamp(datetime.fromtimestamp(file.changed, UTC))
    except (OverflowError, OSError, ValueError):  # a time that no calendar has
        return None
    return Announcement(place.stem, changed, file.data.decode("utf-8", "replace"))


def shown_announcements(found: Sequence[Announcement], visit: Visit) -> list[str]:
    """A section with these announcements as HTML; nothing without any."""
    if not found:
        return []
    return section(visit.words["announcements"], _articles(found), name="announcements")


def _articles(found: Sequence[Announcement]) -> Iterator[str]:
    for one in found:
        yield f'<div class="announcement">{rendered(one.text)}<p class="quiet">{moment(one.changed)}</p></div>'


def rendered(text: str) -> str:
    """Markdown as HTML: its own HTML is shown as text, and it has no pictures, scripts or styles."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
    tokens = parser.parse(plain(text, _MOST_BYTES, multiline=True))
    for token in _all(tokens):
        token.attrs.pop("style", None)  # the alignment of a column: our policy allows no inline style
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + _BELOW)}"
        elif token.type == "link_open":
            token.attrs["rel"] = "noreferrer nofollow"
    return str(parser.renderer.render(tokens, parser.options, {}))


def _all(tokens: "Sequence[Token]") -> "Iterator[Token]":
    for token in tokens:
        yield token
        yield from _all(token.children or ())
