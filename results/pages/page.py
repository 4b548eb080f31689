"""Shared parts of our HTML pages: the document, tables, sections, escaping of untrusted text."""

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from results.text import plain

__all__ = ["Page", "data", "document", "file_text", "moment", "result_text", "section", "shown", "standalone", "table"]

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Page:
    """A page without its frame: the title as plain text, the body as HTML, and the script files that it needs."""

    title: str
    body: list[str]
    scripts: tuple[str, ...] = ()


def standalone(page: Page) -> str:
    """The page as one file that loads nothing."""
    return document(page.title, page.body, script="".join(map(file_text, page.scripts)))


def document(title: str, body: Iterable[str], *, script: str = "") -> str:
    """A complete page. The body is HTML, the title is plain text, and no other script can run."""
    style = file_text("page.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"'sha256-{digest}'" if script else "'none'"
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{shown(title)}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            *body,
            *([f"<script>{script}</script>"] if script else []),
            "</body>",
            "</html>",
            "",
        ]
    )


def shown(text: str, limit: int = 200, *, multiline: bool = False) -> str:
    """Untrusted text, escaped for HTML."""
    return escape(plain(text, limit, multiline=multiline))


def result_text(result: str) -> str:
    """A result as people write it."""
    return "½-½" if result == "1/2-1/2" else shown(result)


def moment(stamp: str) -> str:
    """A stored time to the minute."""
    date, _, time = stamp.partition("T")
    return f'<time datetime="{shown(stamp)}">{shown(date)} {shown(time[:5])} UTC</time>'


def section(heading: str, body: Iterable[str], *, name: str = "") -> list[str]:
    """A section with a heading, both HTML; links point to its name."""
    at = f' id="{name}"' if name else ""
    return [f"<section{at}>", f"<h2>{heading}</h2>", *body, "</section>"]


def table(
    caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]], *, words: Sequence[str] = (),
    is_titled: bool = False,
) -> str:  # fmt: skip
    """A table that scrolls on a narrow screen. All texts are HTML. Columns not in `words` hold numbers.

    With `is_titled` a heading says what the caption says: then only screen readers get the caption.
    """
    away = ' class="away"' if is_titled else ""
    kinds = ["" if header in words else ' class="number"' for header in headers]
    head = "".join(f'<th scope="col"{kind}>{header}</th>' for header, kind in zip(headers, kinds, strict=True))
    body = (
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in rows
    )
    lines = "\n".join(body)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{caption}">\n<table>\n'
        f"<caption{away}>{caption}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>\n</div>"
    )


def data(name: str, value: object) -> str:
    """JSON for the script of the page; it cannot end its own <script> element."""
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")
    return f'<script type="application/json" id="{name}">{text}</script>'


def file_text(name: str) -> str:
    """The text of a style or script file beside this module."""
    return (_FOLDER / name).read_text(encoding="utf-8")
