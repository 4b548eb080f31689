"""The frame of every page of the site: head, navigation, content, footer; files from our own origin only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from arena.web.texts import Language, Words, words
from results.pages.page import shown

__all__ = ["SCRIPTS", "STYLES", "Visit", "address", "framed", "link"]

#: The files of pages that are served, each below `/files/`.
STYLES: Final = ("page.css", "site.css")
SCRIPTS: Final = ("board.js", "replay.js", "example_games.js", "setup.js", "table.js", "analysis.js", "site.js")


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks: the language, and the address of the page, for the switch of the language."""

    language: Language = "en"
    path: str = "/"
    query: Mapping[str, str] = field(default_factory=dict)
    #: Whether agents can be handed in at this site.
    can_hand_in: bool = False

    @property
    def words(self) -> Words:
        """The texts in this language."""
        return words(self.language)


def address(path: str, **query: object) -> str:
    """The address of a page of ours; values are quoted."""
    given = {key: value for key, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def link(path: str, text: str, **query: object) -> str:
    """A link to a page of ours; the text is HTML."""
    return f'<a href="{shown(address(path, **query), 4000)}">{text}</a>'


def framed(visit: Visit, title: str, body: Iterable[str], *, scripts: Iterable[str] = ()) -> str:
    """A complete page. The body is HTML and holds the element `main`; the title is plain text."""
    text = visit.words
    other: Language = "ko" if visit.language == "en" else "en"
    switch = address(visit.path, **{**visit.query, "lang": other})
    files = [f'<script src="/files/{name}" defer></script>' for name in (*scripts, "site.js")]
    places = {"/": "home", "/live": "live", "/play": "play", "/training": "training", "/studies": "studies"}
    navigation = [link(path, text[name]) for path, name in places.items()]
    if visit.can_hand_in:
        navigation.append(link("/hand-in", text["hand_in"]))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{visit.language}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{shown(title)} - arena</title>",
            *(f'<link rel="stylesheet" href="/files/{name}">' for name in STYLES),
            '<link rel="icon" href="/files/icon.svg">',
            *files,
            "</head>",
            f'<body data-over="{shown(text["over"])}" data-lost="{shown(text["disconnected"])}">',
            f'<a class="skip" href="#content">{shown(text["skip"])}</a>',
            f'<nav aria-label="arena">{" ".join(navigation)}',
            f'<a class="language" hreflang="{other}" lang="{other}" href="{shown(switch, 4000)}">{text["switch"]}</a>',
            "</nav>",
            *body,
            f'<footer><p class="quiet">{shown(text["footer"])}',
            '<span id="connection" role="status"></span></p></footer>',
            "</body>",
            "</html>",
            "",
        ]
    )
